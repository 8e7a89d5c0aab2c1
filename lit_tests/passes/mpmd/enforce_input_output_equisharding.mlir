// RUN: sdy-opt %s --mpmd-enforce-input-output-equisharding='constraints=0:1' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// The second output is on another mesh than the first input: it is transferred there.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.abs %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.transfer %[[V0]] : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.transfer %[[V2]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: return %[[V0]], %[[V3]], %arg1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !m1, %b: !m2) -> (!m1, !m2, !m2) attributes {topology = #topology} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %1 = stablehlo.abs %x : !t
    mpmd.return %1 : !t
  } : (!m1) -> !m1
  %2 = mpmd.transfer %0 : (!m1) -> !m2
  return %0, %2, %b : !m1, !m2, !m2
}
