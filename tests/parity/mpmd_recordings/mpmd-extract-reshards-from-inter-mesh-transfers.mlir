// RUN mpmd-extract-reshards-from-inter-mesh-transfers
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
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %7 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.tanh %7 : tensor<4x8xf32>
      mpmd.return %8 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{"x"}, {"y"}]>], out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>]> (%arg1) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<8x4xf32>) {
      mpmd.return %arg3, %arg3, %arg3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %3 = mpmd.fragment<mesh="m2", origin=[], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0, %arg2, %arg2, %0) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %4 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %3 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %5 = mpmd.fragment<mesh="m2", origin=[], out_shardings=[<@mesh, [{"y"}, {}]>]> (%4) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %6:3 = mpmd.fragment<mesh="m1", origin=["head", "layer_3"], stage=1, out_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{}, {}]>]> (%1) (%arg3: tensor<4x8xf32>) {
      %7 = stablehlo.add %arg3, %arg3 : tensor<4x8xf32>
      mpmd.return %arg3, %arg3, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %5, %6#2 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-extract-reshards-from-inter-mesh-transfers
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 2 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, tf.aliasing_output = 2 : i32}) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg1 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %1 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg1 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %2 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} %0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %3:2 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>]> (%arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) {
      %7 = stablehlo.add %arg2, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x8xf32>
      mpmd.return %7, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %4:2 = mpmd.fragment<mesh="m1", origin=["layer_3", "layer_2"], in_shardings=[<@mesh, [{}, {"x", "y"}]>], out_shardings=[<@mesh, [{}, {"x", "y"}]>, <@mesh, [{}, {"x", "y"}]>]> (%2) {call_counter = 1 : ui32} (%arg2: tensor<4x8xf32>) {
      %7 = stablehlo.multiply %arg2, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} : tensor<4x8xf32>
      mpmd.return %7, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %5:2 = mpmd.fragment<mesh="m1", origin=["layer_2", "layer_1"], in_shardings=[<@mesh, [{}, {"x", "y"}]>]> (%4#0) (%arg2: tensor<4x8xf32>) {
      %7 = sdy.constant dense<2.000000e+00> : tensor<4x8xf32>
      mpmd.return %7, %7 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %6:3 = mpmd.fragment<mesh="m2", origin=["head"], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>]> (%0, %arg0, %1) {call_counter = 0 : ui32} (%arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<4x8xf32>) {
      mpmd.return %arg4, %arg2, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    return %5#0, %4#0, %5#1 : !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 2 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, tf.aliasing_output = 2 : i32}) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg1 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %1 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %arg1 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=[], out_shardings=[<@mesh, [{}, {"x", "y"}]>]> (%0) {mpmd.inferred_by = ["extract_reshards"]} (%arg2: tensor<4x8xf32>) {
      mpmd.return %arg2 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %3 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} %2 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %4:2 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>]> (%arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) {
      %8 = stablehlo.add %arg2, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x8xf32>
      mpmd.return %8, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %5:2 = mpmd.fragment<mesh="m1", origin=["layer_3", "layer_2"], in_shardings=[<@mesh, [{}, {"x", "y"}]>], out_shardings=[<@mesh, [{}, {"x", "y"}]>, <@mesh, [{}, {"x", "y"}]>]> (%3) {call_counter = 1 : ui32} (%arg2: tensor<4x8xf32>) {
      %8 = stablehlo.multiply %arg2, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} : tensor<4x8xf32>
      mpmd.return %8, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %6:2 = mpmd.fragment<mesh="m1", origin=["layer_2", "layer_1"], in_shardings=[<@mesh, [{}, {"x", "y"}]>]> (%5#0) (%arg2: tensor<4x8xf32>) {
      %8 = sdy.constant dense<2.000000e+00> : tensor<4x8xf32>
      mpmd.return %8, %8 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %7:3 = mpmd.fragment<mesh="m2", origin=["head"], in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {"y"}]>], out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>]> (%0, %arg0, %1) {call_counter = 0 : ui32} (%arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<4x8xf32>) {
      mpmd.return %arg4, %arg2, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    return %6#0, %5#0, %6#1 : !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-extract-reshards-from-inter-mesh-transfers
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>, tf.aliasing_output = 3 : i32}, %arg2: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, !mpmd.mesh_tensor<"m3", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{"y"}, {}]>], out_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{}, {}]>]> (%arg1) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<4x8xf32>) {
      %7 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.multiply %arg4, %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<4x8xf32>
      mpmd.return %8, %7 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %1:2 = mpmd.fragment<mesh="m2", origin=["head"(1), "layer_3"(1)]> (%arg0, %arg0) (%arg4: tensor<f32>, %arg5: tensor<f32>) {
      mpmd.return %arg5, %arg5 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=["layer_2", "layer_3"], stage=2, in_shardings=[<@mesh, [{"y"}, {}]>], out_shardings=[<@mesh, [{"y"}, {}]>]> (%0#0) {call_counter = 1 : ui32} (%arg4: tensor<4x8xf32>) {
      %7 = stablehlo.tanh %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<4x8xf32>
      mpmd.return %7 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %7 = sdy.constant dense<3.000000e+00> : tensor<f32>
      %8 = stablehlo.add %7, %7 : tensor<f32>
      %9 = stablehlo.tanh %8 : tensor<f32>
      mpmd.return %9, %9, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4:2 = mpmd.fragment<mesh="m3", origin=["layer_2"(1), "head"(1)], stage=2, in_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"x"}, {"y"}]>]> (%2, %arg3) {call_counter = 2 : ui32} (%arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %7 = sdy.constant dense<2.000000e+00> : tensor<f32>
      %8 = sdy.constant dense<0.000000e+00> : tensor<f32>
      mpmd.return %7, %8 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %5 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} %2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %6 = mpmd.transfer %4#1 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    return %4#1, %2, %5, %6 : !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
// ==>
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>, tf.aliasing_output = 3 : i32}, %arg2: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, !mpmd.mesh_tensor<"m3", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m3", origin=[], in_shardings=[<@mesh, [{"y"}, {}]>], out_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{}, {}]>]> (%arg1) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<4x8xf32>) {
      %8 = sdy.constant dense<0.000000e+00> : tensor<4x8xf32>
      %9 = stablehlo.multiply %arg4, %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<4x8xf32>
      mpmd.return %9, %8 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %1:2 = mpmd.fragment<mesh="m2", origin=["head"(1), "layer_3"(1)]> (%arg0, %arg0) (%arg4: tensor<f32>, %arg5: tensor<f32>) {
      mpmd.return %arg5, %arg5 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=["layer_2", "layer_3"], stage=2, in_shardings=[<@mesh, [{"y"}, {}]>], out_shardings=[<@mesh, [{"y"}, {}]>]> (%0#0) {call_counter = 1 : ui32} (%arg4: tensor<4x8xf32>) {
      %8 = stablehlo.tanh %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<4x8xf32>
      mpmd.return %8 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %8 = sdy.constant dense<3.000000e+00> : tensor<f32>
      %9 = stablehlo.add %8, %8 : tensor<f32>
      %10 = stablehlo.tanh %9 : tensor<f32>
      mpmd.return %10, %10, %9 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4:2 = mpmd.fragment<mesh="m3", origin=["layer_2"(1), "head"(1)], stage=2, in_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"x"}, {"y"}]>]> (%2, %arg3) {call_counter = 2 : ui32} (%arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %8 = sdy.constant dense<2.000000e+00> : tensor<f32>
      %9 = sdy.constant dense<0.000000e+00> : tensor<f32>
      mpmd.return %8, %9 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %5 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} %2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %6 = mpmd.fragment<mesh="m3", origin=[], out_shardings=[<@mesh, [{}, {}]>]> (%5) {mpmd.inferred_by = ["extract_reshards"]} (%arg4: tensor<4x8xf32>) {
      mpmd.return %arg4 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %7 = mpmd.transfer %4#1 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    return %4#1, %2, %6, %7 : !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
