// Select and scatter: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// Windows of two times two.
func.func @select_and_scatter(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A source of other numbers.
func.func @select_and_scatter_c1(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{(select_and_scatter_c1)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xi32>, tensor<i32>) -> tensor<4x6xi32>
  return
}

// A source with other windows.
func.func @select_and_scatter_c2(%arg0: tensor<4x6xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c2)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A window of one dimension.
func.func @select_and_scatter_c4(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c4)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A window of size zero.
func.func @select_and_scatter_c5(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c5)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 0, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A stride for each dimension.
func.func @select_and_scatter_c6(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c6)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A stride of zero.
func.func @select_and_scatter_c7(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c7)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// Padding of the wrong shape.
func.func @select_and_scatter_c8(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c8)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A choice among three.
func.func @select_and_scatter_c9(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c9)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A choice of other numbers.
func.func @select_and_scatter_c9_2(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c9)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// No choice.
func.func @select_and_scatter_c9_3(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c9)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// A body of other numbers.
func.func @select_and_scatter_c10(%arg0: tensor<4x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c10)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// The result has another shape.
func.func @select_and_scatter_c11(%arg0: tensor<4x6xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c11)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// The result has another element type.
func.func @select_and_scatter_c12(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c12)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %1 = stablehlo.compare GE, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// The source has another precision.
func.func @select_and_scatter_c1_precision(%arg0: tensor<4xf32>, %arg1: tensor<2xf64>, %arg2: tensor<f32>) {
  // expected-error@+1 {{(select_and_scatter_c1)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %1 = stablehlo.compare GE, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f64>, %a1: tensor<f64>):
      stablehlo.return %a0 : tensor<f64>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf64>, tensor<f32>) -> tensor<4xf64>
  return
}

// The initial value has another precision.
func.func @select_and_scatter_c3_precision(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<f64>) {
  // expected-error@+1 {{(select_and_scatter_c3)}}
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %1 = stablehlo.compare GE, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<f64>, %a1: tensor<f64>):
      stablehlo.return %a0 : tensor<f64>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f64>) -> tensor<4xf64>
  return
}
