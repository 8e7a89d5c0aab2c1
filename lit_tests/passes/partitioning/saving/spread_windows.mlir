// RUN: sdy-opt %s --sdy-spread-windows | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// All windows have the only row in them, and no other.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<1x6xf32>) -> tensor<8x6xf32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NOT: stablehlo.pad
  // CHECK: %[[Z:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<1x6xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[Z]], %arg0 : tensor<1x6xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[A]], dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: return %[[B]]
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %c, low = [7, 0], high = [7, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<15x6xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Left alone: a window that misses the row, several rows, padding that counts, windows of other columns, a padded column.
// CHECK-LABEL: func.func @left
// CHECK-NOT: stablehlo.broadcast_in_dim
// CHECK: return
func.func @left(%arg0: tensor<1x6xf32>, %arg1: tensor<2x6xf32>) -> (tensor<9x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x5xf32>, tensor<8x7xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %c, low = [7, 0], high = [8, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %10 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<9x6xf32>
  %2 = stablehlo.pad %arg1, %c, low = [7, 0], high = [6, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<15x6xf32>
  %3 = "stablehlo.reduce_window"(%2, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %10 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<15x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %4 = stablehlo.pad %arg0, %one, low = [7, 0], high = [7, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<15x6xf32>
  %5 = "stablehlo.reduce_window"(%4, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %10 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<15x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %6 = stablehlo.pad %arg0, %c, low = [7, 0], high = [7, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<15x6xf32>
  %7 = "stablehlo.reduce_window"(%6, %c) <{window_dimensions = array<i64: 8, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %10 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<15x6xf32>, tensor<f32>) -> tensor<8x5xf32>
  %8 = stablehlo.pad %arg0, %c, low = [7, 0], high = [7, 1], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<15x7xf32>
  %9 = "stablehlo.reduce_window"(%8, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %10 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<15x7xf32>, tensor<f32>) -> tensor<8x7xf32>
  return %1, %3, %5, %7, %9 : tensor<9x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x5xf32>, tensor<8x7xf32>
}

// What has no operands is not padded.
// CHECK-LABEL: func.func @constant
func.func @constant() -> tensor<8x6xf32> {
  // CHECK: "stablehlo.reduce_window"
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.constant dense<2.0> : tensor<15x6xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<15x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
