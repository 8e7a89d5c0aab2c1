// RUN mpmd-mark-aliasing-and-donation
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
    %2:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {arg_attrs = [{}, {jax.buffer_donor = true}, {}], call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
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
    %5:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%4, %4, %3) {arg_attrs = [{}, {tf.aliasing_output = 0 : i32}, {}], call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      %7 = stablehlo.tanh %arg7 : tensor<8x4xf32>
      %8 = stablehlo.multiply %arg7, %arg7 : tensor<8x4xf32>
      %9 = stablehlo.subtract %7, %8 : tensor<8x4xf32>
      mpmd.return %arg6, %arg6 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %6 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %2#2, %5#0, %5#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-mark-aliasing-and-donation
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
    %0:2 = mpmd.fragment<mesh="m2", origin=["embed"]> (%arg1) {arg_attrs = [{jax.buffer_donor = true}], call_counter = 1 : ui32} (%arg3: tensor<4x8xf32>) {
      %7 = stablehlo.multiply %arg3, %arg3 : tensor<4x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %1:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %8 = stablehlo.subtract %7, %cst : tensor<4x8xf32>
      %9 = stablehlo.tanh %8 : tensor<4x8xf32>
      mpmd.return %9, %7, %8 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.multiply %cst, %cst : tensor<f32>
      %8 = stablehlo.multiply %7, %cst : tensor<f32>
      mpmd.return %8, %8, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4 = mpmd.transfer %1#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %5:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%3#1, %4, %3#2, %3#2) {arg_attrs = [{tf.aliasing_output = 0 : i32}, {jax.buffer_donor = true}, {}, {tf.aliasing_output = 1 : i32}], call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %7 = stablehlo.add %arg4, %arg4 : tensor<4x8xf32>
      %8 = stablehlo.tanh %arg5 : tensor<f32>
      %9 = stablehlo.multiply %arg4, %7 : tensor<4x8xf32>
      %10 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %8, %10, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %6 = mpmd.fragment<mesh="m3", origin=["layer_3", "layer_1"]> (%2) {arg_attrs = [{tf.aliasing_output = 0 : i32}]} (%arg3: tensor<4x8xf32>) {
      mpmd.return %arg3 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %5#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN mpmd-mark-aliasing-and-donation
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:3 = mpmd.fragment<mesh="m3", origin=["layer_2", "embed"], stage=2> () {call_counter = 1 : ui32} () {
      %b0 = stablehlo.constant dense<2.0> : tensor<f32>
      %b1 = stablehlo.add %b0, %b0 : tensor<f32>
      %b2 = stablehlo.multiply %b1, %b1 : tensor<f32>
      %b3 = stablehlo.add %b1, %b2 : tensor<f32>
      mpmd.return %b1, %b1, %b1 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %v2 = mpmd.transfer %v1#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %v3:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
      %b0 = stablehlo.multiply %a1, %a3 : tensor<4x8xf32>
      %b1 = stablehlo.multiply %b0, %b0 : tensor<4x8xf32>
      %b2 = stablehlo.multiply %a3, %a3 : tensor<4x8xf32>
      mpmd.return %b1, %b0, %b1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %v4:3 = mpmd.fragment<mesh="m3", origin=["layer_3", "head"]> (%v1#1) (%a0: tensor<f32>) {
      %b0 = stablehlo.subtract %a0, %a0 : tensor<f32>
      %b1 = stablehlo.tanh %b0 : tensor<f32>
      %b2 = stablehlo.multiply %b1, %a0 : tensor<f32>
      %b3 = stablehlo.add %b0, %a0 : tensor<f32>
      mpmd.return %a0, %b1, %b3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %v5 = mpmd.transfer %v3#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v6 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)]> (%arg0) {call_counter = 2 : ui32} (%a0: tensor<4x8xf32>) {
      mpmd.return %a0 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    %v7 = mpmd.fragment<mesh="m1", origin=["layer_3"], stage=0> () () {
      %b0 = stablehlo.constant dense<1.0> : tensor<4x8xf32>
      mpmd.return %b0 : tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>)
    return %v5 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m3", origin=["layer_2", "embed"], stage=2> () {call_counter = 1 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.add %cst, %cst : tensor<f32>
      %8 = stablehlo.multiply %7, %7 : tensor<f32>
      %9 = stablehlo.add %7, %8 : tensor<f32>
      mpmd.return %7, %7, %7 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %7 = stablehlo.multiply %arg3, %arg5 : tensor<4x8xf32>
      %8 = stablehlo.multiply %7, %7 : tensor<4x8xf32>
      %9 = stablehlo.multiply %arg5, %arg5 : tensor<4x8xf32>
      mpmd.return %8, %7, %8 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %3:3 = mpmd.fragment<mesh="m3", origin=["layer_3", "head"]> (%0#1) {arg_attrs = [{tf.aliasing_output = 0 : i32}]} (%arg2: tensor<f32>) {
      %7 = stablehlo.subtract %arg2, %arg2 : tensor<f32>
      %8 = stablehlo.tanh %7 : tensor<f32>
      %9 = stablehlo.multiply %8, %arg2 : tensor<f32>
      %10 = stablehlo.add %7, %arg2 : tensor<f32>
      mpmd.return %arg2, %8, %10 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %4 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)]> (%arg0) {call_counter = 2 : ui32} (%arg2: tensor<4x8xf32>) {
      mpmd.return %arg2 : tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %6 = mpmd.fragment<mesh="m1", origin=["layer_3"], stage=0> () () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    return %4 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-mark-aliasing-and-donation
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %5:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %4) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %6:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg4, %arg1, %1, %2#1) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %cst, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst_1 : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_2, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg9, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %cst_0, %22 : tensor<16x16xf32>
      mpmd.return %15, %21, %23 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %7 = mpmd.transfer %6#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %8 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %7) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst_0, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %cst, %15 : tensor<16x16xf32>
      mpmd.return %16 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%5#0, %arg5, %6#0, %arg1, %4, %5#1, %6#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %arg8, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_0, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg10, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %arg12, %22 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %cst_2 : tensor<16x16xf32>
      %25 = stablehlo.subtract %arg9, %24 : tensor<16x16xf32>
      mpmd.return %15, %21, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %10 = mpmd.transfer %9#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %11 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %3#1, %10, %8, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %arg9, %15 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %17 = stablehlo.multiply %16, %cst_0 : tensor<16x16xf32>
      %18 = stablehlo.subtract %arg10, %17 : tensor<16x16xf32>
      mpmd.return %18 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %9#0, %11, %9#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// ==>
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %5:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %4) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %6:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg4, %arg1, %1, %2#1) {arg_attrs = [{tf.aliasing_output = 1 : i32}, {}, {}, {jax.buffer_donor = true}, {jax.buffer_donor = true}], call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %cst, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst_1 : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_2, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg9, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %cst_0, %22 : tensor<16x16xf32>
      mpmd.return %15, %21, %23 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %7 = mpmd.transfer %6#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %8 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %7) {arg_attrs = [{}, {jax.buffer_donor = true}, {jax.buffer_donor = true}], call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst_0, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %cst, %15 : tensor<16x16xf32>
      mpmd.return %16 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%5#0, %arg5, %6#0, %arg1, %4, %5#1, %6#2) {arg_attrs = [{tf.aliasing_output = 1 : i32}, {}, {tf.aliasing_output = 0 : i32}, {jax.buffer_donor = true}, {jax.buffer_donor = true}, {jax.buffer_donor = true}, {tf.aliasing_output = 2 : i32}], call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %arg8, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_0, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg10, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %arg12, %22 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %cst_2 : tensor<16x16xf32>
      %25 = stablehlo.subtract %arg9, %24 : tensor<16x16xf32>
      mpmd.return %15, %21, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %10 = mpmd.transfer %9#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %11 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %3#1, %10, %8, %arg0) {arg_attrs = [{}, {jax.buffer_donor = true}, {jax.buffer_donor = true}, {tf.aliasing_output = 0 : i32}, {jax.buffer_donor = true}], call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %arg9, %15 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %17 = stablehlo.multiply %16, %cst_0 : tensor<16x16xf32>
      %18 = stablehlo.subtract %arg10, %17 : tensor<16x16xf32>
      mpmd.return %18 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %9#0, %11, %9#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
