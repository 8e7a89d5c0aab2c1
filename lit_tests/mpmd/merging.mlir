// RUN: sdy-opt %s --split-input-file --mpmd-merge-inferred-fragments --mpmd-fragment-dce | filecheck %s

// An inferred fragment goes into the fragment that uses it; a transfer that nobody uses goes.
// CHECK-LABEL: func.func @inferred
// CHECK-NEXT:  %[[F:.*]] = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%[[X:.*]]: tensor<4xf32>) {
// CHECK-NEXT:    %[[T:.*]] = stablehlo.tanh %[[X]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.sine %[[T]]
// CHECK-NEXT:    mpmd.return %[[S]]
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[F]]
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @inferred(%a: !m1) -> !m1 attributes {topology = #topology} {
  %0 = mpmd.fragment<mesh="m1", origin=[]> (%a) {mpmd.inferred_by = ["uniquify"]} (%x: !t) {
    %9 = stablehlo.tanh %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !m1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%x: !t) {
    %9 = stablehlo.sine %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !m1
  %2 = mpmd.transfer %1 : (!m1) -> !m2
  return %1 : !m1
}

// -----

// Fragments of users stay apart, and so do halves of a split backward pass.
// CHECK-LABEL: func.func @apart
// CHECK:       mpmd.fragment<mesh="m1", origin=["f"]>
// CHECK:       mpmd.fragment<mesh="m1", origin=["g"]>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @apart(%a: !m1) -> !m1 attributes {topology = #topology} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %9 = stablehlo.tanh %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !m1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) (%x: !t) {
    %9 = stablehlo.sine %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !m1
  return %1 : !m1
}
