// RUN mpmd-delay-transfers-from-cpu
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host"> {tf.aliasing_output = 2 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1:3 = mpmd.fragment<mesh="m2", origin=["head"]> () {call_counter = 1 : ui32} () {
      %b0 = stablehlo.constant dense<2.0> : tensor<f32>
      %b1 = stablehlo.tanh %b0 : tensor<f32>
      %b2 = stablehlo.constant dense<2.0> : tensor<8x4xf32>
      %b3 = stablehlo.add %b2, %b2 : tensor<8x4xf32>
      mpmd.return %b0, %b1, %b2 : tensor<f32>, tensor<f32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    %v2 = mpmd.transfer %v1#1 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">
    %v3 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %v4:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%arg0, %arg0, %arg0) {call_counter = 2 : ui32} (%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>) {
      %b0 = stablehlo.tanh %a2 : tensor<8x4xf32>
      %b1 = stablehlo.subtract %a1, %a0 : tensor<8x4xf32>
      %b2 = stablehlo.multiply %b0, %b0 : tensor<8x4xf32>
      mpmd.return %b1, %a1, %b0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v5 = mpmd.transfer %v2 : (!mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %v6 = mpmd.transfer %v4#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">
    %v7 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)]> (%v4#1, %v5, %v5, %v4#2) {call_counter = 1 : ui32} (%a0: tensor<8x4xf32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<8x4xf32>) {
      %b0 = stablehlo.constant dense<1.0> : tensor<4x8xf32>
      mpmd.return %a1 : tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %v6, %v3, %v4#2 : !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host"> {tf.aliasing_output = 2 : i32}, %arg1: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m3", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment<mesh="m2", origin=["head"]> () {call_counter = 1 : ui32} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.tanh %cst : tensor<f32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<8x4xf32>
      %8 = stablehlo.add %cst_0, %cst_0 : tensor<8x4xf32>
      mpmd.return %cst, %7, %cst_0 : tensor<f32>, tensor<f32>, tensor<8x4xf32>
    } : () -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>)
    %1 = mpmd.transfer %0#1 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">
    %2 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %3:3 = mpmd.fragment<mesh="m1", origin=["embed"]> (%arg0, %arg0, %arg0) {call_counter = 2 : ui32} (%arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>, %arg6: tensor<8x4xf32>) {
      %7 = stablehlo.tanh %arg6 : tensor<8x4xf32>
      %8 = stablehlo.subtract %arg5, %arg4 : tensor<8x4xf32>
      %9 = stablehlo.multiply %7, %7 : tensor<8x4xf32>
      mpmd.return %8, %arg5, %7 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %4 = mpmd.transfer %3#2 : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">
    %5 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %6 = mpmd.fragment<mesh="m1", origin=["layer_1"(1)]> (%3#1, %5, %5, %3#2) {call_counter = 1 : ui32} (%arg4: tensor<8x4xf32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<8x4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
      mpmd.return %arg5 : tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    return %4, %2, %3#2 : !mpmd.mesh_tensor<"m2", tensor<8x4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  }
}
// -----
// RUN mpmd-delay-transfers-from-cpu
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.transfer %arg1 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %v2:2 = mpmd.fragment<mesh="m2", origin=["head"(1)]> (%v1, %arg2, %arg3, %arg1) {call_counter = 1 : ui32} (%a0: tensor<f32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>, %a3: tensor<f32>) {
      %b0 = stablehlo.multiply %a1, %a2 : tensor<8x4xf32>
      %b1 = stablehlo.subtract %a2, %a1 : tensor<8x4xf32>
      %b2 = stablehlo.subtract %a0, %a3 : tensor<f32>
      %b3 = stablehlo.subtract %b1, %a1 : tensor<8x4xf32>
      mpmd.return %b1, %a3 : tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %v3:3 = mpmd.fragment<mesh="m3", origin=["layer_2"]> () {call_counter = 2 : ui32} () {
      %b0 = stablehlo.constant dense<3.0> : tensor<8x4xf32>
      %b1 = stablehlo.constant dense<2.0> : tensor<f32>
      %b2 = stablehlo.subtract %b1, %b1 : tensor<f32>
      %b3 = stablehlo.add %b1, %b2 : tensor<f32>
      mpmd.return %b3, %b2, %b1 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %v4 = mpmd.transfer %v2#0 : (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">
    %v5:2 = mpmd.fragment<mesh="m1", origin=["embed", "head"]> (%v4) {call_counter = 2 : ui32} (%a0: tensor<8x4xf32>) {
      %b0 = stablehlo.multiply %a0, %a0 : tensor<8x4xf32>
      mpmd.return %b0, %a0 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %v6 = mpmd.transfer %v3#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">
    %v7 = mpmd.fragment<mesh="m1", origin=["layer_2", "layer_3"]> () {call_counter = 0 : ui32} () {
      %b0 = stablehlo.constant dense<1.0> : tensor<f32>
      mpmd.return %b0 : tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %v3#1 : !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {tf.aliasing_output = 0 : i32}, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer %arg1 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
    %1:2 = mpmd.fragment<mesh="m2", origin=["head"(1)]> (%0, %arg2, %arg3, %arg1) {call_counter = 1 : ui32} (%arg5: tensor<f32>, %arg6: tensor<8x4xf32>, %arg7: tensor<8x4xf32>, %arg8: tensor<f32>) {
      %7 = stablehlo.multiply %arg6, %arg7 : tensor<8x4xf32>
      %8 = stablehlo.subtract %arg7, %arg6 : tensor<8x4xf32>
      %9 = stablehlo.subtract %arg5, %arg8 : tensor<f32>
      %10 = stablehlo.subtract %8, %arg6 : tensor<8x4xf32>
      mpmd.return %8, %arg8 : tensor<8x4xf32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %2:3 = mpmd.fragment<mesh="m3", origin=["layer_2"]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.subtract %cst_0, %cst_0 : tensor<f32>
      %8 = stablehlo.add %cst_0, %7 : tensor<f32>
      mpmd.return %8, %7, %cst_0 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %3 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">
    %4:2 = mpmd.fragment<mesh="m1", origin=["embed", "head"]> (%3) {call_counter = 2 : ui32} (%arg5: tensor<8x4xf32>) {
      %7 = stablehlo.multiply %arg5, %arg5 : tensor<8x4xf32>
      mpmd.return %7, %arg5 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>, memory_kind="pinned_host">) -> (!mpmd.mesh_tensor<"m1", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>)
    %5 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>, memory_kind="pinned_host">
    %6 = mpmd.fragment<mesh="m1", origin=["layer_2", "layer_3"]> () {call_counter = 0 : ui32} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      mpmd.return %cst : tensor<f32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    return %2#1 : !mpmd.mesh_tensor<"m3", tensor<f32>>
  }
}
// -----
// RUN mpmd-delay-transfers-from-cpu
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {tf.aliasing_output = 1 : i32}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {tf.aliasing_output = 0 : i32}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %v1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v2:2 = mpmd.fragment<mesh="m2", origin=["layer_1", "layer_3"], stage=0> (%arg1, %arg2, %arg2) (%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>) {
      mpmd.return %a2, %a0 : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %v3:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %b0 = stablehlo.constant dense<3.0> : tensor<4x8xf32>
      %b1 = stablehlo.subtract %b0, %b0 : tensor<4x8xf32>
      %b2 = stablehlo.subtract %b1, %b0 : tensor<4x8xf32>
      %b3 = stablehlo.tanh %b2 : tensor<4x8xf32>
      mpmd.return %b3, %b1, %b2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %v4 = mpmd.transfer %v3#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">
    %v5:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %b0 = stablehlo.constant dense<0.0> : tensor<f32>
      %b1 = stablehlo.multiply %b0, %b0 : tensor<f32>
      %b2 = stablehlo.multiply %b1, %b0 : tensor<f32>
      mpmd.return %b2, %b2, %b2 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %v6 = mpmd.transfer %v3#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %v7:3 = mpmd.fragment<mesh="m1", origin=[]> (%v5#2, %v5#0, %v5#1, %v5#2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>) {
      %b0 = stablehlo.tanh %a2 : tensor<f32>
      %b1 = stablehlo.multiply %b0, %a0 : tensor<f32>
      mpmd.return %b0, %a1, %b0 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %v7#1, %v4 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">
  }
}
// ==>
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {tf.aliasing_output = 1 : i32}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {tf.aliasing_output = 0 : i32}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %1:2 = mpmd.fragment<mesh="m2", origin=["layer_1", "layer_3"], stage=0> (%arg1, %arg2, %arg2) (%arg3: tensor<4x8xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>) {
      mpmd.return %arg5, %arg3 : tensor<8x4xf32>, tensor<4x8xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %2:3 = mpmd.fragment<mesh="m3", origin=["embed"], stage=0> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
      %7 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
      %8 = stablehlo.subtract %7, %cst : tensor<4x8xf32>
      %9 = stablehlo.tanh %8 : tensor<4x8xf32>
      mpmd.return %9, %7, %8 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %3 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">
    %4:3 = mpmd.fragment<mesh="m1", origin=["head"(1)]> () {call_counter = 2 : ui32} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.multiply %cst, %cst : tensor<f32>
      %8 = stablehlo.multiply %7, %cst : tensor<f32>
      mpmd.return %8, %8, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    } : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %5 = mpmd.transfer %2#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %6:3 = mpmd.fragment<mesh="m1", origin=[]> (%4#2, %4#0, %4#1, %4#2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>) {
      %7 = stablehlo.tanh %arg5 : tensor<f32>
      %8 = stablehlo.multiply %7, %arg3 : tensor<f32>
      mpmd.return %7, %arg4, %7 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    return %6#1, %3 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>, memory_kind="device">
  }
}
