// RUN: sdy-opt %s --sdy-windows-of-pads | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The gradient of average pooling, along a dimension that is sharded and one that is not.
// CHECK-LABEL: func.func @gradient
func.func @gradient(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  // CHECK-NOT:  stablehlo.pad
  // CHECK:      "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>}>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %again = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [1, 1], high = [1, 1], interior = [1, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<17x17xf32>
  %1 = "stablehlo.reduce_window"(%0, %again) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<17x17xf32>, tensor<f32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// An argument may be both; what the windows are padded by comes on top.
// CHECK-LABEL: func.func @padded_twice
func.func @padded_twice(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<9xf32> {
  // CHECK-NOT:  stablehlo.pad
  // CHECK:      "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1>, padding = dense<{{\[\[}}2, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}>
  %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<17xf32>
  %1 = "stablehlo.reduce_window"(%0, %arg1) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<17xf32>, tensor<f32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// Padding by another number, a padded tensor that is needed itself, and a dimension that is not sharded.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<17x16xf32>, tensor<16x16xf32>) {
  // CHECK-COUNT-3: stablehlo.pad
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %negative = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %negative, low = [1, 0], high = [0, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<17x16xf32>
  %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<17x16xf32>, tensor<f32>) -> tensor<16x16xf32>
  %2 = stablehlo.pad %arg0, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<17x16xf32>
  %3 = "stablehlo.reduce_window"(%2, %zero) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<17x16xf32>, tensor<f32>) -> tensor<16x16xf32>
  %4 = stablehlo.pad %arg0, %zero, low = [0, 1], high = [0, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x16xf32>, tensor<f32>) -> tensor<16x17xf32>
  %5 = "stablehlo.reduce_window"(%4, %zero) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x17xf32>, tensor<f32>) -> tensor<16x16xf32>
  return %1, %3, %2, %5 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<17x16xf32>, tensor<16x16xf32>
}
