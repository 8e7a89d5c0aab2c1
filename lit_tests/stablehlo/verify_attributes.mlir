// Attributes and types that are refused where they are read, whoever verifies the ops.
//
// RUN: sdy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics -o %t

// One bound for each dimension.
// expected-error@+1 {{Bounds length is 2, expected to be equal to rank(1)}}
func.func private @bounds_length(tensor<?xf32, #stablehlo.bounds<3, 4>>)

// -----

// A size that is known has no bound.
// expected-error@+1 {{Static dimension 0 cannot have a bound}}
func.func private @bounds_of_a_known_size(tensor<2xf32, #stablehlo.bounds<3>>)

// -----

// Tolerances come with their mode.
func.func @tanh_i2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{Invalid tolerances}}
  %0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// No tolerance is negative.
func.func @tanh_i2_2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{Negative tolerance}}
  %0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<rtol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Components of an algorithm are counted from one.
func.func @dot_general_c22(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{lhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%arg0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Components of an algorithm are counted from one.
func.func @dot_general_c23(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{rhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%arg0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// So are its operations.
func.func @dot_general_c24(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{num primitive operations must be positive}}
  %0 = "stablehlo.dot_general"(%arg0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// No hardware multiplies so.
func.func @dot_general_i8(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{dot algorithm not known to be supported}}
  %0 = "stablehlo.dot_general"(%arg0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f16, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Groups along an axis that their mesh has.
func.func @all_gather_axis(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{axis 'z' not found in mesh}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// Groups along axes of a mesh that is there.
func.func @all_gather_mesh(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op replica_groups: mesh symbol 'nowhere' not found}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}
