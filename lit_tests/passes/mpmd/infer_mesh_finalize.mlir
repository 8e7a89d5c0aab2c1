// RUN: sdy-opt %s --mpmd-infer-mesh-finalize | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// The argument is on the first of its meshes, and transferred to the other one; partial sums are, too.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=[]> (%arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.add %arg2, %arg3 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.transfer %[[V1]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %[[V3]]) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V2]] = stablehlo.add %arg2, %arg3 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: return %arg0, %[[V0]], %[[V4]] : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !t, %b: !m2) -> (!m1, !m2, !m1) attributes {topology = #topology} {
  %0 = mpmd.assign %a : (!t) -> !m1
  %1 = mpmd.assign %a : (!t) -> !m2
  %2 = mpmd.unassign %0 : (!m1) -> !t
  %3 = mpmd.unassign %b : (!m2) -> !t
  %4 = mpmd.reduce<add> %2, %3, %3 : (!t, !t, !t) -> !t
  %5 = mpmd.assign %4 : (!t) -> !m1
  return %0, %1, %5 : !m1, !m2, !m1
}
