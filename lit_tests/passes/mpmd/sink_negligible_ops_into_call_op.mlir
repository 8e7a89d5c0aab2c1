// RUN: sdy-opt %s --mpmd-sink-negligible-ops-into-call-op | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// The constant that all calls pass is computed in the callee; the one of the last argument is not the same value.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.call @f(%arg0, %[[V0]]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.call @f(%[[V2]], %[[V1]]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.add %[[V0]], %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.add %[[V1]], %arg1 : tensor<4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %c = stablehlo.constant dense<1.0> : !t
  %d = stablehlo.constant dense<2.0> : !t
  %e = stablehlo.constant dense<2.0> : !t
  %0 = mpmd.call @f(%c, %a, %d) : (!t, !t, !t) -> !t
  %1 = mpmd.call @f(%c, %0, %e) : (!t, !t, !t) -> !t
  return %1 : !t
}
func.func private @f(%a: !t, %b: !t, %c: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b : !t
  %1 = stablehlo.add %0, %c : !t
  return %1 : !t
}
