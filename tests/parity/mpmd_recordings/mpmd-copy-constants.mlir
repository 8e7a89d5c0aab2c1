// RUN mpmd-copy-constants
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 2 : ui32} () {
      %b0 = stablehlo.constant dense<0.0> : tensor<f32>
      %b1 = stablehlo.subtract %b0, %b0 : tensor<f32>
      mpmd.return %b1 : tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>)
    %v2 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %v3:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%a0: tensor<f32>, %a1: tensor<8x4xf32>, %a2: tensor<4x8xf32>) {
      mpmd.return %a1, %a1, %a0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %v4 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      %b1 = stablehlo.constant dense<3.0> : tensor<8x4xf32>
      mpmd.return %b1 : tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %v5 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %b0 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
      %b1 = stablehlo.constant dense<0.0> : tensor<4x8xf32>
      %b2 = stablehlo.add %b1, %b1 : tensor<4x8xf32>
      %b3 = stablehlo.constant dense<1.0> : tensor<4x8xf32>
      mpmd.return %b0 : tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v6:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%v5, %v5, %v4) {call_counter = 1 : ui32} (%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<8x4xf32>) {
      %b0 = stablehlo.tanh %a2 : tensor<8x4xf32>
      %b1 = stablehlo.multiply %a2, %a2 : tensor<8x4xf32>
      %b2 = stablehlo.subtract %b0, %b1 : tensor<8x4xf32>
      mpmd.return %a1, %a1 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v7 = mpmd.transfer %v4 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %v3#2, %v6#0, %v6#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["layer_1"]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.subtract %cst, %cst : tensor<f32>
      mpmd.return %7 : tensor<f32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %1 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %2:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %3 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      mpmd.return %cst_0 : tensor<8x4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.add %cst_0, %cst_0 : tensor<4x8xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %5:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%4, %4, %3) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.tanh %cst : tensor<8x4xf32>
      %8 = stablehlo.multiply %cst, %cst : tensor<8x4xf32>
      %9 = stablehlo.subtract %7, %8 : tensor<8x4xf32>
      mpmd.return %cst_0, %cst_0 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %6 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %2#2, %5#0, %5#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-copy-constants
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.fragment<mesh="m1", origin=["head"]> () {call_counter = 0 : ui32} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      %b1 = stablehlo.tanh %b0 : tensor<4x8xf32>
      mpmd.return %b0 : tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %v2 = mpmd.transfer %v1 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %v3 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    %v4:2 = mpmd.fragment<mesh="m1", origin=[]> (%v1) {mpmd.inferred_by = ["uniquify"]} (%a0: tensor<4x8xf32>) {
      %b0 = stablehlo.subtract %a0, %a0 : tensor<4x8xf32>
      %b1 = stablehlo.constant dense<2.0> : tensor<8x4xf32>
      %b2 = stablehlo.constant dense<1.0> : tensor<8x4xf32>
      %b3 = stablehlo.multiply %b1, %b1 : tensor<8x4xf32>
      mpmd.return %b3, %b3 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v5 = mpmd.transfer %v4#1 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %v6 = mpmd.transfer %v3 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %v7:2 = mpmd.fragment<mesh="m1", origin=[]> (%v4#0, %v1, %arg3) {mpmd.inferred_by = ["uniquify"]} (%a0: tensor<8x4xf32>, %a1: tensor<4x8xf32>, %a2: tensor<8x4xf32>) {
      %b0 = stablehlo.multiply %a0, %a2 : tensor<8x4xf32>
      %b1 = stablehlo.tanh %a0 : tensor<8x4xf32>
      mpmd.return %a0, %a1 : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %v3, %v4#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["head"]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.tanh %cst : tensor<4x8xf32>
      mpmd.return %cst : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %2 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    %3:2 = mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<8x4xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32>
      %8 = stablehlo.multiply %cst_0, %cst_0 : tensor<8x4xf32>
      mpmd.return %8, %8 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %4 = mpmd.transfer %3#1 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %5 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %6:2 = mpmd.fragment<mesh="m1", origin=[]> (%3#0, %0, %arg3) {mpmd.inferred_by = ["uniquify"]} (%arg4: tensor<8x4xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<8x4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.multiply %arg4, %arg6 : tensor<8x4xf32>
      %8 = stablehlo.tanh %arg4 : tensor<8x4xf32>
      mpmd.return %arg4, %cst : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %2, %3#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// -----
// RUN mpmd-copy-constants
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
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"(1), "layer_2"(1)], stage=1> (%2#0, %2#1) {call_counter = 0 : ui32} (%arg5: tensor<8x4xf32>, %arg6: tensor<8x4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x4xf32>
      %7 = stablehlo.add %cst_0, %cst : tensor<8x4xf32>
      mpmd.return %cst_0, %7, %cst_0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %5 = mpmd.transfer %4#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %6 = mpmd.transfer %4#1 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    return %4#2, %4#0, %4#2, %4#1 : !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// -----
// RUN mpmd-copy-constants
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4x8xf32>
!s = tensor<f32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!h1 = !mpmd.mesh_tensor<"m1", !t, memory_kind="pinned_host">
!s1 = !mpmd.mesh_tensor<"m1", !s>
!s2 = !mpmd.mesh_tensor<"m2", !s>
func.func @main(%a: !m1, %b: !m2) -> (!m2, !m1, !m2) attributes {topology = #topology} {
  %0:3 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %c = stablehlo.constant dense<1.0> : !t
    %d = stablehlo.constant dense<2.0> : !t
    %e = stablehlo.add %x, %d : !t
    mpmd.return %c, %e, %d : !t, !t, !t
  } : (!m1) -> (!m1, !m1, !m1)
  %1 = mpmd.transfer %0#0 : (!m1) -> !m2
  %2 = mpmd.transfer %0#1 : (!m1) -> !m2
  %5 = mpmd.transfer %0#2 : (!m1) -> !m2
  %3 = mpmd.fragment<mesh="m2", origin=["g"]> (%1, %2, %b, %5) (%x: !t, %y: !t, %z: !t, %w: !t) {
    %c = stablehlo.add %x, %y : !t
    %d = stablehlo.add %c, %z : !t
    %e = stablehlo.add %d, %w : !t
    mpmd.return %e : !t
  } : (!m2, !m2, !m2, !m2) -> !m2
  %4 = mpmd.fragment<mesh="m1", origin=["h"]> (%0#0, %0#2) (%x: !t, %y: !t) {
    %c = stablehlo.add %x, %y : !t
    mpmd.return %c : !t
  } : (!m1, !m1) -> !m1
  return %3, %4, %1 : !m2, !m1, !m2
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%arg2: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %6 = stablehlo.add %arg2, %cst_0 : tensor<4x8xf32>
      mpmd.return %cst, %6, %cst_0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %2 = mpmd.transfer %0#1 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %3 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %4 = mpmd.fragment<mesh="m2", origin=["g"]> (%1, %2, %arg1, %3) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      %6 = stablehlo.add %cst_0, %arg3 : tensor<4x8xf32>
      %7 = stablehlo.add %6, %arg4 : tensor<4x8xf32>
      %8 = stablehlo.add %7, %cst : tensor<4x8xf32>
      mpmd.return %8 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["h"]> (%0#0, %0#2) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      %6 = stablehlo.add %cst_0, %cst : tensor<4x8xf32>
      mpmd.return %6 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    return %4, %5, %1 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
  }
}
