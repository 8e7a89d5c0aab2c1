// RUN mpmd-enforce-user-shardings
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
    %4:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%3, %3, %2) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      mpmd.return %arg6, %arg6 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    return %1#2, %4#0, %4#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
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
// -----
// RUN mpmd-enforce-user-shardings
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %6 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.tanh %6 : tensor<4x8xf32>
      mpmd.return %7 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{"x"}, {"y"}]>], out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>]> (%arg1) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<8x4xf32>) {
      mpmd.return %arg3, %arg3, %arg3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %3 = mpmd.fragment<mesh="m2", origin=[], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0, %arg2, %arg2, %0) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %4 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} %3 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %5:3 = mpmd.fragment<mesh="m1", origin=["head", "layer_3"], stage=1> (%1) (%arg3: tensor<4x8xf32>) {
      %6 = stablehlo.add %arg3, %arg3 : tensor<4x8xf32>
      mpmd.return %arg3, %arg3, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %4, %5#2 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %6 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.tanh %6 : tensor<4x8xf32>
      mpmd.return %7 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{"x"}, {"y"}]>], out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>]> (%arg1) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<8x4xf32>) {
      mpmd.return %arg3, %arg3, %arg3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %3 = mpmd.fragment<mesh="m2", origin=[], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0, %arg2, %arg2, %0) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %4 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} %3 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %5:3 = mpmd.fragment<mesh="m1", origin=["head", "layer_3"], stage=1, out_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{}, {}]>]> (%1) (%arg3: tensor<4x8xf32>) {
      %6 = stablehlo.add %arg3, %arg3 : tensor<4x8xf32>
      mpmd.return %arg3, %arg3, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %4, %5#2 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-enforce-user-shardings
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 1 : i32}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["head"]> () {call_counter = 0 : ui32} () {
      %4 = sdy.constant dense<3.000000e+00> : tensor<4x8xf32>
      mpmd.return %4 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<4x8xf32>) {
      %4 = sdy.constant dense<2.000000e+00> : tensor<8x4xf32>
      %5 = stablehlo.multiply %4, %4 : tensor<8x4xf32>
      %6 = stablehlo.multiply %4, %4 : tensor<8x4xf32>
      mpmd.return %5, %6 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %3:2 = mpmd.fragment<mesh="m1", origin=[], in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>]> (%2#0, %0, %arg3) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<8x4xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<8x4xf32>) {
      mpmd.return %arg4, %arg5 : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %1, %2#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 1 : i32}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["head"]> () {call_counter = 0 : ui32} () {
      %4 = sdy.constant dense<3.000000e+00> : tensor<4x8xf32>
      mpmd.return %4 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %1 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} %arg0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=[], out_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{}, {}]>]> (%0) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<4x8xf32>) {
      %4 = sdy.constant dense<2.000000e+00> : tensor<8x4xf32>
      %5 = stablehlo.multiply %4, %4 : tensor<8x4xf32>
      %6 = stablehlo.multiply %4, %4 : tensor<8x4xf32>
      mpmd.return %5, %6 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %3:2 = mpmd.fragment<mesh="m1", origin=[], in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>]> (%2#0, %0, %arg3) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<8x4xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<8x4xf32>) {
      mpmd.return %arg4, %arg5 : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %1, %2#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
