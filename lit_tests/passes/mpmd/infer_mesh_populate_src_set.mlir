// RUN: sdy-opt %s --mpmd-infer-mesh-populate-src-set | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// A product of values of different meshes can be nowhere, a sum is annotated, a constant can be anywhere.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["g"]>, origin = "g"} %arg1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = stablehlo.subtract %[[V0]], %[[V1]] {mpmd.src_set = #mpmd.meshes_with_origins<>} : tensor<4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = stablehlo.add %[[V0]], %[[V1]] {mpmd.reduce = #mpmd.reduction<add>, mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"], "m2"["g"]>} : tensor<4xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = stablehlo.subtract %[[V0]], %[[V2]] {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>
// CHECK-NEXT: return %[[V3]], %[[V4]], %[[V5]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !m1, %b: !m2) -> (!t, !t, !t) attributes {topology = #topology} {
  %0 = mpmd.unassign {origin = "f"} %a : (!m1) -> !t
  %1 = mpmd.unassign {origin = "g"} %b : (!m2) -> !t
  %2 = stablehlo.constant dense<1.0> : !t
  %3 = stablehlo.subtract %0, %1 : !t
  %4 = stablehlo.add %0, %1 : !t
  %5 = stablehlo.subtract %0, %2 : !t
  return %3, %4, %5 : !t, !t, !t
}
