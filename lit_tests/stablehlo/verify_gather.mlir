// Gather: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// A row of each batch.
func.func @gather(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// A dimension without a role.
func.func @gather_c1(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c1)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// No such dimension of the indices.
func.func @gather_c2(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c2)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// An index for each entry.
func.func @gather_c3(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x1xi32>) {
  // expected-error@+1 {{(gather_c3)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x1xi32>) -> tensor<3x5x2xf32>
  return
}

// Not in order.
func.func @gather_c4(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c4)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Behind the end of the result.
func.func @gather_c5(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c5)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Batching and collapsed.
func.func @gather_c6(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c6)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Not in order.
func.func @gather_c7(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c7)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x2xf32>
  return
}

// No such dimension.
func.func @gather_c8(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c8)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// No such dimension.
func.func @gather_c11(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c11)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [4], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// A dimension twice.
func.func @gather_c13(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c13)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// No such dimension of the indices.
func.func @gather_c14(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c14)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// The index vector is no batch.
func.func @gather_c15(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c15)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// A batch without a peer.
func.func @gather_c16(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c16)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Batches of different sizes.
func.func @gather_c17(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x1xi32>) {
  // expected-error@+1 {{(gather_c17)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<4x1xi32>) -> tensor<3x5x2xf32>
  return
}

// Batching and indexed.
func.func @gather_c18(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c18)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// No such dimension.
func.func @gather_c19(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c19)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [4], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Collapsed, but not of size 1.
func.func @gather_c9(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c9)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// Batching, but not of size 1.
func.func @gather_c12(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c12)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// A size for each dimension.
func.func @gather_c20(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c20)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// A slice that is too large.
func.func @gather_c21(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c21)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 7>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf32>
  return
}

// The result has another shape.
func.func @gather_c22(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c22)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x3xf32>
  return
}

// The result has another element type.
func.func @gather_c23(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  // expected-error@+1 {{(gather_c23)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>) -> tensor<3x5x2xf64>
  return
}

// A row of each batch.
func.func @dynamic_gather(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// A dimension without a role.
func.func @dynamic_gather_c1(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c1)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// No such dimension of the indices.
func.func @dynamic_gather_c2(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c2)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 3>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// An index for each entry.
func.func @dynamic_gather_c3(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x1xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c3)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x1xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Not in order.
func.func @dynamic_gather_c4(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c4)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Behind the end of the result.
func.func @dynamic_gather_c5(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c5)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Batching and collapsed.
func.func @dynamic_gather_c6(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c6)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Not in order.
func.func @dynamic_gather_c7(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c7)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x2xf32>
  return
}

// No such dimension.
func.func @dynamic_gather_c8(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c8)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// No such dimension.
func.func @dynamic_gather_c11(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c11)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [4], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// A dimension twice.
func.func @dynamic_gather_c13(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c13)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// No such dimension of the indices.
func.func @dynamic_gather_c14(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c14)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// The index vector is no batch.
func.func @dynamic_gather_c15(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c15)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// A batch without a peer.
func.func @dynamic_gather_c16(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c16)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Batches of different sizes.
func.func @dynamic_gather_c17(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x1xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c17)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<4x1xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Batching and indexed.
func.func @dynamic_gather_c18(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c18)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// No such dimension.
func.func @dynamic_gather_c19(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c19)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [4], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// Sizes of run time.
func.func @dynamic_gather_unknown(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// An entry for each dimension.
func.func @dynamic_gather_c11_sizes(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_gather_c11)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3xi64>) -> tensor<3x5x2xf32>
  return
}

// Collapsed, but not of size 1.
func.func @dynamic_gather_c8_sizes(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 2, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c8)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// A slice that is too large.
func.func @dynamic_gather_c12(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 7]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c12)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf32>
  return
}

// The result has another shape.
func.func @dynamic_gather_c13_result(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c13)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x3xf32>
  return
}

// The result has another element type.
func.func @dynamic_gather_c13_element(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>) {
  %c2 = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  // expected-error@+1 {{(dynamic_gather_c13)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4xi64>) -> tensor<3x5x2xf64>
  return
}

// Batching dimensions not in order.
func.func @gather_c10(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x4x1xi32>) {
  // expected-error@+1 {{(gather_c10)}}
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [1, 0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5, 2>} : (tensor<3x4x5x6xf32>, tensor<3x4x1xi32>) -> tensor<3x5x2x4xf32>
  return
}

// Batching dimensions not in order.
func.func @dynamic_gather_c10(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x4x1xi32>, %arg2: tensor<4xi64>) {
  // expected-error@+1 {{(dynamic_gather_c10)}}
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [1, 0], start_index_map = [2], index_vector_dim = 2>} : (tensor<3x4x5x6xf32>, tensor<3x4x1xi32>, tensor<4xi64>) -> tensor<3x5x2x4xf32>
  return
}
