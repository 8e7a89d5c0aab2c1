// Ops one by one: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// The declared size need not be known from the operands.
func.func @add(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @add_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(add_c1)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// The result's element type is another.
func.func @add_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  // expected-error@+1 {{(add_c1)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// A size above the bound of the other operand.
func.func @add_c1_3(%arg0: tensor<6xf32>, %arg1: tensor<?xf32, #stablehlo.bounds<5>>) {
  // expected-error@+1 {{(add_c1)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<6xf32>, tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<6xf32>
  return
}

// Quantized operands may differ in their scales.
func.func @add_too(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}

// One operand per axis makes the result so.
func.func @add_per_axis(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, %arg1: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// Only one operand is quantized.
func.func @add_c2(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(add_c2)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}

// Storage types differ.
func.func @add_c3(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{(add_c3)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}

// Expressed types differ.
func.func @add_c4(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{(add_c4)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f64, 0.5>>
  return
}

// A result per axis, of operands that are not.
func.func @add_c5(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{(add_c5)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// Sizes known from either operand.
func.func @multiply(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @multiply_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(multiply_c1)}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @multiply_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(multiply_c1)}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @and(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @and_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(and_c1)}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @and_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(and_c1)}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// Sizes known from either operand.
func.func @atan2(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @atan2_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(atan2_c1)}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @atan2_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(atan2_c1)}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @divide(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @divide_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(divide_c1)}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @divide_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(divide_c1)}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @maximum(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @maximum_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(maximum_c1)}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @maximum_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(maximum_c1)}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @minimum(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @minimum_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(minimum_c1)}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @minimum_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(minimum_c1)}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @or(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @or_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(or_c1)}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @or_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(or_c1)}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// Sizes known from either operand.
func.func @power(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @power_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(power_c1)}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @power_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(power_c1)}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @remainder(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @remainder_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(remainder_c1)}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @remainder_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(remainder_c1)}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @shift_left(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @shift_left_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(shift_left_c1)}}
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @shift_left_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(shift_left_c1)}}
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// Sizes known from either operand.
func.func @shift_right_arithmetic(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @shift_right_arithmetic_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(shift_right_arithmetic_c1)}}
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @shift_right_arithmetic_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(shift_right_arithmetic_c1)}}
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// Sizes known from either operand.
func.func @shift_right_logical(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @shift_right_logical_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(shift_right_logical_c1)}}
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @shift_right_logical_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(shift_right_logical_c1)}}
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// Sizes known from either operand.
func.func @subtract(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @subtract_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(subtract_c1)}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @subtract_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf64>) {
  // expected-error@+1 {{(subtract_c1)}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Sizes known from either operand.
func.func @xor(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @xor_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<3x3xi32>) {
  // expected-error@+1 {{(xor_c1)}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<3x3xi32>) -> tensor<2x3xi32>
  return
}

// Element types differ.
func.func @xor_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x3xi8>) {
  // expected-error@+1 {{(xor_c1)}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

// The declared size need not be known from the operand.
func.func @tanh(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @tanh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tanh_c1)}}
  %0 = "stablehlo.tanh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @tanh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tanh_c1)}}
  %0 = "stablehlo.tanh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @floor(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @floor_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(floor_c1)}}
  %0 = "stablehlo.floor"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @floor_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(floor_c1)}}
  %0 = "stablehlo.floor"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @negate(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @negate_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(negate_c1)}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @negate_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(negate_c1)}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @not(%arg0: tensor<2x?xi32>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xi32>
  return
}

// The result has another shape.
func.func @not_c1(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(not_c1)}}
  %0 = "stablehlo.not"(%arg0) : (tensor<2x?xi32>) -> tensor<3x?xi32>
  return
}

// The result has another element type.
func.func @not_c1_2(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(not_c1)}}
  %0 = "stablehlo.not"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xi8>
  return
}

// The declared size need not be known from the operand.
func.func @popcnt(%arg0: tensor<2x?xi32>) {
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xi32>
  return
}

// The result has another shape.
func.func @popcnt_c1(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(popcnt_c1)}}
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<2x?xi32>) -> tensor<3x?xi32>
  return
}

// The result has another element type.
func.func @popcnt_c1_2(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(popcnt_c1)}}
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xi8>
  return
}

// The declared size need not be known from the operand.
func.func @sign(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @sign_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sign_c1)}}
  %0 = "stablehlo.sign"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @sign_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sign_c1)}}
  %0 = "stablehlo.sign"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// Real, of a complex number.
func.func @abs(%arg0: tensor<?xcomplex<f32>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Shapes differ.
func.func @abs_c1(%arg0: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{(abs_c1)}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<3xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Of the wrong precision.
func.func @abs_c2(%arg0: tensor<?xcomplex<f32>>) {
  // expected-error@+1 {{(abs_c2)}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf64>
  return
}

// Real, of a complex number.
func.func @real(%arg0: tensor<?xcomplex<f32>>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Shapes differ.
func.func @real_c1(%arg0: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{(real_c1)}}
  %0 = "stablehlo.real"(%arg0) : (tensor<3xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Of the wrong precision.
func.func @real_c2(%arg0: tensor<?xcomplex<f32>>) {
  // expected-error@+1 {{(real_c2)}}
  %0 = "stablehlo.real"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf64>
  return
}

// Real, of a complex number.
func.func @imag(%arg0: tensor<?xcomplex<f32>>) {
  %0 = "stablehlo.imag"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Shapes differ.
func.func @imag_c1(%arg0: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{(imag_c1)}}
  %0 = "stablehlo.imag"(%arg0) : (tensor<3xcomplex<f32>>) -> tensor<2xf32>
  return
}

// Of the wrong precision.
func.func @imag_c2(%arg0: tensor<?xcomplex<f32>>) {
  // expected-error@+1 {{(imag_c2)}}
  %0 = "stablehlo.imag"(%arg0) : (tensor<?xcomplex<f32>>) -> tensor<2xf64>
  return
}

// Booleans.
func.func @is_finite(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<?xf32>) -> tensor<2xi1>
  return
}

// Shapes differ.
func.func @is_finite_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(is_finite_c1)}}
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<3xf32>) -> tensor<2xi1>
  return
}

// Of two real parts.
func.func @complex(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xcomplex<f32>>
  return
}

// Parts of different types.
func.func @complex_c1(%arg0: tensor<2xf32>, %arg1: tensor<2xf64>) {
  // expected-error@+1 {{(complex_c1)}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// Shapes differ.
func.func @complex_c2(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  // expected-error@+1 {{(complex_c2)}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<2xf32>, tensor<?xf32>) -> tensor<3xcomplex<f32>>
  return
}

// Of another precision than the parts.
func.func @complex_c3(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  // expected-error@+1 {{(complex_c3)}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xcomplex<f64>>
  return
}

// A comparison of floats.
func.func @compare(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xi1>
  return
}

// Element types differ.
func.func @compare_c1(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(compare_c1)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// Shapes differ.
func.func @compare_c2(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(compare_c2)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}

// Floats are not compared as integers.
func.func @compare_c3(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {
  // expected-error@+1 {{(compare_c3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xi1>
  return
}

// One choice for all elements.
func.func @select(%arg0: tensor<i1>, %arg1: tensor<2x?xf32>, %arg2: tensor<?x3xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// A choice for each element.
func.func @select_elementwise(%arg0: tensor<2x3xi1>, %arg1: tensor<2x?xf32>, %arg2: tensor<?x3xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<2x3xi1>, tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// A choice of another shape.
func.func @select_c1(%arg0: tensor<3x2xi1>, %arg1: tensor<2x?xf32>, %arg2: tensor<?x3xf32>) {
  // expected-error@+1 {{(select_c1)}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3x2xi1>, tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// Branches of different shapes.
func.func @select_c2(%arg0: tensor<i1>, %arg1: tensor<2x?xf32>, %arg2: tensor<2xf32>) {
  // expected-error@+1 {{(select_c2)}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// Branches of different element types.
func.func @select_c2_2(%arg0: tensor<i1>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3xf64>) {
  // expected-error@+1 {{(select_c2)}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x?xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// Limits for all elements, or one for each.
func.func @clamp(%arg0: tensor<f32>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3xf32>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A lower limit of another shape.
func.func @clamp_c1(%arg0: tensor<2xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3xf32>) {
  // expected-error@+1 {{(clamp_c1)}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<2xf32>, tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// An upper limit of another shape.
func.func @clamp_c2(%arg0: tensor<f32>, %arg1: tensor<2x?xf32>, %arg2: tensor<2xf32>) {
  // expected-error@+1 {{(clamp_c2)}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// A limit of another element type.
func.func @clamp_c3(%arg0: tensor<f64>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3xf32>) {
  // expected-error@+1 {{(clamp_c3)}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f64>, tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @clamp_c4(%arg0: tensor<f32>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3xf32>) {
  // expected-error@+1 {{(clamp_c4)}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// Any element type.
func.func @convert(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xi8>
  return
}

// Shapes differ.
func.func @convert_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(convert_c1)}}
  %0 = "stablehlo.convert"(%arg0) : (tensor<2x?xf32>) -> tensor<3x3xi8>
  return
}

// The numbers expressed are those of the operand.
func.func @uniform_quantize(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// Shapes differ.
func.func @uniform_quantize_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(uniform_quantize_c1)}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<3xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// Other numbers are expressed.
func.func @uniform_quantize_c2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(uniform_quantize_c2)}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f64, 0.5>>
  return
}

// The numbers expressed.
func.func @uniform_dequantize(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  return
}

// Shapes differ.
func.func @uniform_dequantize_c1(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(uniform_dequantize_c1)}}
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  return
}

// Other numbers than those expressed.
func.func @uniform_dequantize_c2(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(uniform_dequantize_c2)}}
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf64>
  return
}

// Four bytes for each float.
func.func @bitcast_convert(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2x4xi8>
  return
}

// The innermost dimension becomes one element.
func.func @bitcast_convert_wider(%arg0: tensor<2x?xi8>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x?xi8>) -> tensor<2xf32>
  return
}

// Not the bytes of a float.
func.func @bitcast_convert_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(bitcast_convert_c1)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2x3xi8>
  return
}

// Equal widths, other shapes.
func.func @bitcast_convert_c1_2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(bitcast_convert_c1)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// No dimension for the bytes.
func.func @bitcast_convert_c1_3(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(bitcast_convert_c1)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2xi8>
  return
}

// Complex numbers from others.
func.func @bitcast_convert_c2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(bitcast_convert_c2)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}

// Fewer bits.
func.func @reduce_precision(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 0 : i32} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// Shapes differ.
func.func @reduce_precision_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(reduce_precision_c1)}}
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 0 : i32} : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// New dimensions in front.
func.func @broadcast(%arg0: tensor<?x3xf32>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2>} : (tensor<?x3xf32>) -> tensor<2x?x3xf32>
  return
}

// A negative size.
func.func @broadcast_c1(%arg0: tensor<?x3xf32>) {
  // expected-error@+1 {{(broadcast_c1)}}
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: -2>} : (tensor<?x3xf32>) -> tensor<2x?x3xf32>
  return
}

// Element types differ.
func.func @broadcast_c1_2(%arg0: tensor<?x3xf32>) {
  // expected-error@+1 {{(broadcast_c1)}}
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2>} : (tensor<?x3xf32>) -> tensor<2x?x3xf64>
  return
}

// The result has another shape.
func.func @broadcast_c2(%arg0: tensor<?x3xf32>) {
  // expected-error@+1 {{(broadcast_c2)}}
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2>} : (tensor<?x3xf32>) -> tensor<3x?x3xf32>
  return
}

// Size 1 becomes any, an unknown one the result's.
func.func @broadcast_in_dim(%arg0: tensor<1x?xf32>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<1x?xf32>) -> tensor<3x4x5xf32>
  return
}

// Element types differ.
func.func @broadcast_in_dim_c1(%arg0: tensor<1x?xf32>) {
  // expected-error@+1 {{(broadcast_in_dim_c1)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<1x?xf32>) -> tensor<3x4x5xf64>
  return
}

// A place for each dimension.
func.func @broadcast_in_dim_c2(%arg0: tensor<1x?xf32>) {
  // expected-error@+1 {{(broadcast_in_dim_c2)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2>} : (tensor<1x?xf32>) -> tensor<3x4x5xf32>
  return
}

// A place that the result has not.
func.func @broadcast_in_dim_c3(%arg0: tensor<1x?xf32>) {
  // expected-error@+1 {{(broadcast_in_dim_c3)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 3, 0>} : (tensor<1x?xf32>) -> tensor<3x4x5xf32>
  return
}

// One place for two dimensions.
func.func @broadcast_in_dim_c4(%arg0: tensor<1x?xf32>) {
  // expected-error@+1 {{(broadcast_in_dim_c4)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 2>} : (tensor<1x?xf32>) -> tensor<3x4x5xf32>
  return
}

// Neither 1 nor the result's size.
func.func @broadcast_in_dim_c5(%arg0: tensor<1x2xf32>) {
  // expected-error@+1 {{(broadcast_in_dim_c5)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<1x2xf32>) -> tensor<3x4x5xf32>
  return
}

// The quantization axis goes elsewhere.
func.func @broadcast_in_dim_c6(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{(broadcast_in_dim_c6)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.5}>>
  return
}

// A repeated scale is the same everywhere.
func.func @broadcast_in_dim_c6_2(%arg0: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  // expected-error@+1 {{(broadcast_in_dim_c6)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// Here it is.
func.func @broadcast_in_dim_repeated_scale(%arg0: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// The same elements.
func.func @reshape(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// Nothing is known of the operand.
func.func @reshape_dynamic(%arg0: tensor<?x3xf32>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<?x3xf32>) -> tensor<6xf32>
  return
}

// Element types differ.
func.func @reshape_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(reshape_c1)}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<6xf64>
  return
}

// Another number of elements.
func.func @reshape_c2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(reshape_c2)}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// The quantization axis moves to the front.
func.func @reshape_c3(%arg0: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.5}>>) {
  // expected-error@+1 {{(reshape_c3)}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.5}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.5}>>
  return
}

// Dimensions in another order.
func.func @transpose(%arg0: tensor<2x?x4xf32>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x?x4xf32>) -> tensor<4x2x3xf32>
  return
}

// Element types differ.
func.func @transpose_c1(%arg0: tensor<2x?x4xf32>) {
  // expected-error@+1 {{(transpose_c1)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x?x4xf32>) -> tensor<4x2x3xf64>
  return
}

// Quantized with another scale.
func.func @transpose_c1_2(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(transpose_c1)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.25>>
  return
}

// A dimension twice.
func.func @transpose_c2(%arg0: tensor<2x?x4xf32>) {
  // expected-error@+1 {{(transpose_c2)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 0>} : (tensor<2x?x4xf32>) -> tensor<4x2x3xf32>
  return
}

// A dimension is missing.
func.func @transpose_c2_2(%arg0: tensor<2x?x4xf32>) {
  // expected-error@+1 {{(transpose_c2)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x?x4xf32>) -> tensor<4x2x3xf32>
  return
}

// The sizes where they were.
func.func @transpose_c3(%arg0: tensor<2x?x4xf32>) {
  // expected-error@+1 {{(transpose_c3)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x?x4xf32>) -> tensor<2x3x4xf32>
  return
}

// The quantization axis stays where it was.
func.func @transpose_c4(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{(transpose_c4)}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// Two dimensions.
func.func @reverse(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1, 0>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @reverse_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(reverse_c1)}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1, 0>} : (tensor<2x?xf32>) -> tensor<3x3xf32>
  return
}

// A dimension twice.
func.func @reverse_c2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(reverse_c2)}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1, 1>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// No such dimension.
func.func @reverse_c3(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(reverse_c3)}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 2>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Every third row, five columns of any number.
func.func @slice(%arg0: tensor<8x?xf32>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// Element types differ.
func.func @slice_c1(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c1)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf64>
  return
}

// Limits of fewer dimensions.
func.func @slice_c2(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c2)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// More entries than dimensions.
func.func @slice_c2_2(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{(slice_c2)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8xf32>) -> tensor<3x5xf32>
  return
}

// A negative start.
func.func @slice_c3(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c3)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: -1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// A limit above the size.
func.func @slice_c3_2(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c3)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 9, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// A limit above the bound.
func.func @slice_c3_3(%arg0: tensor<8x?xf32, #stablehlo.bounds<?, 4>>) {
  // expected-error@+1 {{(slice_c3)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32, #stablehlo.bounds<?, 4>>) -> tensor<3x5xf32>
  return
}

// A start above the limit.
func.func @slice_c3_4(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c3)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 6>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// A stride of zero.
func.func @slice_c4(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c4)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 0, 1>} : (tensor<8x?xf32>) -> tensor<3x5xf32>
  return
}

// The result has another shape.
func.func @slice_c5(%arg0: tensor<8x?xf32>) {
  // expected-error@+1 {{(slice_c5)}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 3, 1>} : (tensor<8x?xf32>) -> tensor<2x5xf32>
  return
}

// Two starts for two dimensions.
func.func @dynamic_slice(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
  return
}

// Element types differ.
func.func @dynamic_slice_c1(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c1)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf64>
  return
}

// Sizes of fewer dimensions.
func.func @dynamic_slice_c2(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c2)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
  return
}

// A start is missing.
func.func @dynamic_slice_c2_2(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c2)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1) {slice_sizes = array<i64: 2, 5>} : (tensor<8x?xf32>, tensor<i32>) -> tensor<2x5xf32>
  return
}

// Starts of different types.
func.func @dynamic_slice_c3(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i64>) {
  // expected-error@+1 {{(dynamic_slice_c3)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i64>) -> tensor<2x5xf32>
  return
}

// A negative size.
func.func @dynamic_slice_c4(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c4)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: -1, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
  return
}

// A size above the operand's.
func.func @dynamic_slice_c4_2(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c4)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 9, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
  return
}

// The result has another shape.
func.func @dynamic_slice_c5(%arg0: tensor<8x?xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_slice_c5)}}
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 5>} : (tensor<8x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return
}

// A part is replaced.
func.func @dynamic_update_slice(%arg0: tensor<8x?xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<2x?xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return
}

// The result has another shape.
func.func @dynamic_update_slice_c1(%arg0: tensor<8x?xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  // expected-error@+1 {{(dynamic_update_slice_c1)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<2x?xf32>, tensor<i32>, tensor<i32>) -> tensor<7x5xf32>
  return
}

// Element types differ.
func.func @dynamic_update_slice_c2(%arg0: tensor<8x?xf32>, %arg1: tensor<2x?xf64>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  // expected-error@+1 {{(dynamic_update_slice_c2)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<2x?xf64>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return
}

// Ranks differ.
func.func @dynamic_update_slice_c3(%arg0: tensor<8x?xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  // expected-error@+1 {{(dynamic_update_slice_c3)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return
}

// A start is missing.
func.func @dynamic_update_slice_c4(%arg0: tensor<8x?xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(dynamic_update_slice_c4)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<8x?xf32>, tensor<2x?xf32>, tensor<i32>) -> tensor<8x5xf32>
  return
}

// Starts of different types.
func.func @dynamic_update_slice_c5(%arg0: tensor<8x?xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<i32>, %arg3: tensor<i64>) {
  // expected-error@+1 {{(dynamic_update_slice_c5)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<2x?xf32>, tensor<i32>, tensor<i64>) -> tensor<8x5xf32>
  return
}

// An update that is too large.
func.func @dynamic_update_slice_c6(%arg0: tensor<8x?xf32>, %arg1: tensor<9x?xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  // expected-error@+1 {{(dynamic_update_slice_c6)}}
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x?xf32>, tensor<9x?xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  return
}

// Outside and between; what is cut off is negative.
func.func @pad(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// Padding of another type.
func.func @pad_c1(%arg0: tensor<3x?xf32>, %arg1: tensor<f64>) {
  // expected-error@+1 {{(pad_c1)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>} : (tensor<3x?xf32>, tensor<f64>) -> tensor<6x4xf32>
  return
}

// Lists of different lengths.
func.func @pad_c2(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(pad_c2)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// Fewer entries than dimensions.
func.func @pad_c2_2(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(pad_c2)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 1>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// Nothing is removed between elements.
func.func @pad_c3(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(pad_c3)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: -1, 0>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// More is cut off than there is.
func.func @pad_c4(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(pad_c4)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -9, 0>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// The result has another shape.
func.func @pad_c4_2(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(pad_c4)}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>} : (tensor<3x?xf32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// A size that the operands leave open.
func.func @concatenate(%arg0: tensor<2x3xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<5x3xf32>
  return
}

// Element types differ.
func.func @concatenate_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<?x3xf64>) {
  // expected-error@+1 {{(concatenate_c1)}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<?x3xf64>) -> tensor<5x3xf32>
  return
}

// Ranks differ.
func.func @concatenate_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(concatenate_c2)}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return
}

// Another dimension differs.
func.func @concatenate_c2_2(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>) {
  // expected-error@+1 {{(concatenate_c2)}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<5x3xf32>
  return
}

// Nothing to concatenate.
func.func @concatenate_c3() {
  // expected-error@+1 {{(concatenate_c3)}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<5x3xf32>
  return
}

// No such dimension.
func.func @concatenate_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<?x3xf32>) {
  // expected-error@+1 {{(concatenate_c4)}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 2 : i64} : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<5x3xf32>
  return
}

// The result has another size.
func.func @concatenate_c6(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  // expected-error@+1 {{(concatenate_c6)}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// Starts, limits and strides as operands.
func.func @real_dynamic_slice(%arg0: tensor<?x?xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>) {
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// Element types differ.
func.func @real_dynamic_slice_c1(%arg0: tensor<?x?xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>) {
  // expected-error@+1 {{(real_dynamic_slice_c1)}}
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf64>
  return
}

// Indices of different types.
func.func @real_dynamic_slice_c2(%arg0: tensor<?x?xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2xi32>, %arg3: tensor<2xi64>) {
  // expected-error@+1 {{(real_dynamic_slice_c2)}}
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// An entry for each dimension.
func.func @real_dynamic_slice_c3(%arg0: tensor<?x?xf32>, %arg1: tensor<3xi64>, %arg2: tensor<3xi64>, %arg3: tensor<3xi64>) {
  // expected-error@+1 {{(real_dynamic_slice_c3)}}
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x?xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// A batch of matrices.
func.func @cholesky(%arg0: tensor<?x3x3xf32>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<?x3x3xf32>) -> tensor<2x3x3xf32>
  return
}

// The result has another shape.
func.func @cholesky_c1(%arg0: tensor<?x3x3xf32>) {
  // expected-error@+1 {{(cholesky_c1)}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<?x3x3xf32>) -> tensor<2x3x4xf32>
  return
}

// A vector.
func.func @cholesky_c2(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(cholesky_c2)}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// Not square.
func.func @cholesky_c3(%arg0: tensor<3x4xf32>) {
  // expected-error@+1 {{(cholesky_c3)}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// A batch whose matrices are as high as it is long.
func.func @cholesky_c3_2(%arg0: tensor<2x3x4xf32>) {
  // expected-error@+1 {{(cholesky_c3)}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// A batch of systems.
func.func @triangular_solve(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x?xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<2x3x?xf32>) -> tensor<2x3x5xf32>
  return
}

// Element types differ.
func.func @triangular_solve_c1(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x?xf64>) {
  // expected-error@+1 {{(triangular_solve_c1)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<2x3x?xf64>) -> tensor<2x3x5xf32>
  return
}

// A vector.
func.func @triangular_solve_c2(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(triangular_solve_c2)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// Ranks differ.
func.func @triangular_solve_c2_2(%arg0: tensor<2x3x3xf32>, %arg1: tensor<3x5xf32>) {
  // expected-error@+1 {{(triangular_solve_c2)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<3x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Not square.
func.func @triangular_solve_c3(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3x?xf32>) {
  // expected-error@+1 {{(triangular_solve_c3)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x4xf32>, tensor<2x3x?xf32>) -> tensor<2x3x5xf32>
  return
}

// Sides of other length.
func.func @triangular_solve_c3_2(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x4x5xf32>) {
  // expected-error@+1 {{(triangular_solve_c3)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Other batches.
func.func @triangular_solve_c3_3(%arg0: tensor<2x3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+1 {{(triangular_solve_c3)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<4x3x5xf32>) -> tensor<2x3x5xf32>
  return
}

// The result has another shape.
func.func @triangular_solve_c4(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x?xf32>) {
  // expected-error@+1 {{(triangular_solve_c4)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xf32>, tensor<2x3x?xf32>) -> tensor<2x5x3xf32>
  return
}

// No way to transpose.
func.func @triangular_solve_i6(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x?xf32>) {
  // expected-error@+1 {{(triangular_solve_i6)}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<2x3x3xf32>, tensor<2x3x?xf32>) -> tensor<2x3x5xf32>
  return
}

// Half of the numbers, and one.
func.func @fft(%arg0: tensor<?x8xf32>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<?x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// More lengths than dimensions.
func.func @fft_c1(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{(fft_c1)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8, 8>} : (tensor<8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// Complex numbers have no real transform.
func.func @fft_c2(%arg0: tensor<3x8xcomplex<f32>>) {
  // expected-error@+1 {{(fft_c2)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<3x8xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return
}

// Real numbers have no complex one.
func.func @fft_c2_2(%arg0: tensor<?x8xf32>) {
  // expected-error@+1 {{(fft_c2)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<?x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// No length.
func.func @fft_c3(%arg0: tensor<?x8xf32>) {
  // expected-error@+1 {{(fft_c3)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64>} : (tensor<?x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// Four lengths.
func.func @fft_c3_2(%arg0: tensor<1x1x1x8xf32>) {
  // expected-error@+1 {{(fft_c3)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 1, 1, 1, 8>} : (tensor<1x1x1x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// Another length.
func.func @fft_c4(%arg0: tensor<?x8xf32>) {
  // expected-error@+1 {{(fft_c4)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 7>} : (tensor<?x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// Not half of the length.
func.func @fft_c4_2(%arg0: tensor<3x5xcomplex<f32>>) {
  // expected-error@+1 {{(fft_c4)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 7>} : (tensor<3x5xcomplex<f32>>) -> tensor<3x7xf32>
  return
}

// The result has another shape.
func.func @fft_c5(%arg0: tensor<?x8xf32>) {
  // expected-error@+1 {{(fft_c5)}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<?x8xf32>) -> tensor<3x8xcomplex<f32>>
  return
}

// A size of run time.
func.func @get_dimension_size(%arg0: tensor<?x3xf32>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 0 : i64} : (tensor<?x3xf32>) -> tensor<i32>
  return
}

// No such dimension.
func.func @get_dimension_size_c1(%arg0: tensor<?x3xf32>) {
  // expected-error@+1 {{(get_dimension_size_c1)}}
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 2 : i64} : (tensor<?x3xf32>) -> tensor<i32>
  return
}

// A scalar.
func.func @get_dimension_size_c2(%arg0: tensor<?x3xf32>) {
  // expected-error@+1 {{(get_dimension_size_c2)}}
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 0 : i64} : (tensor<?x3xf32>) -> tensor<1xi32>
  return
}

// At most the old size.
func.func @set_dimension_size(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  return
}

// No such dimension.
func.func @set_dimension_size_c1(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{(set_dimension_size_c1)}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 2 : i64} : (tensor<4x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  return
}

// A size that is no scalar.
func.func @set_dimension_size_c2(%arg0: tensor<4x3xf32>, %arg1: tensor<1xi32>) {
  // expected-error@+1 {{(set_dimension_size_c2)}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  return
}

// More than the old size.
func.func @set_dimension_size_c3(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{(set_dimension_size_c3)}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<i32>) -> tensor<5x3xf32>
  return
}

// Along a dimension.
func.func @iota() {
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>
  return
}

// No such dimension.
func.func @iota_c1() {
  // expected-error@+1 {{(iota_c1)}}
  %0 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x3xi32>
  return
}

// A scalar has none.
func.func @iota_c1_2() {
  // expected-error@+1 {{(iota_c1)}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<i32>
  return
}

// The type of the value.
func.func @constant() {
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  return
}

// What is stored is given.
func.func @constant_quantized() {
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// Another type.
func.func @constant_c1() {
  // expected-error@+1 {{(constant_c1)}}
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// Something else is stored.
func.func @constant_c1_2() {
  // expected-error@+1 {{(constant_c1)}}
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// Of any shape.
func.func @rng(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// Of a known shape.
func.func @rng_known(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = "stablehlo.rng"(%arg0, %arg1, %c2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// Element types differ.
func.func @rng_c1(%arg0: tensor<f32>, %arg1: tensor<f64>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{(rng_c1)}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// Integers are not distributed normally.
func.func @rng_c2(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{(rng_c2)}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// Of another shape.
func.func @rng_c3(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  // expected-error@+1 {{(rng_c3)}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %c2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// Of another rank.
func.func @rng_c3_2(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{(rng_c3)}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// A new state and bits.
func.func @rng_bit_generator(%arg0: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return
}

// A state of another shape.
func.func @rng_bit_generator_c1(%arg0: tensor<2xui64>) {
  // expected-error@+1 {{(rng_bit_generator_c1)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<3xui32>)
  return
}

// The types of its parts.
func.func @tuple(%arg0: tensor<?xf32>, %arg1: tensor<i1>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<?xf32>, tensor<i1>) -> tuple<tensor<?xf32>, tensor<i1>>
  return
}

// Compatible types are not enough.
func.func @tuple_c1(%arg0: tensor<?xf32>, %arg1: tensor<i1>) {
  // expected-error@+1 {{(tuple_c1)}}
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<?xf32>, tensor<i1>) -> tuple<tensor<2xf32>, tensor<i1>>
  return
}

// A part.
func.func @get_tuple_element(%arg0: tuple<tensor<?xf32>, tensor<i1>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<?xf32>, tensor<i1>>) -> tensor<2xf32>
  return
}

// No such part.
func.func @get_tuple_element_c1(%arg0: tuple<tensor<?xf32>, tensor<i1>>) {
  // expected-error@+1 {{(get_tuple_element_c1)}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 2 : i32} : (tuple<tensor<?xf32>, tensor<i1>>) -> tensor<2xf32>
  return
}

// Another type.
func.func @get_tuple_element_c2(%arg0: tuple<tensor<?xf32>, tensor<i1>>) {
  // expected-error@+1 {{(get_tuple_element_c2)}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<?xf32>, tensor<i1>>) -> tensor<i1>
  return
}

// The same types.
func.func @optimization_barrier(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// Compatible types are not enough.
func.func @optimization_barrier_c1(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(optimization_barrier_c1)}}
  %0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// Data and a token.
func.func @infeed(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1]]} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  return
}

// Not even a token.
func.func @infeed_c1(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(infeed_c1)}}
  "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1]]} : (!stablehlo.token) -> ()
  return
}

// A token too many.
func.func @infeed_c2(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(infeed_c2)}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1]]} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// No token.
func.func @infeed_c3(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(infeed_c3)}}
  %0 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1]]} : (!stablehlo.token) -> tensor<2x3xf32>
  return
}

// A layout for each of them.
func.func @infeed_layout(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(infeed_layout)}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = []} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  return
}

// From the host.
func.func @recv(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// A channel between devices.
func.func @recv_c5(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c5)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// No token.
func.func @recv_c8(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c8)}}
  %0 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> tensor<2xf32>
  return
}

// A source twice.
func.func @recv_c2(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c2)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// To a device.
func.func @send(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// A channel to the host.
func.func @send_c5(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{(send_c5)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// A target twice.
func.func @send_c3(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{(send_c3)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// What it holds.
func.func @async_done(%arg0: !stablehlo.future<tensor<?xf32>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<?xf32>>) -> tensor<2xf32>
  return
}

// It holds two.
func.func @async_done_c1(%arg0: !stablehlo.future<tensor<2xf32>, tensor<2xf32>>) {
  // expected-error@+1 {{(async_done_c1)}}
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  return
}

// Another type.
func.func @async_done_c1_2(%arg0: !stablehlo.future<tensor<?xf32>>) {
  // expected-error@+1 {{(async_done_c1)}}
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<?xf32>>) -> tensor<2xf64>
  return
}

// The declared size need not be known from the operand.
func.func @cbrt(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @cbrt_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cbrt_c1)}}
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @cbrt_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cbrt_c1)}}
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @cosine(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @cosine_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cosine_c1)}}
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @cosine_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cosine_c1)}}
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @exponential(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.exponential"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @exponential_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(exponential_c1)}}
  %0 = "stablehlo.exponential"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @exponential_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(exponential_c1)}}
  %0 = "stablehlo.exponential"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @exponential_minus_one(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @exponential_minus_one_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(exponential_minus_one_c1)}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @exponential_minus_one_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(exponential_minus_one_c1)}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @log(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @log_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(log_c1)}}
  %0 = "stablehlo.log"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @log_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(log_c1)}}
  %0 = "stablehlo.log"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @log_plus_one(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @log_plus_one_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(log_plus_one_c1)}}
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @log_plus_one_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(log_plus_one_c1)}}
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @logistic(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @logistic_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(logistic_c1)}}
  %0 = "stablehlo.logistic"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @logistic_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(logistic_c1)}}
  %0 = "stablehlo.logistic"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @rsqrt(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @rsqrt_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(rsqrt_c1)}}
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @rsqrt_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(rsqrt_c1)}}
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @sine(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @sine_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sine_c1)}}
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @sine_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sine_c1)}}
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @sqrt(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @sqrt_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sqrt_c1)}}
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @sqrt_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sqrt_c1)}}
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @tan(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @tan_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tan_c1)}}
  %0 = "stablehlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @tan_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tan_c1)}}
  %0 = "stablehlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @ceil(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @ceil_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(ceil_c1)}}
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @ceil_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(ceil_c1)}}
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @round_nearest_afz(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @round_nearest_afz_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(round_nearest_afz_c1)}}
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @round_nearest_afz_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(round_nearest_afz_c1)}}
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @round_nearest_even(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @round_nearest_even_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(round_nearest_even_c1)}}
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @round_nearest_even_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(round_nearest_even_c1)}}
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @count_leading_zeros(%arg0: tensor<2x?xi32>) {
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xi32>
  return
}

// The result has another shape.
func.func @count_leading_zeros_c1(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(count_leading_zeros_c1)}}
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<2x?xi32>) -> tensor<3x?xi32>
  return
}

// The result has another element type.
func.func @count_leading_zeros_c1_2(%arg0: tensor<2x?xi32>) {
  // expected-error@+1 {{(count_leading_zeros_c1)}}
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<2x?xi32>) -> tensor<2x3xui32>
  return
}

// The declared size need not be known from the operand.
func.func @cross_replica_sum(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @cross_replica_sum_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cross-replica-sum_c1)}}
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @cross_replica_sum_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cross-replica-sum_c1)}}
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The result is quantized along another dimension than lhs.
func.func @add_c6(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{(add_c6)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// The result is quantized along another dimension than rhs.
func.func @add_c7(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>) {
  // expected-error@+1 {{(add_c7)}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// The value is no tensor.
func.func @constant_i1() {
  // expected-error@+1 {{(constant_i1)}}
  %0 = "stablehlo.constant"() {value = dense<1> : vector<2xi32>} : () -> tensor<2xi32>
  return
}

// Tokens of several values.
func.func @after_all(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = "stablehlo.after_all"(%arg0, %arg1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}

// A token of nothing.
func.func @create_token() {
  %0 = "stablehlo.create_token"() : () -> !stablehlo.token
  return
}

// The number of this process.
func.func @partition_id() {
  %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
  return
}

// Not one number.
func.func @partition_id_c1() {
  // expected-error@+1 {{(partition_id_c1)}}
  %0 = "stablehlo.partition_id"() : () -> tensor<2xui32>
  return
}

// The number of this replica.
func.func @replica_id() {
  %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
  return
}

// Not one number.
func.func @replica_id_c1() {
  // expected-error@+1 {{(replica_id_c1)}}
  %0 = "stablehlo.replica_id"() : () -> tensor<2xui32>
  return
}

// Tensors leave, a token says when.
func.func @outfeed(%arg0: tensor<2x?xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = ""} : (tensor<2x?xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// Pairs of another shape.
func.func @recv_c1(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c1)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// A target twice.
func.func @recv_c3(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c3)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// No such process.
func.func @recv_c4(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c4)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// No results.
func.func @recv_c6(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c6)}}
  "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ()
  return
}

// A token that is not the last result.
func.func @recv_c7(%arg0: !stablehlo.token) {
  // expected-error@+1 {{(recv_c7)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// Pairs of another shape.
func.func @send_c1(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{(send_c1)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// A source twice.
func.func @send_c2(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{(send_c2)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// No such process.
func.func @send_c4(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{(send_c4)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-1, 0]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// One op and its return.
func.func @async_start(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4xf32>):
      %1 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// Nothing but a return.
func.func @async_start_c1(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{(async_start_c1)}}
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4xf32>):
      stablehlo.return %a0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// An op that cannot be asynchronous.
func.func @async_start_c2(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{(async_start_c2)}}
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4xf32>):
      %1 = "stablehlo.negate"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// Operands of other types than the region takes.
func.func @async_start_c3(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(async_start_c3)}}
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4xf32>):
      %1 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<?xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// A future of another type.
func.func @async_start_c4(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{(async_start_c4)}}
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4xf32>):
      %1 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<?xf32>>
  return
}

// An empty region.
func.func @async_start_i2(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{(async_start_i2)}}
  %0 = "stablehlo.async_start"(%arg0) ({}) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// Rows of matrices by columns.
func.func @einsum(%arg0: tensor<2x?xf32>, %arg1: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ab,bc->ac"} : (tensor<2x?xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Rows become columns.
func.func @unary_einsum(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->ba"} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return
}

// Five of three columns.
func.func @torch_index_select(%arg0: tensor<?x3xf32>, %arg1: tensor<5xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<?x3xf32>, tensor<5xi32>) -> tensor<?x5xf32>
  return
}

// The end of a region takes values of any type.
func.func @return(%arg0: tensor<i1>, %arg1: tensor<2x?xf32>) {
  %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<2x?xf32>) -> ()
  }, {
      "stablehlo.return"(%arg1) : (tensor<2x?xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2x?xf32>
  return
}

// Another number type in the new state.
func.func @rng_bit_generator_c1_2(%arg0: tensor<2xui64>) {
  // expected-error@+1 {{(rng_bit_generator_c1)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>) -> (tensor<2xui32>, tensor<4xf32>)
  return
}

// A state of four numbers.
func.func @rng_bit_generator_c2(%arg0: tensor<4xui64>) {
  // expected-error@+1 {{(rng_bit_generator_c2)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xf32>)
  return
}
