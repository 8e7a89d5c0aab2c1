// RUN: sdy-opt %s --sdy-import-foreign-shardings=import-shardings=tiles | filecheck %s

// The batch is one factor in all values that have it; other dimensions are for themselves.
// CHECK-LABEL: func.func @batch
func.func @batch(%arg0: tensor<16x8x8xf32> {mhlo.sharding = "{devices=[2,1,1]<=[2]}"}, %arg1: tensor<f32>) -> (tensor<16x8x4xf32>, tensor<16xi32>) {
  // CHECK-NEXT: stablehlo.custom_call @solve(%arg0, %arg1)
  // CHECK-SAME:   sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [])->([i, l, m], [i]) {i=16, j=8, k=8, l=8, m=4}, custom>
  %0:2 = stablehlo.custom_call @solve(%arg0, %arg1) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<16x8x8xf32>, tensor<f32>) -> (tensor<16x8x4xf32>, tensor<16xi32>)
  return %0#0, %0#1 : tensor<16x8x4xf32>, tensor<16xi32>
}

// CHECK-LABEL: func.func @two_dimensions
func.func @two_dimensions(%arg0: tensor<2x3x8xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, j]) {i=2, j=3, k=8}, custom>
  %0 = stablehlo.custom_call @norm(%arg0) {mhlo.frontend_attributes = {num_batch_dims = "2"}} : (tensor<2x3x8xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A rule that is there stays; without a batch, or where values do not share it, there is none.
// CHECK-LABEL: func.func @none
func.func @none(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>) {
  // CHECK-NEXT: @a(%arg0) {mhlo.frontend_attributes = {num_batch_dims = "1"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=8, j=8, k=8, l=8}, custom>}
  %0 = stablehlo.custom_call @a(%arg0) {mhlo.frontend_attributes = {num_batch_dims = "1"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=8, j=8, k=8, l=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: @b(%arg0) {mhlo.frontend_attributes = {num_batch_dims = "0"}} :
  %1 = stablehlo.custom_call @b(%arg0) {mhlo.frontend_attributes = {num_batch_dims = "0"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: @c(%arg0, %arg1) {mhlo.frontend_attributes = {num_batch_dims = "1"}} :
  %2 = stablehlo.custom_call @c(%arg0, %arg1) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
