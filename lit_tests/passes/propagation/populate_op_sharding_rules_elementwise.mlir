// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// Sizes of 1 and 0 have ordinary factors.
// CHECK-LABEL: func.func @binary
func.func @binary(%arg0: tensor<4x1x0xf32>) -> tensor<4x1x0xf32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=1, k=0}>
  %0 = stablehlo.add %arg0, %arg0 : tensor<4x1x0xf32>
  return %0 : tensor<4x1x0xf32>
}

// A scalar has a rule, though one without factors.
// CHECK-LABEL: func.func @scalar
func.func @scalar(%arg0: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([])->([])>
  %0 = stablehlo.tanh %arg0 : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @other_element_type
func.func @other_element_type(%arg0: tensor<4x8xf32>) -> tensor<4x8xi1> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
  %0 = stablehlo.is_finite %arg0 : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// More than 18 factors: the symbols go on with a number.
// CHECK-LABEL: func.func @many_dimensions
func.func @many_dimensions(%arg0: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3x4xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3x4xf32> {
  // CHECK-NEXT: <([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2])
  // CHECK-SAME: x=1, y=1, z=2, z_1=3, z_2=4}>
  %0 = stablehlo.negate %arg0 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3x4xf32>
  return %0 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3x4xf32>
}

// The bounds of a clamp may be scalars.
// CHECK-LABEL: func.func @clamp
func.func @clamp(%arg0: tensor<f32>, %arg1: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=5, j=3}>
  %0 = stablehlo.clamp %arg0, %arg1, %arg1 : (tensor<f32>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// So may the predicate of a select.
// CHECK-LABEL: func.func @select
func.func @select(%arg0: tensor<i1>, %arg1: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=5, j=3}>
  %0 = stablehlo.select %arg0, %arg1, %arg1 : tensor<i1>, tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
