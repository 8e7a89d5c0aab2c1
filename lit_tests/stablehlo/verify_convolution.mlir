// Convolution: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// Every second position.
func.func @convolution(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Ranks differ.
func.func @convolution_c1(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6xf32>) {
  // expected-error@+1 {{(convolution_c1)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6xf32>) -> tensor<4x4x12xf32>
  return
}

// A stride for each dimension.
func.func @convolution_c2(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c2)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A stride of zero.
func.func @convolution_c3(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c3)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Padding of the wrong shape.
func.func @convolution_c4(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c4)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dilation for each dimension.
func.func @convolution_c5(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c5)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dilation of zero.
func.func @convolution_c6(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c6)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 0>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dilation for each dimension.
func.func @convolution_c7(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c7)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dilation of zero.
func.func @convolution_c8(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c8)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 0>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Reversed or not, for each dimension.
func.func @convolution_c9(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c9)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false, true>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Batches that are not divisible.
func.func @convolution_c10(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c10)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Features that are not divisible.
func.func @convolution_c11(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c11)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @convolution_c13(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c13)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 2, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// The kernel takes other features.
func.func @convolution_c14(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x5x12xf32>) {
  // expected-error@+1 {{(convolution_c14)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x5x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Kernels that are not divisible among batches.
func.func @convolution_c15(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x11xf32>) {
  // expected-error@+1 {{(convolution_c15)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x11xf32>) -> tensor<4x4x12xf32>
  return
}

// Kernels that are not divisible among features.
func.func @convolution_c16(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x3x11xf32>) {
  // expected-error@+1 {{(convolution_c16)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x3x11xf32>) -> tensor<4x4x12xf32>
  return
}

// Kernels with more dimensions.
func.func @convolution_c17(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c17)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @convolution_c18(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c18)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @convolution_c20(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c20)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 1, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// Both kinds of groups.
func.func @convolution_c23(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c23)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// One precision.
func.func @convolution_c24(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c24)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, precision_config = [#stablehlo<precision HIGH>]} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x4x12xf32>
  return
}

// The result has another shape.
func.func @convolution_c25(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c25)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>) -> tensor<4x5x12xf32>
  return
}

// Element types differ.
func.func @convolution_c27(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf64>) {
  // expected-error@+1 {{(convolution_c27)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf64>) -> tensor<4x4x12xf32>
  return
}

// Nothing is known of the positions.
func.func @convolution_dynamic(%arg0: tensor<4x?x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x?x6xf32>, tensor<3x6x12xf32>) -> tensor<4x7x12xf32>
  return
}

// All quantized.
func.func @convolution_quantized(%arg0: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x4x12x!quant.uniform<i32:f32, 0.25>>
  return
}

// Only the left side.
func.func @convolution_c28(%arg0: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x6x12xf32>) {
  // expected-error@+1 {{(convolution_c28)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x12xf32>) -> tensor<4x4x12x!quant.uniform<i8:f32, 0.5>>
  return
}

// Both sides, but not the result.
func.func @convolution_c28_2(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c28)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x2xf32>
  return
}

// Along another dimension.
func.func @convolution_c29(%arg0: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x6x12x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) {
  // expected-error@+1 {{(convolution_c29)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x12x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) -> tensor<4x4x12x!quant.uniform<i8:f32, 0.5>>
  return
}

// Stored differently.
func.func @convolution_c31(%arg0: tensor<4x8x6x!quant.uniform<i16:f32, 0.5>>, %arg1: tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c31)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6x!quant.uniform<i16:f32, 0.5>>, tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x4x12x!quant.uniform<i8:f32, 0.5>>
  return
}

// Other numbers are expressed.
func.func @convolution_c32(%arg0: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c32)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x4x12x!quant.uniform<i8:f64, 0.5>>
  return
}

// The left side is of another type than expressed.
func.func @convolution_c34(%arg0: tensor<4x8x6xf64>, %arg1: tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c34)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf64>, tensor<3x6x12x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x4x12xf64>
  return
}

// The result is.
func.func @convolution_c34_2(%arg0: tensor<4x8x2xf32>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c34)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2xf32>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x2xf64>
  return
}

// Every second position.
func.func @dynamic_conv(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Ranks differ.
func.func @dynamic_conv_c1(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c1)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A stride for each dimension.
func.func @dynamic_conv_c2(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c2)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A stride of zero.
func.func @dynamic_conv_c3(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c3)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Padding of the wrong shape.
func.func @dynamic_conv_c4(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>, %arg2: tensor<2x2xi64>) {
  // expected-error@+1 {{(dynamic_conv_c4)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<2x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dilation for each dimension.
func.func @dynamic_conv_c5(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c5)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dilation of zero.
func.func @dynamic_conv_c6(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c6)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 0>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dilation for each dimension.
func.func @dynamic_conv_c7(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c7)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dilation of zero.
func.func @dynamic_conv_c8(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c8)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 0>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Reversed or not, for each dimension.
func.func @dynamic_conv_c9(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c9)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false, true>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Batches that are not divisible.
func.func @dynamic_conv_c10(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c10)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Features that are not divisible.
func.func @dynamic_conv_c11(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c11)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @dynamic_conv_c13(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c13)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 2, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// The kernel takes other features.
func.func @dynamic_conv_c14(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x5x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c14)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x5x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Kernels that are not divisible among batches.
func.func @dynamic_conv_c15(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x11xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c15)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x11xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Kernels that are not divisible among features.
func.func @dynamic_conv_c16(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x3x11xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c16)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x3x11xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Kernels with more dimensions.
func.func @dynamic_conv_c17(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c17)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @dynamic_conv_c18(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c18)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// A dimension in two parts.
func.func @dynamic_conv_c20(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c20)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 1, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// Both kinds of groups.
func.func @dynamic_conv_c23(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c23)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// One precision.
func.func @dynamic_conv_c24(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c24)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, precision_config = [#stablehlo<precision HIGH>]} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// The result has another shape.
func.func @dynamic_conv_c25(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf32>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c25)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf32>, tensor<1x2xi64>) -> tensor<4x5x12xf32>
  return
}

// Element types differ.
func.func @dynamic_conv_c27(%arg0: tensor<4x8x6xf32>, %arg1: tensor<3x6x12xf64>) {
  %c2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c27)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>} : (tensor<4x8x6xf32>, tensor<3x6x12xf64>, tensor<1x2xi64>) -> tensor<4x4x12xf32>
  return
}

// The result is quantized along another dimension than its features.
func.func @convolution_c30(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) {
  // expected-error@+1 {{(convolution_c30)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) -> tensor<4x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>
  return
}

// The result is quantized per axis, rhs per tensor.
func.func @convolution_c33(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(convolution_c33)}}
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>
  return
}

// Only lhs is quantized.
func.func @dynamic_conv_c28(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2xf32>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c28)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// Both sides, but not the result.
func.func @dynamic_conv_c28_2(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c28)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// Storage types of lhs and rhs differ.
func.func @dynamic_conv_c31(%arg0: tensor<4x8x2x!quant.uniform<i16:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c31)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i16:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// Expressed types differ.
func.func @dynamic_conv_c32(%arg0: tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c32)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f64, 0.5>>
  return
}

// Only rhs is quantized, for other numbers.
func.func @dynamic_conv_c34(%arg0: tensor<4x8x2xf64>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c34)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2xf64>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2xf64>
  return
}

// The result is one of other numbers.
func.func @dynamic_conv_c34_2(%arg0: tensor<4x8x2xf32>, %arg1: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %c2 = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{(dynamic_conv_c34)}}
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x2xf32>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2xf64>
  return
}
