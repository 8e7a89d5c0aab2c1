// RUN mpmd-remove-transfer-cycles
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:2 = mpmd.fragment<mesh="m2", origin=["embed"]> (%arg1) {call_counter = 1 : ui32} (%a0: tensor<4x8xf32>) {
      %b0 = stablehlo.multiply %a0, %a0 : tensor<4x8xf32>
      %b1 = stablehlo.constant dense<0.0> : tensor<4x8xf32>
      mpmd.return %b1, %a0 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %v2:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %b0 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      %b1 = stablehlo.subtract %b0, %b0 : tensor<4x8xf32>
      %b2 = stablehlo.subtract %b1, %b0 : tensor<4x8xf32>
      %b3 = stablehlo.tanh %b2 : tensor<4x8xf32>
      mpmd.return %b3, %b1, %b2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v3 = mpmd.transfer %v2#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v4:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %b0 = stablehlo.constant dense<0.0> : tensor<f32>
      %b1 = stablehlo.multiply %b0, %b0 : tensor<f32>
      %b2 = stablehlo.multiply %b1, %b0 : tensor<f32>
      mpmd.return %b2, %b2, %b2 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %v5 = mpmd.transfer %v2#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %v6:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%v4#1, %v5, %v4#2, %v4#2) {call_counter = 2 : ui32} (%a0: tensor<f32>, %a1: tensor<4x8xf32>, %a2: tensor<f32>, %a3: tensor<f32>) {
      %b0 = stablehlo.add %a1, %a1 : tensor<4x8xf32>
      %b1 = stablehlo.tanh %a2 : tensor<f32>
      %b2 = stablehlo.multiply %a1, %b0 : tensor<4x8xf32>
      %b3 = stablehlo.add %a3, %a3 : tensor<f32>
      mpmd.return %b1, %b3, %a0 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %v7 = mpmd.fragment<mesh="m3", origin=["layer_3", "layer_1"]> (%v3) (%a0: tensor<4x8xf32>) {
      mpmd.return %a0 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    return %v6#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m2", origin=["embed"]> (%arg1) {call_counter = 1 : ui32} (%arg3: tensor<4x8xf32>) {
      %6 = stablehlo.multiply %arg3, %arg3 : tensor<4x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %1:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %6 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %7 = stablehlo.subtract %6, %cst : tensor<4x8xf32>
      %8 = stablehlo.tanh %7 : tensor<4x8xf32>
      mpmd.return %8, %6, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.multiply %cst, %cst : tensor<f32>
      %7 = stablehlo.multiply %6, %cst : tensor<f32>
      mpmd.return %7, %7, %7 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %3 = mpmd.transfer %1#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%2#1, %3, %2#2, %2#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4x8xf32>
      %7 = stablehlo.tanh %arg5 : tensor<f32>
      %8 = stablehlo.multiply %arg4, %6 : tensor<4x8xf32>
      %9 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %7, %9, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %5 = mpmd.fragment<mesh="m3", origin=["layer_3", "layer_1"]> (%1#0) (%arg3: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %4#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN mpmd-remove-transfer-cycles
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg2: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:3 = mpmd.fragment<mesh="m1", origin=[]> (%arg1, %arg1, %arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>, %a3: tensor<8x4xf32>) {
      %b0 = stablehlo.subtract %a3, %a3 : tensor<8x4xf32>
      %b1 = stablehlo.subtract %a1, %a1 : tensor<8x4xf32>
      %b2 = stablehlo.tanh %a0 : tensor<8x4xf32>
      mpmd.return %b2, %a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v2 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["uniquify"]} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<f32>
      %b1 = stablehlo.subtract %b0, %b0 : tensor<f32>
      %b2 = stablehlo.multiply %b1, %b0 : tensor<f32>
      mpmd.return %b0 : tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>)
    %v3 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %v4:3 = mpmd.fragment<mesh="m2", origin=["layer_1", "layer_3"]> (%v3, %v3, %v3) (%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>) {
      %b0 = stablehlo.subtract %a1, %a2 : tensor<8x4xf32>
      mpmd.return %a0, %a1, %a2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    %v5 = mpmd.transfer %v1#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %v6 = mpmd.transfer %v2 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %v7 = mpmd.transfer %v4#2 : (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    return %v2 : !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<f32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg2: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}) -> !mpmd.mesh_tensor<"m3", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m1", origin=[]> (%arg1, %arg1, %arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<8x4xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>, %arg6: tensor<8x4xf32>) {
      %6 = stablehlo.subtract %arg6, %arg6 : tensor<8x4xf32>
      %7 = stablehlo.subtract %arg4, %arg4 : tensor<8x4xf32>
      %8 = stablehlo.tanh %arg3 : tensor<8x4xf32>
      mpmd.return %8, %arg3, %arg4 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %1 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["uniquify"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %6 = stablehlo.subtract %cst, %cst : tensor<f32>
      %7 = stablehlo.multiply %6, %cst : tensor<f32>
      mpmd.return %cst : tensor<f32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %2 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %3:3 = mpmd.fragment<mesh="m2", origin=["layer_1", "layer_3"]> (%2, %2, %2) (%arg3: tensor<8x4xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>) {
      %6 = stablehlo.subtract %arg4, %arg5 : tensor<8x4xf32>
      mpmd.return %arg3, %arg4, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    %4 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>
    %5 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    return %1 : !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
// -----
// RUN mpmd-remove-transfer-cycles
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %v2 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %b0 = stablehlo.constant dense<0.0> : tensor<4x8xf32>
      %b1 = stablehlo.tanh %b0 : tensor<4x8xf32>
      %b2 = stablehlo.add %b1, %b1 : tensor<4x8xf32>
      mpmd.return %b1 : tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %v3 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %v4:3 = mpmd.fragment<mesh="m3", origin=[]> (%arg1) {mpmd.inferred_by = ["extract_reshards"]} (%a0: tensor<8x4xf32>) {
      mpmd.return %a0, %a0, %a0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %v5 = mpmd.fragment<mesh="m2", origin=[]> (%arg0, %arg2, %arg2, %v1) {mpmd.inferred_by = ["extract_reshards"]} (%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
      %b0 = stablehlo.tanh %a2 : tensor<4x8xf32>
      mpmd.return %a0 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %v6 = mpmd.transfer %v5 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %v7:3 = mpmd.fragment<mesh="m1", origin=["head", "layer_3"], stage=1> (%v2) (%a0: tensor<4x8xf32>) {
      %b0 = stablehlo.add %a0, %a0 : tensor<4x8xf32>
      %b1 = stablehlo.subtract %a0, %b0 : tensor<4x8xf32>
      mpmd.return %a0, %a0, %b0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %v6, %v7#2 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.tanh %cst : tensor<4x8xf32>
      %6 = stablehlo.add %5, %5 : tensor<4x8xf32>
      mpmd.return %5 : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %1 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m3", origin=[]> (%arg1) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<8x4xf32>) {
      mpmd.return %arg3, %arg3, %arg3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>)
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%arg0, %arg2, %arg2, %arg0) {mpmd.inferred_by = ["extract_reshards"]} (%arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) {
      %5 = stablehlo.tanh %arg5 : tensor<4x8xf32>
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    %4:3 = mpmd.fragment<mesh="m1", origin=["head", "layer_3"], stage=1> (%0) (%arg3: tensor<4x8xf32>) {
      %5 = stablehlo.add %arg3, %arg3 : tensor<4x8xf32>
      %6 = stablehlo.subtract %arg3, %5 : tensor<4x8xf32>
      mpmd.return %arg3, %arg3, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %3, %4#2 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  }
}
