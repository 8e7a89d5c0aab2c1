// RUN mpmd-convert-sdy-shardings-to-mpmd-types
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 2 : ui32} () {
      %5 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.subtract %5, %5 : tensor<f32>
      mpmd.return %6 : tensor<f32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %1:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)], in_shardings=[<@mesh, []>, <@mesh, [{}, {}]>, <@mesh, [{"y", "x"}, {}]>]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %5 = sdy.constant dense<3.000000e+00> : tensor<8x4xf32>
      mpmd.return %5 : tensor<8x4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %5 = sdy.constant dense<2.000000e+00> : tensor<4x8xf32>
      mpmd.return %5 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %4:2 = mpmd.fragment<mesh="m3", origin=["embed"], out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]> (%3, %3, %2) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      mpmd.return %arg6, %arg6 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    return %1#2, %4#0, %4#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{"y", "x"}, {}]>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, sharding=<@mesh, [{}, {}]>>, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, sharding=<@mesh, [{"y", "x"}, {}]>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>, sharding=<@mesh, []>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 2 : ui32} () {
      %5 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.subtract %5, %5 : tensor<f32>
      mpmd.return %6 : tensor<f32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %1:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>, sharding=<@mesh, []>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{"y", "x"}, {}]>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %5 = sdy.constant dense<3.000000e+00> : tensor<8x4xf32>
      mpmd.return %5 : tensor<8x4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %5 = sdy.constant dense<2.000000e+00> : tensor<4x8xf32>
      mpmd.return %5 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %4:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%3, %3, %2) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      mpmd.return %arg6, %arg6 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>)
    return %1#2, %4#0, %4#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>
  }
}
// -----
// RUN mpmd-convert-sdy-shardings-to-mpmd-types
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}) -> !mpmd.mesh_tensor<"m1", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m2", origin=["embed"], in_shardings=[<@mesh, [{}, {"y", "x"}]>], out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"y", "x"}]>]> (%arg1) {call_counter = 1 : ui32} (%arg3: tensor<4x8xf32>) {
      %7 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      mpmd.return %7, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %1:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %7 = sdy.constant dense<3.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %9 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %10 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %11 = stablehlo.subtract %8, %7 : tensor<4x8xf32>
      %12 = stablehlo.subtract %10, %7 : tensor<4x8xf32>
      %13 = stablehlo.tanh %11 : tensor<4x8xf32>
      mpmd.return %13, %9, %12 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %7 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.multiply %7, %7 : tensor<f32>
      %9 = stablehlo.multiply %8, %7 : tensor<f32>
      mpmd.return %9, %9, %9 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4 = mpmd.transfer %1#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %5:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%3#1, %4, %3#2, %3#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %7 = stablehlo.tanh %arg5 : tensor<f32>
      %8 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %7, %8, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %6 = mpmd.fragment<mesh="m3", origin=["layer_3", "layer_1"]> (%2) (%arg3: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %5#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y", "x"}]>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, sharding=<@mesh, [{}, {}]>> {tf.aliasing_output = 0 : i32}) -> !mpmd.mesh_tensor<"m1", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m2", origin=["embed"]> (%arg1) {call_counter = 1 : ui32} (%arg3: tensor<4x8xf32>) {
      %7 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      mpmd.return %7, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y", "x"}]>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y", "x"}]>>)
    %1:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %7 = sdy.constant dense<3.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %9 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %10 = stablehlo.subtract %7, %7 : tensor<4x8xf32>
      %11 = stablehlo.subtract %8, %7 : tensor<4x8xf32>
      %12 = stablehlo.subtract %10, %7 : tensor<4x8xf32>
      %13 = stablehlo.tanh %11 : tensor<4x8xf32>
      mpmd.return %13, %9, %12 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %7 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.multiply %7, %7 : tensor<f32>
      %9 = stablehlo.multiply %8, %7 : tensor<f32>
      mpmd.return %9, %9, %9 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4 = mpmd.transfer %1#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %5:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%3#1, %4, %3#2, %3#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %7 = stablehlo.tanh %arg5 : tensor<f32>
      %8 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %7, %8, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %6 = mpmd.fragment<mesh="m3", origin=["layer_3", "layer_1"]> (%2) (%arg3: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %5#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN mpmd-convert-sdy-shardings-to-mpmd-types
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, tf.aliasing_output = 0 : i32}) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m3", origin=["layer_2", "embed"], stage=2> () {call_counter = 1 : ui32} () {
      %6 = sdy.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.add %6, %6 : tensor<f32>
      mpmd.return %7, %7, %7 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1, in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>]> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %6 = stablehlo.multiply %arg3, %arg5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x8xf32>
      %7 = stablehlo.multiply %6, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x8xf32>
      mpmd.return %7, %6, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %2:3 = mpmd.fragment<mesh="m3", origin=["layer_3", "head"]> (%0#1) (%arg2: tensor<f32>) {
      %6 = stablehlo.subtract %arg2, %arg2 : tensor<f32>
      %7 = stablehlo.tanh %6 : tensor<f32>
      %8 = stablehlo.add %6, %arg2 : tensor<f32>
      mpmd.return %arg2, %7, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %3 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %1#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)], in_shardings=[<@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0) {call_counter = 2 : ui32} (%arg2: tensor<4x8xf32>) {
      mpmd.return %arg2 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["layer_3"], stage=0> () () {
      %6 = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %6 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    return %3 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>> {tf.aliasing_output = 0 : i32}) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m3", origin=["layer_2", "embed"], stage=2> () {call_counter = 1 : ui32} () {
      %6 = sdy.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.add %6, %6 : tensor<f32>
      mpmd.return %7, %7, %7 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %6 = stablehlo.multiply %arg3, %arg5 : tensor<4x8xf32>
      %7 = stablehlo.multiply %6, %6 : tensor<4x8xf32>
      mpmd.return %7, %6, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>)
    %2:3 = mpmd.fragment<mesh="m3", origin=["layer_3", "head"]> (%0#1) (%arg2: tensor<f32>) {
      %6 = stablehlo.subtract %arg2, %arg2 : tensor<f32>
      %7 = stablehlo.tanh %6 : tensor<f32>
      %8 = stablehlo.add %6, %arg2 : tensor<f32>
      mpmd.return %arg2, %7, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %3 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>
    %4 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)]> (%arg0) {call_counter = 2 : ui32} (%arg2: tensor<4x8xf32>) {
      mpmd.return %arg2 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>
    %5 = mpmd.fragment<mesh="m1", origin=["layer_3"], stage=0> () () {
      %6 = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %6 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    return %3 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>
  }
}
