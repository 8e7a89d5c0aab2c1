// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=idle-ops | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @choice
func.func @choice(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.select %arg0, %arg1, %arg1 : tensor<8xi1>, tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What is left of one choice may be all that another one is between.
// CHECK-LABEL: func.func @choice_of_choices
func.func @choice_of_choices(%arg0: tensor<i1>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.select %arg0, %arg1, %arg1 : tensor<i1>, tensor<8xf32>
  %1 = stablehlo.select %arg0, %0, %arg1 : tensor<i1>, tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @reversed
func.func @reversed(%arg0: tensor<8x1xf32>) -> (tensor<8x1xf32>, tensor<8x1xf32>) {
  // CHECK-NEXT: %[[ROWS:.*]] = stablehlo.reverse %arg0, dims = [0, 1]
  // CHECK-NEXT: return %arg0, %[[ROWS]]
  %0 = stablehlo.reverse %arg0, dims = [1] : tensor<8x1xf32>
  %1 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<8x1xf32>
  return %0, %1 : tensor<8x1xf32>, tensor<8x1xf32>
}

// As of `jnp.roll` along one of two dimensions. What has a sharding keeps its op.
// CHECK-LABEL: func.func @rolled_by_nothing
func.func @rolled_by_nothing(%arg0: tensor<8xf32>, %arg1: tensor<0xf32>, %arg2: tensor<4xf32>) -> (tensor<8xf32>, tensor<12xf32>, tensor<8xf32>, tensor<0xf32>) {
  // CHECK-NEXT: %[[BOTH:.*]] = stablehlo.concatenate %arg0, %arg2, dim = 0
  // CHECK-NEXT: %[[GIVEN:.*]] = stablehlo.concatenate %arg0, dim = 0 {sdy.sharding
  // CHECK-NEXT: %[[EMPTY:.*]] = stablehlo.concatenate %arg1, %arg1, dim = 0
  // CHECK-NEXT: return %arg0, %[[BOTH]], %[[GIVEN]], %[[EMPTY]]
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<8xf32>, tensor<0xf32>) -> tensor<8xf32>
  %1 = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0 : (tensor<8xf32>, tensor<0xf32>, tensor<4xf32>) -> tensor<12xf32>
  %2 = stablehlo.concatenate %arg1, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<0xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<12xf32>, tensor<8xf32>, tensor<0xf32>
}

// As in `jnp.tile` before copies are summed: the shape in between would not keep the sharding.
// CHECK-LABEL: func.func @reshaped_back
func.func @reshaped_back(%arg0: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) {
  // CHECK-NEXT: %[[FLAT:.*]] = stablehlo.reshape %arg0
  // CHECK-NEXT: %[[OTHER:.*]] = stablehlo.reshape %[[FLAT]] : (tensor<16xf32>) -> tensor<8x2xf32>
  // CHECK-NEXT: %[[GIVEN:.*]] = stablehlo.reshape %arg0 {sdy.sharding
  // CHECK-NEXT: %[[BACK:.*]] = stablehlo.reshape %[[GIVEN]]
  // CHECK-NEXT: return %arg0, %[[OTHER]], %[[BACK]]
  %0 = stablehlo.reshape %arg0 : (tensor<2x8xf32>) -> tensor<16xf32>
  %1 = stablehlo.reshape %0 : (tensor<16xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.reshape %0 : (tensor<16xf32>) -> tensor<8x2xf32>
  %3 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2x8xf32>) -> tensor<16xf32>
  %4 = stablehlo.reshape %3 : (tensor<16xf32>) -> tensor<2x8xf32>
  return %1, %2, %4 : tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>
}

// Choices between two values, of elements that are not known to be one, and those that have a sharding stay.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<?xf32>) {
  // CHECK-NEXT: stablehlo.select
  // CHECK-NEXT: stablehlo.select
  // CHECK-NEXT: stablehlo.reverse
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
  %1 = stablehlo.select %arg0, %arg1, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xi1>, tensor<8xf32>
  %2 = stablehlo.reverse %arg3, dims = [0] : tensor<?xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<?xf32>
}

// The predicate is a constant: all indices of two are inside.
// CHECK-LABEL: func.func @known_predicate
func.func @known_predicate(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NOT: stablehlo.select
  // CHECK: return %arg0
  %i = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %c = stablehlo.constant dense<2> : tensor<2xi32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %1 = stablehlo.reduce(%0 init: %true) applies stablehlo.and across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<8xi1>
  %3 = stablehlo.select %2, %arg0, %arg1 : tensor<8xi1>, tensor<8xf32>
  return %3 : tensor<8xf32>
}
