// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A device needs the first element of the next part, not all of it.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<14x8xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK:        stablehlo.concatenate %[[PART]], %{{.*}}, dim = 0 {{.*}} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  %0 = stablehlo.slice %arg0 [1:15, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<14x8xf32>
  return %0 : tensor<14x8xf32>
}

// Windows reach one element to the left and to the right; what is not slid along stays sharded.
// CHECK-LABEL: func.func @reduce_window
func.func @reduce_window(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<16x6xf32> {
  // CHECK-NEXT: sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%[[PART:.*]]: tensor<4x6xf32>, %[[INIT:.*]]: tensor<f32>) {
  // CHECK:        %[[LAST:.*]] = stablehlo.slice %[[PART]] [3:4, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[LAST]])
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:1, 0:6]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK:        %[[CUT:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [6, 6]
  // CHECK:        %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[CUT]], %[[INIT]]) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}>
  // CHECK:        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<6x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK-NEXT:   sdy.return %[[SUMS]] : tensor<4x6xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}

// A strided convolution; the kernel is whole, batch and features stay as they are.
// CHECK-LABEL: func.func @convolution
func.func @convolution(%arg0: tensor<2x16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}, %arg1: tensor<3x3x8xf32>) -> tensor<2x8x8xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"y"}, {"x"}, {}]>, <@mesh, [{}, {}, {}]>] out_shardings=[<@mesh, [{"y"}, {"x"}, {}]>] manual_axes={"x"} (%[[PART:.*]]: tensor<2x4x3xf32>, %[[KERNEL:.*]]: tensor<3x3x8xf32>) {
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:2, 0:1, 0:3]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK-NOT:    "stablehlo.collective_permute"
  // CHECK:        %[[CUT:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [2, 5, 3]
  // CHECK:        stablehlo.convolution(%[[CUT]], %[[KERNEL]]) {{.*}} : (tensor<2x5x3xf32>, tensor<3x3x8xf32>) -> tensor<2x2x8xf32>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>}
    : (tensor<2x16x3xf32>, tensor<3x3x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// Windows that reach farther than it takes to gather the dimension: it is gathered.
// CHECK-LABEL: func.func @far
func.func @far(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: "stablehlo.reduce_window"(%[[WHOLE]], %arg1)
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
