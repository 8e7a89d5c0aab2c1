// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// Dimensions of the batch pass through (i), those taken whole too (j). A part of a dimension is replicated (k). Where a
// single element is taken, the device that has it can be found by a reduction (l, n).
// CHECK-LABEL: func.func @gather
func.func @gather(%arg0: tensor<6x7x5x9xf32>, %arg1: tensor<4x2xi32>) -> tensor<4x7x2x1xf32> {
  // CHECK-NEXT: <([n, j, k, l], [i, o])->([i, j, k, m]) {i=4, j=7, k=5, l=9, m=1, n=6, o=2} reduction={l, n} need_replication={k, m, o} blocked_propagation={k}>
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7, 2, 1>} : (tensor<6x7x5x9xf32>, tensor<4x2xi32>) -> tensor<4x7x2x1xf32>
  return %0 : tensor<4x7x2x1xf32>
}

// CHECK-LABEL: func.func @gather_with_batching_dimensions
func.func @gather_with_batching_dimensions(%arg0: tensor<5x8x3xf32>, %arg1: tensor<3x6x1xi32>) -> tensor<3x6x5xf32> {
  // CHECK-NEXT: <([k, l, i], [i, j, m])->([i, j, k]) {i=3, j=6, k=5, l=8, m=1} reduction={l} need_replication={m}>
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 5, 1, 1>} : (tensor<5x8x3xf32>, tensor<3x6x1xi32>) -> tensor<3x6x5xf32>
  return %0 : tensor<3x6x5xf32>
}

// There is nothing to reduce in a dimension of size 1.
// CHECK-LABEL: func.func @gather_from_a_single_row
func.func @gather_from_a_single_row(%arg0: tensor<1x6xf32>, %arg1: tensor<3xi32>) -> tensor<3x6xf32> {
  // CHECK-NEXT: <([k, j], [i])->([i, j]) {i=3, j=6, k=1} need_replication={k}>
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>} : (tensor<1x6xf32>, tensor<3xi32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// Updates from several devices can be added up (i).
// CHECK-LABEL: func.func @scatter_that_adds
func.func @scatter_that_adds(%arg0: tensor<7x4x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x4x2xf32>) -> tensor<7x4x6xf32> {
  // CHECK: <([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=5, j=4, k=6, l=2, m=7, n=1} reduction={i} need_replication={k, l, n}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg4, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x4x6xf32>, tensor<5x1xi32>, tensor<5x4x2xf32>) -> tensor<7x4x6xf32>
  return %0 : tensor<7x4x6xf32>
}

// The last of several updates wins, so one device must have them all.
// CHECK-LABEL: func.func @scatter_that_overwrites
func.func @scatter_that_overwrites(%arg0: tensor<7x4x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x4x2xf32>) -> tensor<7x4x6xf32> {
  // CHECK: <([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=5, j=4, k=6, l=2, m=7, n=1} need_replication={i, k, l, n}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<7x4x6xf32>, tensor<5x1xi32>, tensor<5x4x2xf32>) -> tensor<7x4x6xf32>
  return %0 : tensor<7x4x6xf32>
}

// Two inputs, each with its own reduction: the reductions would have to be the same.
// CHECK-LABEL: func.func @scatter_with_two_reductions
func.func @scatter_with_two_reductions(%arg0: tensor<7xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xf32>) -> tensor<7xf32> {
  // CHECK: <([j], [j], [i, k], [i], [i])->([j], [j]) {i=5, j=7, k=1} need_replication={i, k}>
  %0:2 = "stablehlo.scatter"(%arg0, %arg0, %arg1, %arg2, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg5 : tensor<f32>
    %2 = stablehlo.maximum %arg4, %arg6 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<7xf32>, tensor<7xf32>, tensor<5x1xi32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<7xf32>, tensor<7xf32>)
  return %0#0 : tensor<7xf32>
}

// Batch dimensions go past the one that holds the indices, here the first.
// CHECK-LABEL: func.func @gather_with_indices_in_front
func.func @gather_with_indices_in_front(%arg0: tensor<8x3xf32>, %arg1: tensor<1x5x6xi32>) -> tensor<5x6x3xf32> {
  // CHECK-NEXT: <([l, k], [m, i, j])->([i, j, k]) {i=5, j=6, k=3, l=8, m=1} reduction={l} need_replication={m}>
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<1x5x6xi32>) -> tensor<5x6x3xf32>
  return %0 : tensor<5x6x3xf32>
}

// Batching dimensions of inputs, indices and updates are one.
// CHECK-LABEL: func.func @scatter_with_batching_dimensions
func.func @scatter_with_batching_dimensions(%arg0: tensor<3x7xf32>, %arg1: tensor<3x5x1xi32>, %arg2: tensor<3x5xf32>) -> tensor<3x7xf32> {
  // CHECK: <([i, k], [i, j, l], [i, j])->([i, k]) {i=3, j=5, k=7, l=1} reduction={j} need_replication={l}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<3x5x1xi32>, tensor<3x5xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// Products, maxima and minima are reductions as sums are, of booleans also "and" and "or".
// CHECK-LABEL: func.func @scatter_that_is_a_reduction
func.func @scatter_that_is_a_reduction(%arg0: tensor<7xi32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xi32>, %arg3: tensor<7xi1>, %arg4: tensor<5xi1>) -> (tensor<7xi32>, tensor<7xi1>) {
  // CHECK: <([j], [i, k], [i])->([j]) {i=5, j=7, k=1} reduction={i} need_replication={k}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
    %2 = stablehlo.minimum %arg5, %arg6 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<7xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<7xi32>
  // CHECK: <([j], [i, k], [i])->([j]) {i=5, j=7, k=1} reduction={i} need_replication={k}>
  %1 = "stablehlo.scatter"(%arg3, %arg1, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg5: tensor<i1>, %arg6: tensor<i1>):
    %2 = stablehlo.or %arg6, %arg5 : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<7xi1>, tensor<5x1xi32>, tensor<5xi1>) -> tensor<7xi1>
  return %0, %1 : tensor<7xi32>, tensor<7xi1>
}

// Differences are none, nor are bits of integers, nor what is not of the two arguments alone.
// CHECK-LABEL: func.func @scatter_that_is_no_reduction
func.func @scatter_that_is_no_reduction(%arg0: tensor<7xi32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xi32>) -> (tensor<7xi32>, tensor<7xi32>, tensor<7xi32>) {
  // CHECK: <([j], [i, k], [i])->([j]) {i=5, j=7, k=1} need_replication={i, k}>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
    %3 = stablehlo.subtract %arg5, %arg6 : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }) : (tensor<7xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<7xi32>
  // CHECK: <([j], [i, k], [i])->([j]) {i=5, j=7, k=1} need_replication={i, k}>
  %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
    %3 = stablehlo.and %arg5, %arg6 : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }) : (tensor<7xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<7xi32>
  // CHECK: <([j], [i, k], [i])->([j]) {i=5, j=7, k=1} need_replication={i, k}>
  %2 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
    %3 = stablehlo.negate %arg6 : tensor<i32>
    %4 = stablehlo.add %arg5, %3 : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<7xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<7xi32>
  return %0, %1, %2 : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
}
