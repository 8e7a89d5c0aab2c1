// RUN: sdy-opt %s --mpmd-infer-mesh-rewrite-using-analysis | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// The first op goes into the fragment, the second one into one of its own, which takes what it needs.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=[]> (%[[V0]]) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>) {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.negate %arg1 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.unassign %[[V1]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"]> (%[[V4]]) (%arg1: tensor<4xf32>) {
// CHECK-NEXT: %[[V2]] = stablehlo.abs %arg1 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = mpmd.assign %[[V3]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V5]], %[[V6]] : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !t) -> (!m1, !m2) attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  %1 = stablehlo.negate %a : !t
  %2 = mpmd.assign %0 : (!t) -> !m1
  %3 = mpmd.fragment<mesh="m1", origin=["f"]> (%2) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %4 = mpmd.assign %1 : (!t) -> !m2
  return %3, %4 : !m1, !m2
}
