// RUN: sdy-opt %s --mpmd-infer-mesh-assign-mesh-func-leaves | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// What is returned is assigned where it is, an unused argument to the first mesh, an effect gets a fragment.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["f"]>, origin = "f"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.assign {origin = "broadcast"} %[[V0]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.unassign %[[V1]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.broadcast %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = mpmd.assign %[[V0]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: mpmd.fragment<mesh="m2", origin=[]> (%[[V4]]) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: stablehlo.custom_call @effect(%arg2) {has_side_effect = true} : (tensor<4xf32>) -> ()
// CHECK-NEXT: mpmd.return
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> ()
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = mpmd.assign {origin = "inferred_out"} %[[V3]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: return %[[V5]] : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !m2, %b: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["f"]>, origin = "f"} %a : (!m2) -> !t
  %1 = mpmd.broadcast %0 : !t
  stablehlo.custom_call @effect(%0) {has_side_effect = true, mpmd.src_set = #mpmd.meshes_with_origins<"m2">} : (!t) -> ()
  return %1 : !t
}
