// Shape functions: each question is answered with exactly the types that follow from operands, attributes and regions.
//
// RUN: sdy-opt %s --allow-unregistered-dialect --hlo-test-infer | filecheck %s

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @cbrt_c1(
func.func @cbrt_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @ceil_c1(
func.func @ceil_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @cosine_c1(
func.func @cosine_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @exponential_c1(
func.func @exponential_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.exponential"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @exponential_minus_one_c1(
func.func @exponential_minus_one_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @floor_c1(
func.func @floor_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @log_c1(
func.func @log_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @log_plus_one_c1(
func.func @log_plus_one_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @logistic_c1(
func.func @logistic_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @negate_c1(
func.func @negate_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @round_nearest_afz_c1(
func.func @round_nearest_afz_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @round_nearest_even_c1(
func.func @round_nearest_even_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @rsqrt_c1(
func.func @rsqrt_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @sign_c1(
func.func @sign_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @sine_c1(
func.func @sine_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @sqrt_c1(
func.func @sqrt_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @tan_c1(
func.func @tan_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @tanh_c1(
func.func @tanh_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// Quantized operands keep their type.
// CHECK-LABEL: func.func @sqrt_quantized(
func.func @sqrt_quantized(%arg0: tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @not_c1(
func.func @not_c1(%arg0: tensor<?xi32>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<?xi32>) -> tensor<?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @count_leading_zeros_c1(
func.func @count_leading_zeros_c1(%arg0: tensor<?xi32>) {
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<?xi32>) -> tensor<?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @popcnt_c1(
func.func @popcnt_c1(%arg0: tensor<?xi32>) {
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<?xi32>) -> tensor<?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @reduce_precision_c1(
func.func @reduce_precision_c1(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @add_c1(
func.func @add_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @atan2_c1(
func.func @atan2_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @divide_c1(
func.func @divide_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @maximum_c1(
func.func @maximum_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @minimum_c1(
func.func @minimum_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @multiply_c1(
func.func @multiply_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @power_c1(
func.func @power_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @remainder_c1(
func.func @remainder_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @subtract_c1(
func.func @subtract_c1(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xf32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xf32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @and_c1(
func.func @and_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @or_c1(
func.func @or_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @xor_c1(
func.func @xor_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @shift_left_c1(
func.func @shift_left_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @shift_right_arithmetic_c1(
func.func @shift_right_arithmetic_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// What either operand knows of a dimension.
// CHECK-LABEL: func.func @shift_right_logical_c1(
func.func @shift_right_logical_c1(%arg0: tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, %arg1: tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) {
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<?x3x?xi32, #stablehlo.bounds<7, ?, ?>>, tensor<?x?x4xi32, #stablehlo.bounds<5, ?, ?>>) -> tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x4xi32, #stablehlo.bounds<5, ?, ?>>) -> ()
  return
}

// Bounds of the second operand are not taken over.
// CHECK-LABEL: func.func @add_bounds_of_rhs(
func.func @add_bounds_of_rhs(%arg0: tensor<?xf32>, %arg1: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?xf32>, tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// Per axis.
// CHECK-LABEL: func.func @add_quantized(
func.func @add_quantized(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %arg1: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> ()
  return
}

// A complex number's absolute value is real.
// CHECK-LABEL: func.func @abs_c2(
func.func @abs_c2(%arg0: tensor<?xcomplex<f64>, #stablehlo.bounds<3>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<?xcomplex<f64>, #stablehlo.bounds<3>>) -> tensor<?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf64, #stablehlo.bounds<3>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> ()
  return
}

// A part of a complex number is real.
// CHECK-LABEL: func.func @real_c2(
func.func @real_c2(%arg0: tensor<2x?xcomplex<f32>>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<2x?xcomplex<f32>>) -> tensor<2x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xf32>) -> ()
  return
}

// A part of a complex number is real.
// CHECK-LABEL: func.func @imag_c2(
func.func @imag_c2(%arg0: tensor<2x?xcomplex<f32>>) {
  %0 = "stablehlo.imag"(%arg0) : (tensor<2x?xcomplex<f32>>) -> tensor<2x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xf32>) -> ()
  return
}

// A real number is its own real part.
// CHECK-LABEL: func.func @real_of_real(
func.func @real_of_real(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2xf32>) -> ()
  return
}

// Booleans, shaped as the operand.
// CHECK-LABEL: func.func @is_finite_c1(
func.func @is_finite_c1(%arg0: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1, #stablehlo.bounds<3>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// The first operand decides about the shape.
// CHECK-LABEL: func.func @complex_c3(
func.func @complex_c3(%arg0: tensor<?xf32>, %arg1: tensor<3xf32>) {
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xcomplex<f32>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xcomplex<f32>>) -> ()
  return
}

// The first operand decides about the shape.
// CHECK-LABEL: func.func @compare_c2(
func.func @compare_c2(%arg0: tensor<?xf32>, %arg1: tensor<3xf32>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// Bounds of the first operand are kept.
// CHECK-LABEL: func.func @compare_bounds(
func.func @compare_bounds(%arg0: tensor<?xi8, #stablehlo.bounds<4>>, %arg1: tensor<?xi8>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<?xi8, #stablehlo.bounds<4>>, tensor<?xi8>) -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1, #stablehlo.bounds<4>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// What both branches say.
// CHECK-LABEL: func.func @select_c2(
func.func @select_c2(%arg0: tensor<i1>, %arg1: tensor<?x3xf32>, %arg2: tensor<2x?xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// The operand's type; its bounds are lost.
// CHECK-LABEL: func.func @clamp_c4(
func.func @clamp_c4(%arg0: tensor<f32>, %arg1: tensor<?x2xf32, #stablehlo.bounds<4, ?>>, %arg2: tensor<f32>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x2xf32>) -> ()
  return
}

// The numbers that are expressed; bounds are lost.
// CHECK-LABEL: func.func @uniform_dequantize_c2(
func.func @uniform_dequantize_c2(%arg0: tensor<?x!quant.uniform<i8:f64, 0.5>, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<?x!quant.uniform<i8:f64, 0.5>, #stablehlo.bounds<4>>) -> tensor<?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf64>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> ()
  return
}

// The shape; the element type is open.
// CHECK-LABEL: func.func @convert_c1(
func.func @convert_c1(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 4>>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 4>>) -> tensor<2x?xi8>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xindex, #stablehlo.bounds<?, 4>>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x?xi8>) -> ()
  return
}

// The shape; the element type is open.
// CHECK-LABEL: func.func @uniform_quantize_c1(
func.func @uniform_quantize_c1(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x?xf32>) -> tensor<2x?x!quant.uniform<i8:f32, 5.000000e-01>>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x?x!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @cross_replica_sum_c1(
func.func @cross_replica_sum_c1(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// One value for each feature, bounded as the feature dimension.
// CHECK-LABEL: func.func @batch_norm_training_c7(
func.func @batch_norm_training_c7(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>, tensor<?xf32>, tensor<?xf32>) -> (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>, types1 = tensor<?xf32, #stablehlo.bounds<5>>, types2 = tensor<?xf32, #stablehlo.bounds<5>>} :
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<2x?xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @batch_norm_inference_c7(
func.func @batch_norm_inference_c7(%arg0: tensor<2x?xf32>, %arg1: tensor<4xf32>, %arg2: tensor<?xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?xf32>, tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xf32>) -> ()
  return
}

// The operand's type, and one value for each feature.
// CHECK-LABEL: func.func @batch_norm_grad_c3(
func.func @batch_norm_grad_c3(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x4xf32>, types1 = tensor<4xf32>, types2 = tensor<4xf32>} :
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<2x4xf32>) -> ()
  return
}

// New dimensions in front; bounds are lost.
// CHECK-LABEL: func.func @broadcast_c2(
func.func @broadcast_c2(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 5, 2>} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<5x2x?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x2x?x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<5x2x?x3xf32>) -> ()
  return
}

// Sizes and bounds in the new order.
// CHECK-LABEL: func.func @transpose_c3(
func.func @transpose_c3(%arg0: tensor<2x?x3xf32, #stablehlo.bounds<?, 5, ?>>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 2, 0>} : (tensor<2x?x3xf32, #stablehlo.bounds<?, 5, ?>>) -> tensor<?x3x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x2xf32, #stablehlo.bounds<5, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x2xf32>) -> ()
  return
}

// The quantization axis moves along.
// CHECK-LABEL: func.func @transpose_quantized(
func.func @transpose_quantized(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @reverse_c1(
func.func @reverse_c1(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<4, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3xf32>) -> ()
  return
}

// As many elements as steps; a last step may be cut short.
// CHECK-LABEL: func.func @slice_c5(
func.func @slice_c5(%arg0: tensor<8x5xf32>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 2>} : (tensor<8x5xf32>) -> tensor<3x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x3xf32>) -> ()
  return
}

// Known even where the operand's size is not.
// CHECK-LABEL: func.func @slice_dynamic(
func.func @slice_dynamic(%arg0: tensor<?x?xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 4, 3>, strides = array<i64: 1, 1>} : (tensor<?x?xf32, #stablehlo.bounds<4, ?>>) -> tensor<4x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x2xf32>) -> ()
  return
}

// The sizes that are asked for.
// CHECK-LABEL: func.func @dynamic_slice_c5(
func.func @dynamic_slice_c5(%arg0: tensor<?x5xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 3, 2>} : (tensor<?x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x2xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @dynamic_update_slice_c1(
func.func @dynamic_update_slice_c1(%arg0: tensor<?x5xf32, #stablehlo.bounds<4, ?>>, %arg1: tensor<2x2xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x5xf32, #stablehlo.bounds<4, ?>>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xf32, #stablehlo.bounds<4, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x5xf32>) -> ()
  return
}

// Padding around and between the elements.
// CHECK-LABEL: func.func @pad_c4(
func.func @pad_c4(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -2>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 2, 1>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<11x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<11x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<11x5xf32>) -> ()
  return
}

// A bound grows as a size does.
// CHECK-LABEL: func.func @pad_bounded(
func.func @pad_bounded(%arg0: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %arg1: tensor<f32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -2>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 2, 1>} : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<?x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xf32, #stablehlo.bounds<14, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x5xf32>) -> ()
  return
}

// Sizes add up.
// CHECK-LABEL: func.func @concatenate_c6(
func.func @concatenate_c6(%arg0: tensor<2x3xf32>, %arg1: tensor<4x?xf32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<4x?xf32>) -> tensor<6x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<6x3xf32>) -> ()
  return
}

// So do bounds, if all parts have one.
// CHECK-LABEL: func.func @concatenate_bounded(
func.func @concatenate_bounded(%arg0: tensor<?x2xf32, #stablehlo.bounds<4, ?>>, %arg1: tensor<?x2xf32, #stablehlo.bounds<5, ?>>, %arg2: tensor<3x2xf32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2) {dimension = 0 : i64} : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<?x2xf32, #stablehlo.bounds<5, ?>>, tensor<3x2xf32>) -> tensor<?x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<12, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x2xf32>) -> ()
  return
}

// One part of unknown size: the sum is not known.
// CHECK-LABEL: func.func @concatenate_dynamic(
func.func @concatenate_dynamic(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// Sizes of slices at the offset dimensions, of the indices elsewhere.
// CHECK-LABEL: func.func @gather_c22(
func.func @gather_c22(%arg0: tensor<3x4x2xi32>, %arg1: tensor<5xi64>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 2>} : (tensor<3x4x2xi32>, tensor<5xi64>) -> tensor<2x5x2xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x5x2xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5x2xi32>) -> ()
  return
}

// Bounds of the indices are kept.
// CHECK-LABEL: func.func @gather_bounded(
func.func @gather_bounded(%arg0: tensor<3x4x2xi32>, %arg1: tensor<?xi64, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 2>} : (tensor<3x4x2xi32>, tensor<?xi64, #stablehlo.bounds<5>>) -> tensor<2x?x2xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?x2xi32, #stablehlo.bounds<?, 5, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?x2xi32>) -> ()
  return
}

// Sizes of slices that are constant.
// CHECK-LABEL: func.func @dynamic_gather_c13(
func.func @dynamic_gather_c13(%arg0: tensor<3x4x2xi32>, %arg1: tensor<5xi64>) {
  %c2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x2xi32>, tensor<5xi64>, tensor<3xi64>) -> tensor<2x5x2xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x5x2xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5x2xi32>) -> ()
  return
}

// Sizes of slices that are not.
// CHECK-LABEL: func.func @dynamic_gather_unknown(
func.func @dynamic_gather_unknown(%arg0: tensor<3x4x2xi32>, %arg1: tensor<5xi64>, %arg2: tensor<3xi64>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1>} : (tensor<3x4x2xi32>, tensor<5xi64>, tensor<3xi64>) -> tensor<?x5x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x?xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x5x?xi32>) -> ()
  return
}

// The inputs' types.
// CHECK-LABEL: func.func @scatter_c24(
func.func @scatter_c24(%arg0: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %arg1: tensor<2x1xi32>, %arg2: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf32, #stablehlo.bounds<8, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x4xf32>) -> ()
  return
}

// The element type that the region returns.
// CHECK-LABEL: func.func @scatter_c25(
func.func @scatter_c25(%arg0: tensor<8x4xf32>, %arg1: tensor<2x1xi32>, %arg2: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<8x4xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<8x4xf64>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<8x4xf64>) -> ()
  return
}

// A 32-bit integer.
// CHECK-LABEL: func.func @get_dimension_size_c2(
func.func @get_dimension_size_c2(%arg0: tensor<?x4xf32>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 0 : i64} : (tensor<?x4xf32>) -> tensor<i32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<i32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<i32>) -> ()
  return
}

// The old size is the bound.
// CHECK-LABEL: func.func @set_dimension_size_bounded(
func.func @set_dimension_size_bounded(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf32, #stablehlo.bounds<?, 6>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x?xf32>) -> ()
  return
}

// A constant that is the bound makes it static.
// CHECK-LABEL: func.func @set_dimension_size_constant(
func.func @set_dimension_size_constant(%arg0: tensor<4x?xf32, #stablehlo.bounds<?, 6>>) {
  %c1 = stablehlo.constant dense<6> : tensor<i32>
  %0 = "stablehlo.set_dimension_size"(%arg0, %c1) {dimension = 1 : i64} : (tensor<4x?xf32, #stablehlo.bounds<?, 6>>, tensor<i32>) -> tensor<4x6xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x6xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x6xf32>) -> ()
  return
}

// Reduced dimensions go, with their bounds.
// CHECK-LABEL: func.func @reduce_c7(
func.func @reduce_c7(%arg0: tensor<?x3x?xf32, #stablehlo.bounds<7, ?, 5>>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x3x?xf32, #stablehlo.bounds<7, ?, 5>>, tensor<f32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// The element type that the region returns.
// CHECK-LABEL: func.func @reduce_c8(
func.func @reduce_c8(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3xf64>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<3xf64>) -> ()
  return
}

// One element for each position of the window.
// CHECK-LABEL: func.func @reduce_window_c14(
func.func @reduce_window_c14(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x4xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<7x4xf32>) -> ()
  return
}

// The same of a bound.
// CHECK-LABEL: func.func @reduce_window_bounded(
func.func @reduce_window_bounded(%arg0: tensor<?x4xf32, #stablehlo.bounds<4, ?>>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>} : (tensor<?x4xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?x4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf32, #stablehlo.bounds<7, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x4xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @select_and_scatter_c11(
func.func @select_and_scatter_c11(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4xf32>) -> ()
  return
}

// The element type that the region returns; bounds are lost.
// CHECK-LABEL: func.func @map_c4(
func.func @map_c4(%arg0: tensor<?x2xf32, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%a: tensor<f32>):
    %s = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x2xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x2xi1>) -> ()
  return
}

// The types of the inputs.
// CHECK-LABEL: func.func @sort_c2(
func.func @sort_c2(%arg0: tensor<?x2xf32, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<3, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x2xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @cholesky_c1(
func.func @cholesky_c1(%arg0: tensor<?x3x3xf32, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<?x3x3xf32, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x3x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x3xf32, #stablehlo.bounds<4, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x3xf32>) -> ()
  return
}

// The type of the right-hand sides.
// CHECK-LABEL: func.func @triangular_solve_c4(
func.func @triangular_solve_c4(%arg0: tensor<?x3x3xf32>, %arg1: tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<?x3x3xf32>, tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3x5xf32>) -> ()
  return
}

// A complex transform changes nothing.
// CHECK-LABEL: func.func @fft_c5(
func.func @fft_c5(%arg0: tensor<?x4xcomplex<f32>, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<?x4xcomplex<f32>, #stablehlo.bounds<3, ?>>) -> tensor<?x4xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xcomplex<f32>, #stablehlo.bounds<3, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x4xcomplex<f32>>) -> ()
  return
}

// Half of the numbers of a real transform say it all.
// CHECK-LABEL: func.func @fft_rfft(
func.func @fft_rfft(%arg0: tensor<?x?xf32, #stablehlo.bounds<3, 9>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<?x?xf32, #stablehlo.bounds<3, 9>>) -> tensor<?x5xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xcomplex<f32>, #stablehlo.bounds<3, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x5xcomplex<f32>>) -> ()
  return
}

// The length of the inverse real transform.
// CHECK-LABEL: func.func @fft_irfft(
func.func @fft_irfft(%arg0: tensor<4x4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 6>} : (tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x6xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x6xf32>) -> ()
  return
}

// Batching, free and free dimensions; the element type is open.
// CHECK-LABEL: func.func @dot_general_c12(
func.func @dot_general_c12(%arg0: tensor<2x?x4xf32>, %arg1: tensor<2x4x5xf32>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x?x4xf32>, tensor<2x4x5xf32>) -> tensor<2x?x5xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?x5xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x?x5xf32>) -> ()
  return
}

// A matrix and a vector.
// CHECK-LABEL: func.func @dot_c1(
func.func @dot_c1(%arg0: tensor<?x4xf32>, %arg1: tensor<4xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?xf32>) -> ()
  return
}

// The number of window positions; the element type is open.
// CHECK-LABEL: func.func @convolution_c25(
func.func @convolution_c25(%arg0: tensor<2x8x?x3xf32>, %arg1: tensor<3x3x3x16xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>, padding = dense<1> : tensor<2x2xi64>} : (tensor<2x8x?x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x4x?x16xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x4x?x16xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x4x?x16xf32>) -> ()
  return
}

// With padding that is constant.
// CHECK-LABEL: func.func @dynamic_conv_c25(
func.func @dynamic_conv_c25(%arg0: tensor<2x8x3xf32>, %arg1: tensor<3x3x16xf32>) {
  %c2 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x3xf32>, tensor<3x3x16xf32>, tensor<1x2xi64>) -> tensor<2x9x16xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x9x16xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x9x16xf32>) -> ()
  return
}

// The size times that of the groups.
// CHECK-LABEL: func.func @all_gather_c6(
func.func @all_gather_c6(%arg0: tensor<3x?xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<3x?xf32>) -> tensor<6x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<6x?xf32>) -> ()
  return
}

// The shapes of the operands.
// CHECK-LABEL: func.func @all_reduce_c6(
func.func @all_reduce_c6(%arg0: tensor<?x3xf32>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3xf32>) -> ()
  return
}

// The shapes of the operands.
// CHECK-LABEL: func.func @collective_reduce_c3(
func.func @collective_reduce_c3(%arg0: tensor<?x3xf32>) {
  %0 = "stablehlo.collective_reduce"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3xf32>) -> ()
  return
}

// The size divided by that of the groups.
// CHECK-LABEL: func.func @reduce_scatter_c8(
func.func @reduce_scatter_c8(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xf32>) -> ()
  return
}

// One dimension is divided, the other multiplied; so are bounds.
// CHECK-LABEL: func.func @all_to_all_c9(
func.func @all_to_all_c9(%arg0: tensor<4x?xf32, #stablehlo.bounds<?, 3>>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<2x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @collective_broadcast_c3(
func.func @collective_broadcast_c3(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<4, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3xf32>) -> ()
  return
}

// The operand's type.
// CHECK-LABEL: func.func @collective_permute_c5(
func.func @collective_permute_c5(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<4, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x3xf32>) -> ()
  return
}

// A bound that holds for both branches.
// CHECK-LABEL: func.func @if_c3(
func.func @if_c3(%arg0: tensor<i1>, %arg1: tensor<?xf32, #stablehlo.bounds<5>>, %arg2: tensor<?xf32, #stablehlo.bounds<7>>) {
  %0 = "stablehlo.if"(%arg0) ({
    stablehlo.return %arg1 : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
    stablehlo.return %arg2 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i1>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<7>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// A bound that holds for all branches.
// CHECK-LABEL: func.func @case_c4(
func.func @case_c4(%arg0: tensor<i32>, %arg1: tensor<?xf32, #stablehlo.bounds<5>>, %arg2: tensor<?xf32, #stablehlo.bounds<7>>) {
  %0 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1 : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
    stablehlo.return %arg2 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<7>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// The types of the operands.
// CHECK-LABEL: func.func @while_c3(
func.func @while_c3(%arg0: tensor<i32>) {
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%a: tensor<i32>):
    %s = stablehlo.compare LT, %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<i32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<i32>) -> ()
  return
}

// The types of the operands.
// CHECK-LABEL: func.func @optimization_barrier_c1(
func.func @optimization_barrier_c1(%arg0: tensor<?xf32, #stablehlo.bounds<3>>, %arg1: !stablehlo.token) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<3>>, !stablehlo.token) -> (tensor<?xf32, #stablehlo.bounds<3>>, !stablehlo.token)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<3>>, types1 = !stablehlo.token} :
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?xf32, #stablehlo.bounds<3>>) -> ()
  return
}

// The type of the value.
// CHECK-LABEL: func.func @constant_c1(
func.func @constant_c1() {
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xi8>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xi8>) -> ()
  return
}

// A shape that is constant.
// CHECK-LABEL: func.func @rng_c3(
func.func @rng_c3(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = "stablehlo.rng"(%arg0, %arg1, %c2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// A shape that is not.
// CHECK-LABEL: func.func @rng_unknown(
func.func @rng_unknown(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// A token.
// CHECK-LABEL: func.func @after_all_c1(
func.func @after_all_c1(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = "stablehlo.after_all"(%arg0, %arg1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token} :
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// A token.
// CHECK-LABEL: func.func @create_token_c1(
func.func @create_token_c1() {
  %0 = "stablehlo.create_token"() : () -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token} :
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// A token.
// CHECK-LABEL: func.func @outfeed_c1(
func.func @outfeed_c1(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token} :
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// A token.
// CHECK-LABEL: func.func @send_c6(
func.func @send_c6(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token} :
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// An unsigned integer.
// CHECK-LABEL: func.func @partition_id_c1(
func.func @partition_id_c1() {
  %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<ui32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<ui32>) -> ()
  return
}

// An unsigned integer.
// CHECK-LABEL: func.func @replica_id_c1(
func.func @replica_id_c1() {
  %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<ui32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<ui32>) -> ()
  return
}

// The tuple of the operands' types.
// CHECK-LABEL: func.func @tuple_c1(
func.func @tuple_c1(%arg0: tensor<2xf32>, %arg1: tensor<i1>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<2xf32>, tensor<i1>) -> tuple<tensor<2xf32>, tensor<i1>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tuple<tensor<2xf32>, tensor<i1>>} :
  "hlo_test_infer.get_return_types"(%0) : (tuple<tensor<2xf32>, tensor<i1>>) -> ()
  return
}

// The type in the tuple.
// CHECK-LABEL: func.func @get_tuple_element_c2(
func.func @get_tuple_element_c2(%arg0: tuple<tensor<2xf32>, tensor<i1>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 1 : i32} : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<i1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<i1>) -> ()
  return
}

// A future of what the region returns.
// CHECK-LABEL: func.func @async_start_c4(
func.func @async_start_c4(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%a: tensor<4xf32>):
    %s = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.future<tensor<2xf32>>} :
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.future<tensor<2xf32>>) -> ()
  return
}

// What the future holds.
// CHECK-LABEL: func.func @async_done_c1(
func.func @async_done_c1(%arg0: !stablehlo.future<tensor<2xf32>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2xf32>) -> ()
  return
}

// A size for each letter behind the arrow.
// CHECK-LABEL: func.func @einsum_c5(
func.func @einsum_c5(%arg0: tensor<2x?xf32>, %arg1: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ab,bc->ca"} : (tensor<2x?xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x2xf32>) -> ()
  return
}

// A size for each letter behind the arrow.
// CHECK-LABEL: func.func @unary_einsum_c5(
func.func @unary_einsum_c5(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->b"} : (tensor<2x?xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// What occurs once, in alphabetical order, behind the dimensions without a letter, of which those of size one are repeated.
// CHECK-LABEL: func.func @einsum_ellipsis_c5(
func.func @einsum_ellipsis_c5(%arg0: tensor<7x1x2x3xf32>, %arg1: tensor<?x3x4xf32, #stablehlo.bounds<6, ?, ?>>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "...zj,...ja"} : (tensor<7x1x2x3xf32>, tensor<?x3x4xf32, #stablehlo.bounds<6, ?, ?>>) -> tensor<7x?x4x2xf32, #stablehlo.bounds<?, 6, ?, ?>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?x4x2xf32, #stablehlo.bounds<?, 6, ?, ?>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<7x?x4x2xf32, #stablehlo.bounds<?, 6, ?, ?>>) -> ()
  return
}

// One selection for each of two batches.
// CHECK-LABEL: func.func @torch_index_select_batch_c4(
func.func @torch_index_select_batch_c4(%arg0: tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 9>>, %arg1: tensor<2x5xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 9>>, tensor<2x5xi32>) -> tensor<2x5x?xf32, #stablehlo.bounds<?, ?, 9>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x5x?xf32, #stablehlo.bounds<?, ?, 9>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5x?xf32, #stablehlo.bounds<?, ?, 9>>) -> ()
  return
}

// The indices in place of a dimension.
// CHECK-LABEL: func.func @torch_index_select_c4(
func.func @torch_index_select_c4(%arg0: tensor<2x3x4xf32>, %arg1: tensor<5xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3x4xf32>, tensor<5xi32>) -> tensor<2x5x4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x5x4xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5x4xf32>) -> ()
  return
}

func.func private @decomposition(tensor<2x?xf32>) -> tensor<?x2xf32>

// The results of the decomposition.
// CHECK-LABEL: func.func @composite_c4(
func.func @composite_c4(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.composite"(%arg0) {name = "my.op", decomposition = @decomposition} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x2xf32>) -> ()
  return
}

// The sizes of the result, computed from those of the operands.
// CHECK-LABEL: func.func @concatenate_shape(
func.func @concatenate_shape(%arg0: tensor<?x3xf32>, %arg1: tensor<4x3xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  // CHECK:      %[[D:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?x3xf32>
  // CHECK:      %[[SUM:.*]] = arith.addi %[[D]], %{{.*}} : index
  // CHECK:      %[[SIZES:.*]] = tensor.from_elements %[[SUM]], %{{.*}} : tensor<2xindex>
  // CHECK-NEXT: return %[[SIZES]]
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xf32>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// Asked for something of another type, the question stays, and nothing is computed.
// CHECK-LABEL: func.func @concatenate_shape_of_other_type(
func.func @concatenate_shape_of_other_type(%arg0: tensor<?x3xf32>, %arg1: tensor<4x3xf32>) -> tensor<?xindex> {
  // CHECK-NEXT: stablehlo.concatenate
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: "hlo_test_infer.reify_return_type_shapes"
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xf32>) -> tensor<?xindex>
  return %1 : tensor<?xindex>
}

// The shape that is given, of the operand's elements.
// CHECK-LABEL: func.func @dynamic_broadcast_in_dim_c7(
func.func @dynamic_broadcast_in_dim_c7(%arg0: tensor<1x?xf32>) {
  %shape = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %shape) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<2x?x4xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x4xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?x4xf32>) -> ()
  return
}

// As many sizes as there are entries, none of them known, and any element type.
// CHECK-LABEL: func.func @dynamic_iota_c2(
func.func @dynamic_iota_c2(%arg0: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// The padded size, if the paddings are known.
// CHECK-LABEL: func.func @dynamic_pad_c4(
func.func @dynamic_pad_c4(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  %low = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %low, %low, %low) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// Nothing may be left.
// CHECK-LABEL: func.func @dynamic_pad_c4_empty(
func.func @dynamic_pad_c4_empty(%arg0: tensor<2xf32>, %arg1: tensor<f32>) {
  %cut = stablehlo.constant dense<-1> : tensor<1xi64>
  %none = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %cut, %cut, %none) : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<0xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// The shape that is given.
// CHECK-LABEL: func.func @dynamic_reshape_c4(
func.func @dynamic_reshape_c4(%arg0: tensor<?x3xf32>) {
  %shape = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_reshape"(%arg0, %shape) : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x6xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x6xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x6xf32>) -> ()
  return
}

// The number of steps, if all indices are known.
// CHECK-LABEL: func.func @real_dynamic_slice_c4(
func.func @real_dynamic_slice_c4(%arg0: tensor<?xf32>) {
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<6> : tensor<1xi64>
  %stride = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %start, %limit, %stride) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}
