// RUN: sdy-opt %s --mpmd-unroll-for-loops | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// The counter goes on in the second loop; the index starts at 0.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<ui32>) -> (tensor<4xf32>, tensor<ui32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = stablehlo.constant {unroll_counter = 0 : ui32} dense<0> : tensor<ui32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.add %arg0, %arg0 {unroll_counter = 0 : ui32} : tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.constant {unroll_counter = 1 : ui32} dense<1> : tensor<ui32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = stablehlo.add %[[V1]], %arg0 {unroll_counter = 1 : ui32} : tensor<4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = stablehlo.constant {unroll_counter = 2 : ui32} dense<0> : tensor<ui32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = stablehlo.add %arg1, %[[V4]] {unroll_counter = 2 : ui32} : tensor<ui32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = stablehlo.constant {unroll_counter = 3 : ui32} dense<1> : tensor<ui32>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = stablehlo.add %[[V5]], %[[V6]] {unroll_counter = 3 : ui32} : tensor<ui32>
// CHECK-NEXT: return %[[V3]], %[[V7]] : tensor<4xf32>, tensor<ui32>
// CHECK-NEXT: }
func.func @main(%a: !t, %b: tensor<ui32>) -> (!t, tensor<ui32>) attributes {topology = #topology} {
  %0 = mpmd.for (%a) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%c: !t, %index: tensor<ui32>) {
    %1 = stablehlo.add %c, %a : !t
    mpmd.return %1 : !t
  } : !t
  %2 = mpmd.for (%b) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%c: tensor<ui32>, %index: tensor<ui32>) {
    %1 = stablehlo.add %c, %index : tensor<ui32>
    mpmd.return %1 : tensor<ui32>
  } : tensor<ui32>
  return %0, %2 : !t, tensor<ui32>
}
