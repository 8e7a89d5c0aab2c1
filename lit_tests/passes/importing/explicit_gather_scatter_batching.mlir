// RUN: sdy-opt %s --sdy-explicit-gather-scatter-batching | filecheck %s

// The iota is one of the concatenated components: the others remain.
// CHECK-LABEL: func.func @gather_of_concatenate(
func.func @gather_of_concatenate(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>) -> tensor<8x3xf32> {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> {tag = "kept"} : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<8x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> {tag = "kept"} : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// Three components of one input each: the middle one is left out of a new concatenate.
// CHECK-LABEL: func.func @three_components(
func.func @three_components(%arg0: tensor<4x8x4xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[CONCAT:.*]] = stablehlo.concatenate %arg1, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[CONCAT]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<4x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %1 = stablehlo.concatenate %arg1, %0, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x3xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x3xi32>) -> tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}

// Inputs of several components: the rest is sliced out.
// CHECK-LABEL: func.func @sliced(
func.func @sliced(%arg0: tensor<4x8x4xf32>, %arg1: tensor<4x3x2xi32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  // CHECK-NEXT: %[[CONCAT:.*]] = stablehlo.concatenate %[[IOTA]], %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x2xi32>) -> tensor<4x3x3xi32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[CONCAT]] [0:4, 0:3, 1:3] : (tensor<4x3x3xi32>) -> tensor<4x3x2xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[SLICE]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<4x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x2xi32>) -> tensor<4x3x3xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x3xi32>) -> tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}

// The iota is looked for behind reshapes, broadcasts, clamps and selects.
// CHECK-LABEL: func.func @behind(
func.func @behind(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<8x3x1xi1>, %arg3: tensor<i32>) -> tensor<8x3xf32> {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<8x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.reshape %0 : (tensor<8xi32>) -> tensor<8x1xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x3xi32>
  %3 = stablehlo.reshape %2 : (tensor<8x3xi32>) -> tensor<8x3x1xi32>
  %4 = stablehlo.clamp %arg3, %3, %arg3 : (tensor<i32>, tensor<8x3x1xi32>, tensor<i32>) -> tensor<8x3x1xi32>
  %5 = stablehlo.select %arg2, %4, %arg1 : tensor<8x3x1xi1>, tensor<8x3x1xi32>
  %6 = stablehlo.concatenate %5, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  return %7 : tensor<8x3xf32>
}

// A select between something and an iota counts as that iota.
// CHECK-LABEL: func.func @select_false_value(
func.func @select_false_value(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<8x3x1xi1>) -> tensor<8x3xf32> {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<8x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.select %arg2, %arg1, %0 : tensor<8x3x1xi1>, tensor<8x3x1xi32>
  %2 = stablehlo.concatenate %1, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  return %3 : tensor<8x3xf32>
}

// An iota along another dimension, other sizes, a dimension that is not collapsed, a single component: no batch.
// CHECK-LABEL: func.func @no_batch(
func.func @no_batch(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<6x3x1xi32>) -> (tensor<8x3xf32>, tensor<6x3xf32>, tensor<8x3x1xf32>, tensor<8x3xf32>) {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 1 : tensor<8x3x1xi32>
  // CHECK-NEXT: %[[CONCAT:.*]] = stablehlo.concatenate %[[IOTA]], %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[CONCAT]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: %[[IOTA_1:.*]] = stablehlo.iota dim = 0 : tensor<6x3x1xi32>
  // CHECK-NEXT: %[[CONCAT_1:.*]] = stablehlo.concatenate %[[IOTA_1]], %arg2, dim = 2 : (tensor<6x3x1xi32>, tensor<6x3x1xi32>) -> tensor<6x3x2xi32>
  // CHECK-NEXT: %[[GATHER_1:.*]] = "stablehlo.gather"(%arg0, %[[CONCAT_1]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<6x3x2xi32>) -> tensor<6x3xf32>
  // CHECK-NEXT: %[[IOTA_2:.*]] = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  // CHECK-NEXT: %[[CONCAT_2:.*]] = stablehlo.concatenate %[[IOTA_2]], %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  // CHECK-NEXT: %[[GATHER_2:.*]] = "stablehlo.gather"(%arg0, %[[CONCAT_2]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3x1xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0 [0:8, 0:1] : (tensor<8x4xf32>) -> tensor<8x1xf32>
  // CHECK-NEXT: %[[GATHER_3:.*]] = "stablehlo.gather"(%[[SLICE]], %[[IOTA_2]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x1xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: return %[[GATHER]], %[[GATHER_1]], %[[GATHER_2]], %[[GATHER_3]] : tensor<8x3xf32>, tensor<6x3xf32>, tensor<8x3x1xf32>, tensor<8x3xf32>
  %0 = stablehlo.iota dim = 1 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
  %3 = stablehlo.iota dim = 0 : tensor<6x3x1xi32>
  %4 = stablehlo.concatenate %3, %arg2, dim = 2 : (tensor<6x3x1xi32>, tensor<6x3x1xi32>) -> tensor<6x3x2xi32>
  %5 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<6x3x2xi32>) -> tensor<6x3xf32>
  %6 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %7 = stablehlo.concatenate %6, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x2xi32>) -> tensor<8x3x1xf32>
  %9 = stablehlo.slice %arg0 [0:8, 0:1] : (tensor<8x4xf32>) -> tensor<8x1xf32>
  %10 = "stablehlo.gather"(%9, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x1xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  return %2, %5, %8, %10 : tensor<8x3xf32>, tensor<6x3xf32>, tensor<8x3x1xf32>, tensor<8x3xf32>
}

// Nor if there is a batch already, if the index vectors are implicit, if the iota is concatenated along another dimension,
// or if the concatenation has fewer inputs than index components.
// CHECK-LABEL: func.func @no_batch_either(
func.func @no_batch_either(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<8x3x2xi32>) -> (tensor<8x3xf32>, tensor<8x3x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[IOTA]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  // CHECK-NEXT: %[[IOTA_1:.*]] = stablehlo.iota dim = 0 : tensor<8x3xi32>
  // CHECK-NEXT: %[[GATHER_1:.*]] = "stablehlo.gather"(%arg0, %[[IOTA_1]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<8x3xi32>) -> tensor<8x3x4xf32>
  // CHECK-NEXT: %[[IOTA_2:.*]] = stablehlo.iota dim = 0 : tensor<8x3x2xi32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %[[IOTA_2]], %arg2, dim = 1 : (tensor<8x3x2xi32>, tensor<8x3x2xi32>) -> tensor<8x6x2xi32>
  // CHECK-NEXT: %[[GATHER_2:.*]] = "stablehlo.gather"(%arg0, %[[CONCATENATE]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x6x2xi32>) -> tensor<8x6xf32>
  // CHECK-NEXT: %[[IOTA_3:.*]] = stablehlo.iota dim = 0 : tensor<8x2xi32>
  // CHECK-NEXT: %[[CONCATENATE_1:.*]] = stablehlo.concatenate %[[IOTA_3]], dim = 1 : (tensor<8x2xi32>) -> tensor<8x2xi32>
  // CHECK-NEXT: %[[GATHER_3:.*]] = "stablehlo.gather"(%arg0, %[[CONCATENATE_1]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[GATHER]], %[[GATHER_1]], %[[GATHER_2]], %[[GATHER_3]] : tensor<8x3xf32>, tensor<8x3x4xf32>, tensor<8x6xf32>, tensor<8xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8x3xi32>
  %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<8x3xi32>) -> tensor<8x3x4xf32>
  %5 = stablehlo.iota dim = 0 : tensor<8x3x2xi32>
  %6 = stablehlo.concatenate %5, %arg2, dim = 1 : (tensor<8x3x2xi32>, tensor<8x3x2xi32>) -> tensor<8x6x2xi32>
  %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x6x2xi32>) -> tensor<8x6xf32>
  %8 = stablehlo.iota dim = 0 : tensor<8x2xi32>
  %9 = stablehlo.concatenate %8, dim = 1 : (tensor<8x2xi32>) -> tensor<8x2xi32>
  %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x4xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  return %2, %4, %7, %10 : tensor<8x3xf32>, tensor<8x3x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// A component in the middle of indices that are no concatenation: what lies on both sides is sliced out and joined.
// CHECK-LABEL: func.func @two_slices(
func.func @two_slices(%arg0: tensor<4x8x4xf32>, %arg1: tensor<4x3x2xi32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<4x3x3xi32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[IOTA]] [0:4, 0:3, 0:1] : (tensor<4x3x3xi32>) -> tensor<4x3x1xi32>
  // CHECK-NEXT: %[[SLICE_1:.*]] = stablehlo.slice %[[IOTA]] [0:4, 0:3, 2:3] : (tensor<4x3x3xi32>) -> tensor<4x3x1xi32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %[[SLICE]], %[[SLICE_1]], dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[CONCATENATE]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<4x3xf32>
  %0 = stablehlo.iota dim = 0 : tensor<4x3x3xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x4xf32>, tensor<4x3x3xi32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// A scatter is treated alike; its flags become explicit and its body moves along.
// CHECK-LABEL: func.func @scatter(
func.func @scatter(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<8x3xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[SCATTER:.*]] = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = true}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<8x4xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[SCATTER]] : tensor<8x4xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %arg1, %0, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2 = "stablehlo.scatter"(%arg0, %1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = true}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %3 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<8x3x2xi32>, tensor<8x3xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// Several inputs at once.
// CHECK-LABEL: func.func @variadic_scatter(
func.func @variadic_scatter(%arg0: tensor<8x4xf32>, %arg1: tensor<8x3x1xi32>, %arg2: tensor<8x3xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %[[SCATTER:.*]]:2 = "stablehlo.scatter"(%arg0, %arg0, %arg1, %arg2, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>):
  // CHECK-NEXT:   stablehlo.return %arg5, %arg6 : tensor<f32>, tensor<f32>
  // CHECK-NEXT: }) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>, tensor<8x3xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  // CHECK-NEXT: return %[[SCATTER]]#0, %[[SCATTER]]#1 : tensor<8x4xf32>, tensor<8x4xf32>
  %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
  %2:2 = "stablehlo.scatter"(%arg0, %arg0, %1, %arg2, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>):
    stablehlo.return %arg5, %arg6 : tensor<f32>, tensor<f32>
  }) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x3x2xi32>, tensor<8x3xf32>, tensor<8x3xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %2#0, %2#1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// The driver removes what is dead and moves constants up.
// CHECK-LABEL: func.func @driver(
func.func @driver(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[ABS]], %[[CONSTANT]] : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = stablehlo.abs %arg0 : tensor<8xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
