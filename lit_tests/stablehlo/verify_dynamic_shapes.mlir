// Dynamic shapes: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// A shape of run time.
func.func @dynamic_broadcast_in_dim(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// A known shape.
func.func @dynamic_broadcast_in_dim_known(%arg0: tensor<1x?xf32>) {
  %c1 = stablehlo.constant dense<[3, 4, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %c1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// Element types differ.
func.func @dynamic_broadcast_in_dim_c1(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c1)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf64>
  return
}

// Fewer dimensions.
func.func @dynamic_broadcast_in_dim_c2(%arg0: tensor<1x?xf32>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c2)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// A place for each dimension.
func.func @dynamic_broadcast_in_dim_c2_2(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c2)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// A place that the result has not.
func.func @dynamic_broadcast_in_dim_c3(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c3)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 3, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// One place for two dimensions.
func.func @dynamic_broadcast_in_dim_c4(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c4)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// Neither 1 nor the result's size.
func.func @dynamic_broadcast_in_dim_c5(%arg0: tensor<1x2xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c5)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x2xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// Nor what is known of it.
func.func @dynamic_broadcast_in_dim_c5_2(%arg0: tensor<1x2xf32>) {
  %c1 = stablehlo.constant dense<[3, 4, 5]> : tensor<3xi64>
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c5)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %c1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x2xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// A shape of two dimensions.
func.func @dynamic_broadcast_in_dim_c7(%arg0: tensor<1x?xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c7)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<2xi64>) -> tensor<?x4x?xf32>
  return
}

// Another shape.
func.func @dynamic_broadcast_in_dim_c7_2(%arg0: tensor<1x?xf32>) {
  %c1 = stablehlo.constant dense<[3, 5, 5]> : tensor<3xi64>
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c7)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %c1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// A hint twice.
func.func @dynamic_broadcast_in_dim_c8(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c8)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// No such dimension.
func.func @dynamic_broadcast_in_dim_c9(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c9)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 2>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// No such dimension.
func.func @dynamic_broadcast_in_dim_c10(%arg0: tensor<1x?xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c10)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2, 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 2>} : (tensor<1x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
  return
}

// A shape of run time.
func.func @dynamic_iota(%arg0: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// No such dimension.
func.func @dynamic_iota_c1(%arg0: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_iota_c1)}}
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 2 : i64} : (tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// A shape of three dimensions.
func.func @dynamic_iota_c2(%arg0: tensor<3xi64>) {
  // expected-error@+1 {{(dynamic_iota_c2)}}
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 1 : i64} : (tensor<3xi64>) -> tensor<?x3xi32>
  return
}

// Another shape.
func.func @dynamic_iota_c2_2() {
  %c0 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  // expected-error@+1 {{(dynamic_iota_c2)}}
  %0 = "stablehlo.dynamic_iota"(%c0) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// A shape of run time.
func.func @dynamic_reshape(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  return
}

// A known shape.
func.func @dynamic_reshape_known(%arg0: tensor<2x3xf32>) {
  %c1 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_reshape"(%arg0, %c1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  return
}

// Element types differ.
func.func @dynamic_reshape_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_reshape_c1)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x2xf64>
  return
}

// Another number of elements.
func.func @dynamic_reshape_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_reshape_c2)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x3xf32>
  return
}

// As is known of the shape.
func.func @dynamic_reshape_c2_2(%arg0: tensor<2x3xf32>) {
  %c1 = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
  // expected-error@+1 {{(dynamic_reshape_c2)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %c1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  return
}

// A shape of one dimension.
func.func @dynamic_reshape_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{(dynamic_reshape_c4)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x2xf32>
  return
}

// Another shape.
func.func @dynamic_reshape_c4_2(%arg0: tensor<2x3xf32>) {
  %c1 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{(dynamic_reshape_c4)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %c1) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  return
}

// Padding of run time.
func.func @dynamic_pad(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// Known padding.
func.func @dynamic_pad_known(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %c3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %c4 = stablehlo.constant dense<0> : tensor<2xi64>
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %c2, %c3, %c4) : (tensor<3x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x6xf32>
  return
}

// Element types differ.
func.func @dynamic_pad_c1(%arg0: tensor<3x?xf32>, %arg1: tensor<f64>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_pad_c1)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3x?xf32>, tensor<f64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// Paddings of different types.
func.func @dynamic_pad_c2(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>, %arg3: tensor<2xi32>, %arg4: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_pad_c2)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// An entry for each dimension.
func.func @dynamic_pad_c2_2(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>, %arg3: tensor<1xi64>, %arg4: tensor<1xi64>) {
  // expected-error@+1 {{(dynamic_pad_c2)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3x?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// Nothing is removed between elements.
func.func @dynamic_pad_c3(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>) {
  %c4 = stablehlo.constant dense<-1> : tensor<2xi64>
  // expected-error@+1 {{(dynamic_pad_c3)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %c4) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// Ranks differ.
func.func @dynamic_pad_c4(%arg0: tensor<3x?xf32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_pad_c4)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// Another shape.
func.func @dynamic_pad_c4_2(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) {
  %c2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %c3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %c4 = stablehlo.constant dense<0> : tensor<2xi64>
  // expected-error@+1 {{(dynamic_pad_c4)}}
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %c2, %c3, %c4) : (tensor<3x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xf32>
  return
}

// The quantization axis goes elsewhere.
func.func @dynamic_broadcast_in_dim_c6(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c6)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// The quantization axis moves.
func.func @dynamic_reshape_c3(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{(dynamic_reshape_c3)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// Quantized operand and result of different storage types.
func.func @dynamic_reshape_c1_storage(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{(dynamic_reshape_c1)}}
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<1xi64>) -> tensor<4x!quant.uniform<i16:f32, 0.5>>
  return
}

// Quantized operand, but not the result.
func.func @dynamic_broadcast_in_dim_c1_storage(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{(dynamic_broadcast_in_dim_c1)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<1xi64>) -> tensor<4xf32>
  return
}
