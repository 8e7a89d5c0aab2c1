// Dot general: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// A batch of products.
func.func @dot_general(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// A batching dimension without a peer.
func.func @dot_general_c1(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c1)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// A contracting dimension without a peer.
func.func @dot_general_c2(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c2)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = []>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Batching and contracting on the left.
func.func @dot_general_c3(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c3)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Batching and contracting on the right.
func.func @dot_general_c4(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c4)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// No such dimension.
func.func @dot_general_c5(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c5)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// No such dimension.
func.func @dot_general_c6(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c6)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// No such dimension.
func.func @dot_general_c7(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c7)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [3], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// No such dimension.
func.func @dot_general_c8(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c8)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Batches of different sizes.
func.func @dot_general_c9(%arg0: tensor<2x?x4xf32>, %arg1: tensor<3x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c9)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Contracted sizes differ.
func.func @dot_general_c10(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x3x5xf32>) {
  // expected-error@+1 {{(dot_general_c10)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return
}

// One precision.
func.func @dot_general_c11(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c11)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>]} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// The result has another shape.
func.func @dot_general_c12(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c12)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return
}

// Element types differ.
func.func @dot_general_c13(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf64>) {
  // expected-error@+1 {{(dot_general_c13)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf64>) -> tensor<2x3x5xf32>
  return
}

// As three products.
func.func @dot_general_algorithm(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// A precision beside it.
func.func @dot_general_c21(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(dot_general_c21)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// All quantized.
func.func @dot_general_quantized(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// Only the right side.
func.func @dot_general_weights(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5xf32>
  return
}

// The left side is not.
func.func @dot_general_c14(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c14)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// A zero point on the right.
func.func @dot_general_c15(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{(dot_general_c15)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3x5xf32>
  return
}

// Its axis is contracted.
func.func @dot_general_c16(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error@+1 {{(dot_general_c16)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) -> tensor<2x3x5xf32>
  return
}

// Stored differently.
func.func @dot_general_c17(%arg0: tensor<2x3x4x!quant.uniform<i16:f32, 0.5>>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c17)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i16:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// Other numbers are expressed.
func.func @dot_general_c18(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c18)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f64, 0.5>>
  return
}

// The left side is of another type than expressed.
func.func @dot_general_c20(%arg0: tensor<2x3x4xf64>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c20)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf64>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5xf64>
  return
}

// The result is.
func.func @dot_general_c20_2(%arg0: tensor<2x4xf32>, %arg1: tensor<4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c20)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x5xf64>
  return
}

// A matrix and a vector.
func.func @dot(%arg0: tensor<?x4xf32>, %arg1: tensor<4xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// Three dimensions.
func.func @dot_c1(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{(dot_c1)}}
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// Contracted sizes differ.
func.func @dot_c1_2(%arg0: tensor<?x4xf32>, %arg1: tensor<5xf32>) {
  // expected-error@+1 {{(dot_c1)}}
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?x4xf32>, tensor<5xf32>) -> tensor<3xf32>
  return
}

// The result has another shape.
func.func @dot_c1_3(%arg0: tensor<?x4xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{(dot_c1)}}
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// Rows in three groups, each with a matrix of its own.
func.func @ragged_dot(%arg0: tensor<11x5xf32>, %arg1: tensor<3x5x7xf32>, %arg2: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// Terms in three groups, with a product for each.
func.func @ragged_dot_contracting(%arg0: tensor<11x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<3x11x7xf32>
  return
}

// Nothing is ragged.
func.func @ragged_dot_c11(%arg0: tensor<11x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c11)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [], rhs_group_dimensions = []>} : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// Ragged rows without a matrix for each group.
func.func @ragged_dot_c12(%arg0: tensor<11x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c12)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// Matrices for another number of groups.
func.func @ragged_dot_c15(%arg0: tensor<11x5xf32>, %arg1: tensor<3x5x7xf32>, %arg2: tensor<4xi64>) {
  // expected-error@+1 {{(ragged_dot_c15)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<11x7xf32>
  return
}

// The result has another shape.
func.func @ragged_dot_c16(%arg0: tensor<11x5xf32>, %arg1: tensor<3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c16)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<7x11xf32>
  return
}

// The result is quantized per axis, rhs per tensor.
func.func @dot_general_c19(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(dot_general_c19)}}
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// One precision for two operands.
func.func @dot_i3(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(dot_i3)}}
  %0 = "stablehlo.dot"(%arg0, %arg1) {precision_config = [#stablehlo<precision HIGH>]} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// A batching dimension of lhs alone.
func.func @ragged_dot_c1(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c1)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// A contracting dimension of lhs alone.
func.func @ragged_dot_c2(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c2)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// A dimension of lhs twice.
func.func @ragged_dot_c3(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c3)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// A dimension of rhs twice.
func.func @ragged_dot_c4(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c4)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// No such batching dimension of lhs.
func.func @ragged_dot_c5(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c5)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// No such contracting dimension of lhs.
func.func @ragged_dot_c6(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c6)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// No such batching dimension of rhs.
func.func @ragged_dot_c7(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c7)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [4], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// No such contracting dimension of rhs.
func.func @ragged_dot_c8(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c8)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [4], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// Batches of two sizes.
func.func @ragged_dot_c9(%arg0: tensor<2x11x5xf32>, %arg1: tensor<3x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c9)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<3x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// Sums over two sizes.
func.func @ragged_dot_c10(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x6x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c10)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>} : (tensor<2x11x5xf32>, tensor<2x3x6x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// No such group dimension.
func.func @ragged_dot_c13(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c13)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [4]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// Groups are batches.
func.func @ragged_dot_c14(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_c14)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// One precision for two operands.
func.func @ragged_dot_i5(%arg0: tensor<2x11x5xf32>, %arg1: tensor<2x3x5x7xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{(ragged_dot_i5)}}
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>, precision_config = [#chlo<precision HIGH>]} : (tensor<2x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}
