// Map sort: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// Each element by itself.
func.func @map(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// Shapes differ.
func.func @map_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{(map_c1)}}
  %0 = "stablehlo.map"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xi1>
  return
}

// Nothing to map.
func.func @map_c2() {
  // expected-error@+1 {{(map_c2)}}
  %0 = "stablehlo.map"() ({
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : () -> tensor<2x3xi1>
  return
}

// Not all dimensions.
func.func @map_c3(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c3)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// Not in order.
func.func @map_c3_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c3)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 1, 0>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// A scalar for each input.
func.func @map_c4(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c4)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// Of another type.
func.func @map_c4_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c4)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f64>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// Returns a vector.
func.func @map_c4_3(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c4)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<2xi1>
      stablehlo.return %r0 : tensor<2xi1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// The result has another element type.
func.func @map_c4_4(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(map_c4)}}
  %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%a0: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Keys and values.
func.func @sort(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// Nothing to sort.
func.func @sort_c1() {
  // expected-error@+1 {{(sort_c1)}}
  "stablehlo.sort"() ({
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : () -> ()
  return
}

// A result of another type.
func.func @sort_c2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{(sort_c2)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi8>)
  return
}

// Shapes differ.
func.func @sort_c3(%arg0: tensor<2x?xf32>, %arg1: tensor<2x4xi32>) {
  // expected-error@+1 {{(sort_c3)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<2x?xf32>, tensor<2x4xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// No such dimension.
func.func @sort_c4(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{(sort_c4)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = 2 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// Nor from behind.
func.func @sort_c4_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{(sort_c4)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// Two scalars for each input.
func.func @sort_c5(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{(sort_c5)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// A comparison that is a number.
func.func @sort_c5_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{(sort_c5)}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<i32>, %a3: tensor<i32>):
      stablehlo.return %a0 : tensor<f32>
  }) {dimension = -1 : i64} : (tensor<2x?xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// Vectors are no scalars.
func.func @sort_c5_3(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(sort_c5)}}
  %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%a0: tensor<2xf32>, %a1: tensor<2xf32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// An empty region.
func.func @map_i3(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(map_i3)}}
  %0 = "stablehlo.map"(%arg0) ({}) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
