// RUN: sdy-opt %s --mpmd-move-transfers-to-producer | filecheck %s

!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>

// A transfer starts as soon as its operand is there.
// CHECK-LABEL: @main
// CHECK: %0 = mpmd.fragment<mesh="m1"
// CHECK: %1 = mpmd.transfer %0
// CHECK: %2 = mpmd.fragment<mesh="m2"
func.func public @main(%a: !m1, %c: !m2) -> (!m2, !m2) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%b: tensor<4xf32>) {
    %s = stablehlo.add %b, %b : tensor<4xf32>
    mpmd.return %s : tensor<4xf32>
  } : (!m1) -> !m1
  %1 = mpmd.fragment<mesh="m2", origin=["g"]> (%c) (%b: tensor<4xf32>) {
    %s = stablehlo.add %b, %b : tensor<4xf32>
    mpmd.return %s : tensor<4xf32>
  } : (!m2) -> !m2
  %2 = mpmd.transfer %0 : (!m1) -> !m2
  return %1, %2 : !m2, !m2
}
