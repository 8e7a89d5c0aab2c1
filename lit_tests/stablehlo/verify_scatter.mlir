// Scatter: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// A row of each batch.
func.func @scatter(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Inputs of different shapes.
func.func @scatter_c1(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x4x5x7xf32>, %arg2: tensor<3x1xi32>, %arg3: tensor<3x5x2xf32>, %arg4: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c1)}}
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>):
      stablehlo.return %a0, %a0 : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x4x5x7xf32>, tensor<3x1xi32>, tensor<3x5x2xf32>, tensor<3x5x2xf32>) -> (tensor<3x4x5x6xf32>, tensor<3x4x5x7xf32>)
  return
}

// A dimension without a role.
func.func @scatter_c2(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c2)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Updates of different shapes.
func.func @scatter_c3(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x4x5x6xf32>, %arg2: tensor<3x1xi32>, %arg3: tensor<3x5x2xf32>, %arg4: tensor<3x5x3xf32>) {
  // expected-error@+1 {{(scatter_c3)}}
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>):
      stablehlo.return %a0, %a0 : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x1xi32>, tensor<3x5x2xf32>, tensor<3x5x3xf32>) -> (tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>)
  return
}

// Updates of another rank.
func.func @scatter_c4(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5xf32>) {
  // expected-error@+1 {{(scatter_c4)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5xf32>) -> tensor<3x4x5x6xf32>
  return
}

// A window that is too large.
func.func @scatter_c4_2(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x7xf32>) {
  // expected-error@+1 {{(scatter_c4)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x7xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Batches of another size.
func.func @scatter_c4_3(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<4x5x2xf32>) {
  // expected-error@+1 {{(scatter_c4)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<4x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Not in order.
func.func @scatter_c7(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c7)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension.
func.func @scatter_c8(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c8)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Batching and inserted.
func.func @scatter_c9(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c9)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension.
func.func @scatter_c11(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c11)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [4], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension.
func.func @scatter_c13(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c13)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [4], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// A dimension twice.
func.func @scatter_c14(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c14)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension of the indices.
func.func @scatter_c15(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c15)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// The index vector is no batch.
func.func @scatter_c16(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c16)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// A batch without a peer.
func.func @scatter_c17(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c17)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Batches of different sizes.
func.func @scatter_c18(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x5x2xf32>) {
  // expected-error@+1 {{(scatter_c18)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<4x1xi32>, tensor<4x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// An index for each entry.
func.func @scatter_c19(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c19)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x1xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Batching and scattered.
func.func @scatter_c20(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c20)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension.
func.func @scatter_c21(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c21)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [4], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// No such dimension of the indices.
func.func @scatter_c22(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c22)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 3>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// A body of other numbers.
func.func @scatter_c23(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c23)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// The result has another shape.
func.func @scatter_c24(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c24)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x7xf32>
  return
}

// Inserted dimensions not in order.
func.func @scatter_c10(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x2xf32>) {
  // expected-error@+1 {{(scatter_c10)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2, 1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// Batching dimensions not in order.
func.func @scatter_c12(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x4x1xi32>, %arg2: tensor<3x4x5x2xf32>) {
  // expected-error@+1 {{(scatter_c12)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>} : (tensor<3x4x5x6xf32>, tensor<3x4x1xi32>, tensor<3x4x5x2xf32>) -> tensor<3x4x5x6xf32>
  return
}

// The result has another element type.
func.func @scatter_c25(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<3x?xi32>, %arg2: tensor<3x5x2xf32>) {
  // expected-error@+1 {{(scatter_c25)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<3x4x5x6xf32>, tensor<3x?xi32>, tensor<3x5x2xf32>) -> tensor<3x4x5x6xf64>
  return
}

// Nothing is scattered to.
func.func @scatter_c5(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{(scatter_c5)}}
  "stablehlo.scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>} : (tensor<3xi32>) -> ()
  return
}

// Updates of another precision.
func.func @scatter_c6(%arg0: tensor<3xf64>, %arg1: tensor<1xi32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(scatter_c6)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f64>, %a1: tensor<f64>):
      stablehlo.return %a0 : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf64>, tensor<1xi32>, tensor<f32>) -> tensor<3xf64>
  return
}

// The body takes narrower numbers than it is given.
func.func @scatter_c23_narrow(%arg0: tensor<3xf64>, %arg1: tensor<1xi32>, %arg2: tensor<f64>) {
  // expected-error@+1 {{is not promotable to f32 (scatter_c23)}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf64>, tensor<1xi32>, tensor<f64>) -> tensor<3xf32>
  return
}
