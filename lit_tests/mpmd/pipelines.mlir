// RUN: sdy-opt %s --mpmd-optimize-pipeline='pipeline-schedule=1F1B' | filecheck %s --check-prefix=ORDER
// RUN: sdy-opt %s --mpmd-optimize-pipeline='pipeline-schedule=1F1B' --mpmd-sharding-propagation-pipeline --mpmd-export-pipeline | filecheck %s --check-prefix=EXPORT

// Two microbatches go through two meshes and back: on the last one each backward pass follows its forward pass, and a
// value keeps its sharding on the way. Equal fragments share a function.
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4x8xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// ORDER:      mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 0 : ui32}
// ORDER:      mpmd.fragment<mesh="m1", origin=["f"]> (%arg1) {call_counter = 1 : ui32}
// ORDER:      mpmd.fragment<mesh="m2", origin=["g"]>{{.*}}call_counter = 0
// ORDER:      mpmd.fragment<mesh="m2", origin=["g"(1)]>{{.*}}call_counter = 0
// ORDER:      mpmd.fragment<mesh="m2", origin=["g"]>{{.*}}call_counter = 1
// ORDER:      mpmd.fragment<mesh="m2", origin=["g"(1)]>{{.*}}call_counter = 1

// EXPORT:     mpmd.transfer {{.*}} -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>, sharding=<@mesh, [{"x"}, {}]>>
// EXPORT:     func.func @p0_f_fwd_calls0to1.step(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// EXPORT-SAME: reserved_hbm_bytes = 64 : i64
// EXPORT:     func.func @p1_g_fwd_calls0to1.step({{.*}}tf.aliasing_output = 0 : i32
// EXPORT:     func.func @p2_g_bwd_calls0to1.step({{.*}}tf.aliasing_output = 0 : i32{{.*}}jax.buffer_donor = true
module @jit_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: !m1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: !m1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!m2, !m2) attributes {topology = #topology} {
    %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) {call_counter = 0 : ui32} (%x: !t) {
      %9 = stablehlo.tanh %x : !t
      mpmd.return %9 : !t
    } : (!m1) -> !m1
    %1 = mpmd.transfer %0 : (!m1) -> !m2
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%b) {call_counter = 1 : ui32} (%x: !t) {
      %9 = stablehlo.tanh %x : !t
      mpmd.return %9 : !t
    } : (!m1) -> !m1
    %3 = mpmd.transfer %2 : (!m1) -> !m2
    %4:2 = mpmd.fragment<mesh="m2", origin=["g"]> (%1) {call_counter = 0 : ui32} (%x: !t) {
      %9 = stablehlo.sine %x : !t
      %10 = stablehlo.reshape %x : (!t) -> tensor<32xf32>
      mpmd.return %9, %10 : !t, tensor<32xf32>
    } : (!m2) -> (!m2, !mpmd.mesh_tensor<"m2", tensor<32xf32>>)
    %5:2 = mpmd.fragment<mesh="m2", origin=["g"]> (%3) {call_counter = 1 : ui32} (%x: !t) {
      %9 = stablehlo.sine %x : !t
      %10 = stablehlo.reshape %x : (!t) -> tensor<32xf32>
      mpmd.return %9, %10 : !t, tensor<32xf32>
    } : (!m2) -> (!m2, !mpmd.mesh_tensor<"m2", tensor<32xf32>>)
    %6 = mpmd.fragment<mesh="m2", origin=["g"(1)]> (%4#0, %4#1) {call_counter = 0 : ui32} (%x: !t, %y: tensor<32xf32>) {
      %9 = stablehlo.reshape %y : (tensor<32xf32>) -> !t
      %10 = stablehlo.add %x, %9 : !t
      mpmd.return %10 : !t
    } : (!m2, !mpmd.mesh_tensor<"m2", tensor<32xf32>>) -> !m2
    %7 = mpmd.fragment<mesh="m2", origin=["g"(1)]> (%5#0, %5#1) {call_counter = 1 : ui32} (%x: !t, %y: tensor<32xf32>) {
      %9 = stablehlo.reshape %y : (tensor<32xf32>) -> !t
      %10 = stablehlo.add %x, %9 : !t
      mpmd.return %10 : !t
    } : (!m2, !mpmd.mesh_tensor<"m2", tensor<32xf32>>) -> !m2
    return %6, %7 : !m2, !m2
  }
}
