// RUN: sdy-opt %s --mpmd-inline-nested-user-exposed-ops='assignment=f@m1,block_1@m3,x@m2' --mpmd-map-named-ops-to-mpmd-ops='assignment=f@m1,block_1@m3,x@m2' --split-input-file --verify-diagnostics

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @not_assigned(%a: !t) -> !t attributes {topology = #topology} {
  // expected-error @+1 {{top-level 'block_2' is not assigned to a mesh, did you mean 'block_1'?}}
  %0 = mpmd.named_computation<"block_2"> (%a) (%b: !t) {
    mpmd.return %b : !t
  } : (!t) -> !t
  return %0 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @no_such_mesh(%a: !t) -> !t attributes {topology = #topology} {
  // expected-error @+1 {{'block_1': mesh 'm3' is not in the topology, which has 'm1', 'm2'}}
  %0 = mpmd.named_computation<"block_1"> (%a) (%b: !t) {
    mpmd.return %b : !t
  } : (!t) -> !t
  return %0 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @on_another_mesh(%a: !t) -> !t attributes {topology = #topology} {
  // expected-note @+1 {{'f' is assigned to mesh 'm1'}}
  %0 = mpmd.named_computation<"f"> (%a) (%b: !t) {
    // expected-error @+1 {{'x' is assigned to mesh 'm2', and nested in 'f' on another one}}
    %1 = mpmd.named_tensor %b name="x" : !t
    mpmd.return %1 : !t
  } : (!t) -> !t
  return %0 : !t
}
