// RUN: sdy-opt %s --mpmd-infer-mesh-populate-use-set | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// The argument is used where both sums are; a callee's sets come from its body and from its calls.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["g"], "m1"["f"]>}) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = stablehlo.abs %arg0 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %[[V0]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["g"]>, origin = "g"} %[[V2]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V3]] : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @f(%arg0: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["g"]>}) -> (tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["g"]>})
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = stablehlo.abs %arg0 {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["g"]>} : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t) -> !m2 attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  %1 = mpmd.assign {origin = "f"} %0 : (!t) -> !m1
  %2 = mpmd.call @f(%a) : (!t) -> !t
  %3 = mpmd.assign {origin = "g"} %2 : (!t) -> !m2
  return %3 : !m2
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  return %0 : !t
}
