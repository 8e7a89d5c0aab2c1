// RUN: sdy-opt %s -mpmd-lower-to-fragment-calls='keep-call-counters=true' | filecheck %s
// RUN: sdy-opt %s -mpmd-lower-to-fragment-calls | filecheck %s --check-prefix=NOT

!on_m1 = !mpmd.mesh_tensor<"m1", tensor<8xf32>>

// Both fragments share a function whose name does not say of which microbatches it is; the calls do.
// CHECK: mpmd.fragment_call<mesh="m1", origin=["f"]> @[[F:.*]](%arg0) {call_counter = 5 : ui32}
// CHECK: mpmd.fragment_call<mesh="m1", origin=["f"]> @[[F]](%0) {call_counter = 2 : ui32}
// NOT-NOT: call_counter
func.func public @main(%arg0: !on_m1) -> !on_m1 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 5 : ui32} (%a: tensor<8xf32>) {
    %2 = stablehlo.tanh %a : tensor<8xf32>
    mpmd.return %2 : tensor<8xf32>
  } : (!on_m1) -> !on_m1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 2 : ui32} (%a: tensor<8xf32>) {
    %2 = stablehlo.tanh %a : tensor<8xf32>
    mpmd.return %2 : tensor<8xf32>
  } : (!on_m1) -> !on_m1
  return %1 : !on_m1
}
