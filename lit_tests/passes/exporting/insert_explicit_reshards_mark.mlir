// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true mark-partial-result-with-unreduced-axes=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A partial result says so: it is unreduced over the axes of the all-reduce that follows.
// CHECK-LABEL: func.func @dot(
func.func @dot(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]] out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// Axes that the result is unreduced over already stay; the reduction is that of the body.
// CHECK-LABEL: func.func @reduce(
func.func @reduce(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced=max{"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced=max{"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce max {"x"} %[[V1]] out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V0]] <@mesh, [{}], unreduced=max{"x"}> : tensor<8xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<8xf32>
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced=max{"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
