// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=iota-indices | filecheck %s

// As JAX writes scores[jnp.arange(8), labels]: a place that counts is not negative.
// CHECK-LABEL: func.func @labels
func.func @labels(%arg0: tensor<8x50xf32>, %arg1: tensor<8x1xi32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
  // CHECK-NEXT: return %[[R]]
  %zero = stablehlo.constant dense<0> : tensor<8xi32>
  %size = stablehlo.constant dense<8> : tensor<8xi32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.compare LT, %0, %zero : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %2 = stablehlo.add %0, %size : tensor<8xi32>
  %3 = stablehlo.select %1, %2, %0 : tensor<8xi1>, tensor<8xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
  %5 = stablehlo.concatenate %4, %arg1, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<8x50xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// Two places count; the third entry becomes all there is. Updates are in order of nothing any more.
// CHECK-LABEL: func.func @updated
func.func @updated(%arg0: tensor<50x8x4xf32>, %arg1: tensor<8x4x1xi32>, %arg2: tensor<8x4xf32>) -> tensor<50x8x4xf32> {
  // CHECK-NEXT: "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [1, 2], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>
  %0 = stablehlo.iota dim = 0 : tensor<8x4x1xi32>
  %1 = stablehlo.constant dense<[[0, 1, 2, 3]]> : tensor<1x4xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<8x4xi32>
  %3 = stablehlo.reshape %2 : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
  %4 = stablehlo.concatenate %arg1, %0, %3, dim = 2 : (tensor<8x4x1xi32>, tensor<8x4x1xi32>, tensor<8x4x1xi32>) -> tensor<8x4x3xi32>
  %5 = "stablehlo.scatter"(%arg0, %4, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 2>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<50x8x4xf32>, tensor<8x4x3xi32>, tensor<8x4xf32>) -> tensor<50x8x4xf32>
  return %5 : tensor<50x8x4xf32>
}

// A diagonal: both entries count along one dimension, of which only one can be its batch.
// CHECK-LABEL: func.func @diagonal
func.func @diagonal(%arg0: tensor<8x8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<8x1xi32>
  // CHECK:      "stablehlo.gather"(%arg0, %[[I]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
  %0 = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %1 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x8xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Only some of the rows are counted through, and what is chosen depends on the number.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<9x50xf32>, %arg1: tensor<8x1xi32>, %arg2: tensor<8x50xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK:      "stablehlo.gather"(%arg0, %{{.*}}) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>
  // CHECK:      "stablehlo.gather"(%arg2, %{{.*}}) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>
  %0 = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<9x50xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %four = stablehlo.constant dense<4> : tensor<8x1xi32>
  %3 = stablehlo.compare LT, %0, %four : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
  %4 = stablehlo.select %3, %four, %0 : tensor<8x1xi1>, tensor<8x1xi32>
  %5 = stablehlo.concatenate %4, %arg1, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %6 = "stablehlo.gather"(%arg2, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x50xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  return %2, %6 : tensor<8xf32>, tensor<8xf32>
}
