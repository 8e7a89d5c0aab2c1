// Reduce and reduce_window: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// Two dimensions.
func.func @reduce(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// Inputs of different shapes.
func.func @reduce_c1(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  // expected-error@+1 {{(reduce_c1)}}
  %0:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>):
      stablehlo.return %a0, %a0 : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// An initial value of another type.
func.func @reduce_c2(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f16>) {
  // expected-error@+1 {{(reduce_c2)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f16>) -> tensor<3xf32>
  return
}

// No such dimension.
func.func @reduce_c4(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c4)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 3>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// A dimension twice.
func.func @reduce_c5(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c5)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 0>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// A body of one argument.
func.func @reduce_c6(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// A body that returns nothing.
func.func @reduce_c6_2(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// A body of other numbers.
func.func @reduce_c6_3(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// A body of narrower integers.
func.func @reduce_c6_4(%arg0: tensor<2x3x4xi32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i8>, %a1: tensor<i8>):
      stablehlo.return %a0 : tensor<i8>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xi32>, tensor<i32>) -> tensor<3xi8>
  return
}

// A body that returns another type than it takes.
func.func @reduce_c6_5(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i32>
      stablehlo.return %r0 : tensor<i32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xi32>
  return
}

// A body of vectors that are not reduced to.
func.func @reduce_c6_6(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<5xf32>, %a1: tensor<5xf32>):
      stablehlo.return %a0 : tensor<5xf32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// The result has another shape.
func.func @reduce_c7(%arg0: tensor<2x3x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c7)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// The result has another element type.
func.func @reduce_c8(%arg0: tensor<2x?x4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_c8)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<3xf64>
  return
}

// Nothing is reduced.
func.func @reduce_i1() {
  // expected-error@+1 {{(reduce_i1)}}
  "stablehlo.reduce"() ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64>} : () -> ()
  return
}

// Windows of two times three.
func.func @reduce_window(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// Inputs of different shapes.
func.func @reduce_window_c2(%arg0: tensor<4x7xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c2)}}
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>):
      stablehlo.return %a0, %a0 : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x7xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  return
}

// An initial value of another type.
func.func @reduce_window_c3(%arg0: tensor<4x?xf32>, %arg1: tensor<f16>) {
  // expected-error@+1 {{(reduce_window_c3)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f16>) -> tensor<4x3xf32>
  return
}

// A window of one dimension.
func.func @reduce_window_c4(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c4)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// A window of size zero.
func.func @reduce_window_c5(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c5)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 0, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// An entry for each dimension.
func.func @reduce_window_c6(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c6)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// Zero.
func.func @reduce_window_c7(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c7)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 0, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// An entry for each dimension.
func.func @reduce_window_c8(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c8)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// Zero.
func.func @reduce_window_c9(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c9)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 0, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// An entry for each dimension.
func.func @reduce_window_c10(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c10)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// Zero.
func.func @reduce_window_c11(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c11)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 0, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// Padding of the wrong shape.
func.func @reduce_window_c12(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c12)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// A body of other numbers.
func.func @reduce_window_c13(%arg0: tensor<4x?xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c13)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// The result has another shape.
func.func @reduce_window_c14(%arg0: tensor<4x7xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c14)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// Nothing is reduced.
func.func @reduce_window_i1() {
  // expected-error@+1 {{(reduce_window_i1)}}
  "stablehlo.reduce_window"() ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64>} : () -> ()
  return
}

// The result has another element type.
func.func @reduce_window_c16(%arg0: tensor<4xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{(reduce_window_c16)}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  return
}

// The body takes an argument of another precision.
func.func @reduce_c6_precision(%arg0: tensor<2xf32>, %arg1: tensor<f32>) {
  // expected-error@+1 {{its body takes numbers of type f64 but returns f32 (reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f64>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// The body takes wider numbers than it is given.
func.func @reduce_wider(%arg0: tensor<2xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f64>, %a1: tensor<f64>):
      stablehlo.return %a0 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f64>
  return
}

// A boolean is no integer.
func.func @reduce_c6_boolean(%arg0: tensor<2xi1>, %arg1: tensor<i1>) {
  // expected-error@+1 {{i1 is not promotable to i8 (reduce_c6)}}
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i8>, %a1: tensor<i8>):
      stablehlo.return %a0 : tensor<i8>
  }) {dimensions = array<i64: 0>} : (tensor<2xi1>, tensor<i1>) -> tensor<i8>
  return
}
