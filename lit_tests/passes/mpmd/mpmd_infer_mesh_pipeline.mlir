// RUN: sdy-opt %s --mpmd-infer-mesh-pipeline='infer-transfers=true' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// Everything is in a fragment afterwards: the callee gives its result on both meshes that use it.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]]:2 = mpmd.call @f(%arg0, %[[V0]]) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"]> (%[[V1]]#1) (%arg1: tensor<4xf32>) {
// CHECK-NEXT: mpmd.return %arg1 : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=["g"]> (%[[V1]]#0) (%arg1: tensor<4xf32>) {
// CHECK-NEXT: mpmd.return %arg1 : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = mpmd.transfer %[[V3]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=[]> (%[[V2]], %[[V4]]) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = stablehlo.subtract %arg1, %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V6]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: return %[[V2]], %[[V5]] : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @f(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 1>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>> {mpmd.copies = array<i64: 1>}, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.abs %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1]] = stablehlo.abs %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V2]], %[[V0]] : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = mpmd.call @f(%a) {call_counter = 0 : ui32} : (!t) -> !t
  %1 = mpmd.assign {origin = "f"} %0 : (!t) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %3 = mpmd.unassign {origin = "f"} %2 : (!m1) -> !t
  %4 = mpmd.assign {origin = "g"} %0 : (!t) -> !m2
  %5 = mpmd.fragment<mesh="m2", origin=["g"]> (%4) (%b: !t) {
    mpmd.return %b : !t
  } : (!m2) -> !m2
  %6 = mpmd.unassign {origin = "g"} %5 : (!m2) -> !t
  %7 = stablehlo.subtract %3, %6 : !t
  return %3, %7 : !t, !t
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  return %0 : !t
}
