// RUN: sdy-opt %s --sdy-constant-or-scalar-merger | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// Of equal constants the first stays, whatever op made them.
// CHECK-LABEL: func.func @equal_constants(
func.func @equal_constants() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]], %[[V0]], %[[V0]] : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  %1 = sdy.constant dense<1.0> : tensor<8xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Constants that differ in value, type or sharding stay apart.
// CHECK-LABEL: func.func @different_constants(
func.func @different_constants() -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  %1 = sdy.constant dense<2.0> : tensor<8xf32>
  %2 = sdy.constant dense<1.0> : tensor<4xf32>
  %3 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
}

// Broadcasts of one scalar are merged, also where the scalars become one only now; broadcasts of others are not.
// CHECK-LABEL: func.func @broadcasts(
func.func @broadcasts(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.broadcast_in_dim %[[V0]], dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[V1]], %[[V1]], %[[V2]], %[[V3]] : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  %0 = sdy.constant dense<1.0> : tensor<f32>
  %1 = sdy.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  return %2, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// Constants of a region are merged among themselves only.
// CHECK-LABEL: func.func @regions(
func.func @regions(%arg0: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.if"(%arg0) ({
  // CHECK-NEXT: %[[V2:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.add %[[V2]], %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[V3]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[V2:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i1>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<8xf32>, tensor<8xf32>
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  %1 = "stablehlo.if"(%arg0) ({
    %2 = sdy.constant dense<1.0> : tensor<8xf32>
    %3 = sdy.constant dense<1.0> : tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }, {
    %2 = sdy.constant dense<1.0> : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Other ops without operands are not among those of this pass's business.
// CHECK-LABEL: func.func @iota(
func.func @iota() -> (tensor<8xi32>, tensor<8xi32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.iota dim = 0 : tensor<8xi32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.iota dim = 0 : tensor<8xi32>
  // CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<8xi32>, tensor<8xi32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.iota dim = 0 : tensor<8xi32>
  return %0, %1 : tensor<8xi32>, tensor<8xi32>
}
