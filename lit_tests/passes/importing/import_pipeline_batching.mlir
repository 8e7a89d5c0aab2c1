// RUN: sdy-opt %s --sdy-import-pipeline=enable-explicit-gather-scatter-batching=true | filecheck %s

// With the option implicit batch dimensions of gathers and scatters become explicit.
// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>) -> tensor<8x3xf32> {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<8x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}
