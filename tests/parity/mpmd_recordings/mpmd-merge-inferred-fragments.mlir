// RUN mpmd-merge-inferred-fragments
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
    %0 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %1:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.add %cst_0, %cst_0 : tensor<4x8xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m3", origin=["embed"]> (%2) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %5 = stablehlo.tanh %cst_0 : tensor<8x4xf32>
      %6 = stablehlo.multiply %cst_0, %cst_0 : tensor<8x4xf32>
      %7 = stablehlo.subtract %5, %6 : tensor<8x4xf32>
      mpmd.return %cst_0, %arg5, %arg5 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %1#2, %3#1, %3#2 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN mpmd-merge-inferred-fragments
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
    %0:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %6 = stablehlo.subtract %5, %cst : tensor<4x8xf32>
      %7 = stablehlo.tanh %6 : tensor<4x8xf32>
      mpmd.return %7, %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.multiply %cst, %cst : tensor<f32>
      %6 = stablehlo.multiply %5, %cst : tensor<f32>
      mpmd.return %6, %6, %6 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %3 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%2#1, %3, %2#2, %2#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %5 = stablehlo.add %arg4, %arg4 : tensor<4x8xf32>
      %6 = stablehlo.tanh %arg5 : tensor<f32>
      %7 = stablehlo.multiply %arg4, %5 : tensor<4x8xf32>
      %8 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %6, %8, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %4#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN mpmd-merge-inferred-fragments
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
      %4 = stablehlo.add %cst, %cst : tensor<f32>
      %5 = stablehlo.multiply %4, %4 : tensor<f32>
      %6 = stablehlo.add %4, %5 : tensor<f32>
      mpmd.return %4, %4, %4 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %4 = stablehlo.multiply %arg3, %arg5 : tensor<4x8xf32>
      %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
      %6 = stablehlo.multiply %arg5, %arg5 : tensor<4x8xf32>
      mpmd.return %5, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %3 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %3 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-any-consumer=true}'
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
    %0 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %1:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.add %cst_0, %cst_0 : tensor<4x8xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst : tensor<4x8xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment<mesh="m3", origin=["embed"]> (%2) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %5 = stablehlo.tanh %cst_0 : tensor<8x4xf32>
      %6 = stablehlo.multiply %cst_0, %cst_0 : tensor<8x4xf32>
      %7 = stablehlo.subtract %5, %6 : tensor<8x4xf32>
      mpmd.return %cst_0, %arg5, %arg5 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %1#2, %3#1, %3#2 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-any-consumer=true}'
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
    %0:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %6 = stablehlo.subtract %5, %cst : tensor<4x8xf32>
      %7 = stablehlo.tanh %6 : tensor<4x8xf32>
      mpmd.return %7, %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.multiply %cst, %cst : tensor<f32>
      %6 = stablehlo.multiply %5, %cst : tensor<f32>
      mpmd.return %6, %6, %6 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %3 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%2#1, %3, %2#2, %2#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %5 = stablehlo.add %arg4, %arg4 : tensor<4x8xf32>
      %6 = stablehlo.tanh %arg5 : tensor<f32>
      %7 = stablehlo.multiply %arg4, %5 : tensor<4x8xf32>
      %8 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %6, %8, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %4#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-any-consumer=true}'
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
      %4 = stablehlo.add %cst, %cst : tensor<f32>
      %5 = stablehlo.multiply %4, %4 : tensor<f32>
      %6 = stablehlo.add %4, %5 : tensor<f32>
      mpmd.return %4, %4, %4 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %4 = stablehlo.multiply %arg3, %arg5 : tensor<4x8xf32>
      %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
      %6 = stablehlo.multiply %arg5, %arg5 : tensor<4x8xf32>
      mpmd.return %5, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %3 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %3 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-sideways=true}'
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
    %0 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %1:3 = mpmd.fragment<mesh="m2", origin=["layer_1"(1)]> (%arg4, %arg2, %arg0) {call_counter = 2 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<4x8xf32>) {
      mpmd.return %arg6, %arg6, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2:2 = mpmd.fragment<mesh="m3", origin=["embed"(1)]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.add %cst_2, %cst_2 : tensor<4x8xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %cst_0, %cst_1 : tensor<8x4xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %3:2 = mpmd.fragment<mesh="m3", origin=["embed"]> (%2#1, %2#1, %2#0) {call_counter = 1 : ui32} (%arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>) {
      %5 = stablehlo.tanh %arg7 : tensor<8x4xf32>
      %6 = stablehlo.multiply %arg7, %arg7 : tensor<8x4xf32>
      %7 = stablehlo.subtract %5, %6 : tensor<8x4xf32>
      mpmd.return %arg6, %arg6 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %4 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %1#2, %3#0, %3#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-sideways=true}'
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
    %0:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %5 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %6 = stablehlo.subtract %5, %cst : tensor<4x8xf32>
      %7 = stablehlo.tanh %6 : tensor<4x8xf32>
      mpmd.return %7, %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %2:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.multiply %cst, %cst : tensor<f32>
      %6 = stablehlo.multiply %5, %cst : tensor<f32>
      mpmd.return %6, %6, %6 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %3 = mpmd.transfer %0#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %4:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%2#1, %3, %2#2, %2#2) {call_counter = 2 : ui32} (%arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %5 = stablehlo.add %arg4, %arg4 : tensor<4x8xf32>
      %6 = stablehlo.tanh %arg5 : tensor<f32>
      %7 = stablehlo.multiply %arg4, %5 : tensor<4x8xf32>
      %8 = stablehlo.add %arg6, %arg6 : tensor<f32>
      mpmd.return %6, %8, %arg3 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %4#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
}
// -----
// RUN 'mpmd-merge-inferred-fragments{merge-sideways=true}'
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
      %4 = stablehlo.add %cst, %cst : tensor<f32>
      %5 = stablehlo.multiply %4, %4 : tensor<f32>
      %6 = stablehlo.add %4, %5 : tensor<f32>
      mpmd.return %4, %4, %4 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:3 = mpmd.fragment<mesh="m2", origin=["head"], stage=1> (%arg1, %arg1, %arg1, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>) {
      %4 = stablehlo.multiply %arg3, %arg5 : tensor<4x8xf32>
      %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
      %6 = stablehlo.multiply %arg5, %arg5 : tensor<4x8xf32>
      mpmd.return %5, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %3 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %3 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
}
