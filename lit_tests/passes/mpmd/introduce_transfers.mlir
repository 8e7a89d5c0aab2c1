// RUN: sdy-opt %s --mpmd-introduce-transfers | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m10 = !mpmd.mesh_tensor<"m10", !t>
// From one mesh to the next, in the order of the numbers.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.transfer %[[V0]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
// CHECK-NEXT: return %[[V1]], %[[V0]], %arg0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @sum(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=[]> (%[[V0]], %arg1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.add %arg2, %arg3 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=[]> (%[[V1]], %arg1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V2]] = stablehlo.add %arg2, %arg3 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V3]] : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !m1) -> (!m10, !m2, !m1) attributes {topology = #topology} {
  %0 = mpmd.unassign %a : (!m1) -> !t
  %1 = mpmd.assign %0 : (!t) -> !m10
  %2 = mpmd.assign %0 : (!t) -> !m2
  %3 = mpmd.assign %0 : (!t) -> !m1
  return %1, %2, %3 : !m10, !m2, !m1
}

func.func @sum(%a: !m1, %b: !m2) -> !m2 attributes {topology = #topology} {
  %0 = mpmd.unassign %a : (!m1) -> !t
  %1 = mpmd.unassign %b : (!m2) -> !t
  %2 = stablehlo.add %0, %1 : !t
  %3 = stablehlo.add %2, %1 : !t
  %4 = mpmd.assign %3 : (!t) -> !m2
  return %4 : !m2
}
