// RUN: sdy-opt %s --mpmd-unroll-for-loops --split-input-file --verify-diagnostics

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @partly(%a: !t) -> !t attributes {topology = #topology} {
  // expected-error @+1 {{can only be unrolled as a whole: its unroll factor is 2, not 4}}
  %0 = mpmd.for (%a) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%b: !t, %index: tensor<ui32>) {
    mpmd.return %b : !t
  } : !t
  return %0 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @nested(%a: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.for (%a) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%b: !t, %index: tensor<ui32>) {
    // expected-error @+1 {{is in a loop, and nested loops are not supported}}
    %1 = mpmd.for (%b) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%c: !t, %i: tensor<ui32>) {
      mpmd.return %c : !t
    } : !t
    mpmd.return %1 : !t
  } : !t
  return %0 : !t
}
