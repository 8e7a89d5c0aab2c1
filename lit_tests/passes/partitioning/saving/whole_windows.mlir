// RUN: sdy-opt %s --sdy-whole-windows | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A window over all rows is a reduction, and the single row of the result, and of what is computed of it, is whole.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<1x6xf32> {
  // CHECK: %[[R:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.reshape %[[R]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<6xf32>) -> tensor<1x6xf32>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[S]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
  // CHECK-NEXT: return %[[N]]
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 8, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x6xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<1x6xf32>
  return %1 : tensor<1x6xf32>
}

// Windows of columns slide over the sums of the rows. The init value, which is not neutral, comes in once.
// CHECK-LABEL: func.func @both
func.func @both(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> tensor<1x5xf32> {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK: %[[R:.*]] = stablehlo.reduce(%arg0 init: %[[ZERO]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: %[[S:.*]] = stablehlo.reshape %[[R]]
  // CHECK-NEXT: "stablehlo.reduce_window"(%[[S]], %arg1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>}>
  // CHECK: }) : (tensor<1x6xf32>, tensor<f32>) -> tensor<1x5xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x5xf32>
  return %0 : tensor<1x5xf32>
}

// Several results have one reduction.
// CHECK-LABEL: func.func @several
func.func @several(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<1xf32>, tensor<1xi32>) {
  // CHECK: %[[R:.*]]:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, []>]>}
  // CHECK: %[[V:.*]] = stablehlo.reshape %[[R]]#0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK: %[[I:.*]] = stablehlo.reshape %[[R]]#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK: return %[[V]], %[[I]]
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 8>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %2 = stablehlo.maximum %a, %c : tensor<f32>
    %3 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xi32>)
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xi32>
}

// Left alone: windows with holes, over padding, of a part, of one that repeats, with a rule, in part by an unknown body.
// CHECK-LABEL: func.func @left
// CHECK-NOT: stablehlo.reduce(
// CHECK: return
func.func @left(%arg0: tensor<8x6xf32>, %arg1: tensor<f32>) -> (tensor<1x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>, tensor<1x5xf32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 15, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x6xf32>
  %1 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 8, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x6xf32>
  %2 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 7, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<2x6xf32>
  %3 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [])->([j, k]) {i=8, j=1, k=6}, custom>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x6xf32>
  %4 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 8, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = stablehlo.subtract %arg2, %arg3 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<1x5xf32>
  return %0, %1, %2, %3, %4 : tensor<1x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>, tensor<1x5xf32>
}
