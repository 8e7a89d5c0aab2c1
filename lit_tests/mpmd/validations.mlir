// RUN: sdy-opt %s --split-input-file --verify-diagnostics --mpmd-scheduling-units-verifier

!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>

// expected-warning @+1 {{has no fragments with call counters, so there is no pipeline}}
func.func public @no_microbatches(%a: !m1) -> !m1 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%b: tensor<4xf32>) {
    %s = stablehlo.add %b, %b : tensor<4xf32>
    mpmd.return %s : tensor<4xf32>
  } : (!m1) -> !m1
  return %0 : !m1
}

// -----

!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>

// expected-warning @+3 {{has 0 backward fragments on mesh m1 for 1 microbatches}}
// expected-warning @+2 {{has 0 forward fragments on mesh m2 for 1 microbatches}}
// expected-warning @+1 {{has 0 backward fragments on mesh m2 for 1 microbatches}}
func.func public @no_backward(%a: !m1) -> !m1 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) {call_counter = 0 : ui32} (%b: tensor<4xf32>) {
    %s = stablehlo.add %b, %b : tensor<4xf32>
    mpmd.return %s : tensor<4xf32>
  } : (!m1) -> !m1
  return %0 : !m1
}
