// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=inserted-windows | filecheck %s

// A token for each of four sequences; along the last dimension the whole is written.
// CHECK-LABEL: func.func @token
func.func @token(%arg0: tensor<4x64x8xf32>, %arg1: tensor<4x2xi32>, %arg2: tensor<4x1x8xf32>) -> tensor<4x64x8xf32> {
  // CHECK-NEXT: %[[U:.*]] = stablehlo.reshape %arg2 : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: "stablehlo.scatter"(%arg0, %arg1, %[[U]]) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = true}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x64x8xf32>, tensor<4x2xi32>, tensor<4x1x8xf32>) -> tensor<4x64x8xf32>
  return %0 : tensor<4x64x8xf32>
}

// Windows of three elements, and one at a place that no index says, stay.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<64x8xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x3x1xf32>) -> tensor<64x8xf32> {
  // CHECK-NEXT: "stablehlo.scatter"(%arg0, %arg1, %arg2)
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<64x8xf32>, tensor<4x1xi32>, tensor<4x3x1xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
