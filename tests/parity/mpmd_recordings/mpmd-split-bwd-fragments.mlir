// RUN mpmd-split-bwd-fragments
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<f32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {tf.aliasing_output = 0 : i32}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:3 = mpmd.fragment<mesh="m1", origin=["embed"]> () () {
      %b0 = stablehlo.constant dense<3.0> : tensor<8x4xf32>
      mpmd.return %b0, %b0, %b0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v2 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %v3:3 = mpmd.fragment<mesh="m2", origin=["head"(1)]> (%arg1, %arg1, %arg4) {call_counter = 2 : ui32} (%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>) {
      mpmd.return %a1, %a1, %a0 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %v4:2 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 0 : ui32} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      mpmd.return %b0, %b0 : tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %v5 = mpmd.transfer %v4#1 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %v6 = mpmd.transfer %v3#2 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %v7:3 = mpmd.fragment<mesh="m1", origin=["head"]> (%v2) {call_counter = 2 : ui32} (%a0: tensor<f32>) {
      %b0 = stablehlo.tanh %a0 : tensor<f32>
      mpmd.return %a0, %b0, %b0 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %v7#1 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<f32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {tf.aliasing_output = 0 : i32}) -> !mpmd.mesh_tensor<"m1", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m1", origin=["embed"]> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      mpmd.return %cst, %cst, %cst : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %1 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:2 = mpmd.fragment<mesh="m2", origin=["head"(1)]> (%arg1, %arg1, %arg4) {call_counter = 2 : ui32, split_keep_transferred} (%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>) {
      mpmd.return %arg5, %arg6 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %3:2 = mpmd.fragment<mesh="m2", origin=["head"(1)]> (%arg1, %arg1, %arg4, %2#1) {call_counter = 2 : ui32, split_drop_transferred} (%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>) {
      mpmd.return %arg8, %arg8 : tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %4:2 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst, %cst : tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %5 = mpmd.transfer %4#1 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %6 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %7:3 = mpmd.fragment<mesh="m1", origin=["head"]> (%1) {call_counter = 2 : ui32} (%arg5: tensor<f32>) {
      %8 = stablehlo.tanh %arg5 : tensor<f32>
      mpmd.return %arg5, %8, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %7#1 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN mpmd-split-bwd-fragments
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<f32>> {tf.aliasing_output = 3 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg3: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {tf.aliasing_output = 2 : i32}, %arg4: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v2:3 = mpmd.fragment<mesh="m3", origin=[]> (%arg1, %v1, %v1, %arg1) {mpmd.inferred_by = ["uniquify"]} (%a0: tensor<f32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<f32>) {
      mpmd.return %a1, %a0, %a2 : tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v3:3 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["uniquify"]} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<8x4xf32>
      %b1 = stablehlo.constant dense<1.0> : tensor<8x4xf32>
      mpmd.return %b1, %b0, %b0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v4:2 = mpmd.fragment<mesh="m3", origin=["embed", "head"]> () {call_counter = 0 : ui32} () {
      %b0 = stablehlo.constant dense<2.0> : tensor<f32>
      mpmd.return %b0, %b0 : tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %v5:3 = mpmd.fragment<mesh="m1", origin=["embed"(1), "layer_2"(1)], stage=1> (%v3#0, %v3#1) {call_counter = 0 : ui32} (%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>) {
      %b0 = stablehlo.add %a0, %a1 : tensor<8x4xf32>
      mpmd.return %a0, %b0, %a0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v6 = mpmd.transfer %v5#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %v7 = mpmd.transfer %v5#1 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    return %v5#2, %v5#0, %v5#2, %v5#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<f32>> {tf.aliasing_output = 3 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg3: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {tf.aliasing_output = 2 : i32}, %arg4: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %1:3 = mpmd.fragment<mesh="m3", origin=[]> (%arg1, %0, %0, %arg1) {mpmd.inferred_by = ["uniquify"]} (%arg5: tensor<f32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<f32>) {
      mpmd.return %arg6, %arg5, %arg7 : tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2:3 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["uniquify"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32>
      mpmd.return %cst_0, %cst, %cst : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %3:2 = mpmd.fragment<mesh="m3", origin=["embed", "head"]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      mpmd.return %cst, %cst : tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"(1), "layer_2"(1)], stage=1> (%2#0, %2#1) {call_counter = 0 : ui32, split_keep_transferred} (%arg5: tensor<8x4xf32>, %arg6: tensor<8x4xf32>) {
      %8 = stablehlo.add %arg5, %arg6 : tensor<8x4xf32>
      mpmd.return %8, %arg5, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %5 = mpmd.fragment<mesh="m1", origin=["embed"(1), "layer_2"(1)], stage=1> (%2#0, %2#1, %4#2) {call_counter = 0 : ui32, split_drop_transferred} (%arg5: tensor<8x4xf32>, %arg6: tensor<8x4xf32>, %arg7: tensor<8x4xf32>) {
      mpmd.return %arg7 : tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    %6 = mpmd.transfer %4#1 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %7 = mpmd.transfer %4#0 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    return %4#1, %5, %4#1, %4#0 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// -----
// RUN mpmd-split-bwd-fragments
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<f32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:3 = mpmd.fragment<mesh="m2", origin=["layer_1", "head"]> () () {
      %b0 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
      %b1 = stablehlo.tanh %b0 : tensor<4x8xf32>
      %b2 = stablehlo.tanh %b1 : tensor<4x8xf32>
      %b3 = stablehlo.tanh %b2 : tensor<4x8xf32>
      mpmd.return %b1, %b1, %b2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %v2 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %v3 = mpmd.transfer %v1#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %v4 = mpmd.transfer %v1#2 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v5:2 = mpmd.fragment<mesh="m3", origin=["layer_3"(1), "layer_2"(1)]> () () {
      %b0 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
      %b1 = stablehlo.tanh %b0 : tensor<4x8xf32>
      %b2 = stablehlo.tanh %b1 : tensor<4x8xf32>
      %b3 = stablehlo.add %b0, %b0 : tensor<4x8xf32>
      mpmd.return %b2, %b0 : tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v6 = mpmd.transfer %v5#1 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %v7:3 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 1 : ui32} () {
      %b0 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
      %b1 = stablehlo.tanh %b0 : tensor<4x8xf32>
      %b2 = stablehlo.tanh %b1 : tensor<4x8xf32>
      %b3 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      mpmd.return %b2, %b3, %b0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    return %v7#1, %v3, %v7#0, %v7#0 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<f32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m2", origin=["layer_1", "head"]> () () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.tanh %cst : tensor<4x8xf32>
      %9 = stablehlo.tanh %8 : tensor<4x8xf32>
      %10 = stablehlo.tanh %9 : tensor<4x8xf32>
      mpmd.return %8, %8, %9 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %3 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %4:2 = mpmd.fragment<mesh="m3", origin=["layer_3"(1), "layer_2"(1)]> () {split_keep_transferred} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst, %cst : tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %5 = mpmd.fragment<mesh="m3", origin=["layer_3"(1), "layer_2"(1)]> (%4#1) {split_drop_transferred} (%arg2: tensor<4x8xf32>) {
      %8 = stablehlo.tanh %arg2 : tensor<4x8xf32>
      %9 = stablehlo.tanh %8 : tensor<4x8xf32>
      %10 = stablehlo.add %arg2, %arg2 : tensor<4x8xf32>
      mpmd.return %9 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %6 = mpmd.transfer %4#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %7:3 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 1 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %8 = stablehlo.tanh %cst : tensor<4x8xf32>
      %9 = stablehlo.tanh %8 : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      mpmd.return %9, %cst_0, %cst : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    return %7#1, %2, %7#0, %7#0 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
