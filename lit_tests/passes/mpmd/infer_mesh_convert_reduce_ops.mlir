// RUN: sdy-opt %s --mpmd-infer-mesh-convert-reduce-ops | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
// The sums that a reduction of the user's leads to are one; the other sum stays.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.reduce<add> %arg0, %arg1, %arg2 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.abs %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.reduce<none> %[[V1]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = stablehlo.add %arg0, %arg2 {mpmd.reduce = #mpmd.reduction<add>} : tensor<4xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t, %b: !t, %c: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b {mpmd.reduce = #mpmd.reduction<add>} : !t
  %1 = stablehlo.add %0, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  %2 = stablehlo.abs %1 : !t
  %3 = mpmd.reduce<none> %2 : (!t) -> !t
  %4 = stablehlo.add %a, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  return %3, %4 : !t, !t
}
