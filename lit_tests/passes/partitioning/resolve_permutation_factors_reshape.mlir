// RUN: sdy-opt %s --sdy-resolve-permutation-factors | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Ten elements on four devices, two rows of five on two times two: every device takes over from the one before.
// CHECK-LABEL: func.func @split
// CHECK-SAME: (%arg0: tensor<10xf32>{{.*}}) -> tensor<2x5xf32> {
func.func @split(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<2x5xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C_2]], low = [0], high = [2], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<10xf32>, tensor<f32>) -> tensor<12xf32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%[[PAD]], %[[C]]) in_shardings=[<@mesh, [{"x", "y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<3xf32>, %arg2: tensor<f32>) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[DIVIDE:.*]] = stablehlo.divide %[[CONVERT]], %[[C_3]] : tensor<i32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[REMAINDER:.*]] = stablehlo.remainder %[[DIVIDE]], %[[C_4]] : tensor<i32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[REMAINDER_2:.*]] = stablehlo.remainder %[[CONVERT]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[REMAINDER]], %[[C_6]] : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[MULTIPLY]], %[[REMAINDER_2]] : tensor<i32>
  // CHECK-NEXT: %[[PERMUTE:.*]] = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[C_7:.*]] = stablehlo.constant dense<1> : tensor<i32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare GE, %[[ADD]], %[[C_7]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[CMP]], dims = [] : (tensor<i1>) -> tensor<3xi1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[B_2]], %[[PERMUTE]], %[[B]] : tensor<3xi1>, tensor<3xf32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %[[SEL]], %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  // CHECK-NEXT: %[[PAD_2:.*]] = stablehlo.pad %[[CONCATENATE]], %arg2, low = [3], high = [3], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<6xf32>, tensor<f32>) -> tensor<12xf32>
  // CHECK-NEXT: %[[C_8:.*]] = stablehlo.constant dense<[6, 6, 5, 5]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_8]], %[[ADD]], sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_9:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[PAD_2]], %[[R]], sizes = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<12xf32>, tensor<i32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[DS_2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<3xf32>) -> tensor<1x3xf32>
  // CHECK-NEXT: sdy.return %[[R_2]] : tensor<1x3xf32>
  // CHECK-NEXT: } : (tensor<12xf32>, tensor<f32>) -> tensor<2x6xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[MANUAL]] [0:2, 0:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<2x6xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<2x5xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<10xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// The other way round the elements are gathered.
// CHECK-LABEL: func.func @combine
// CHECK-SAME: (%arg0: tensor<2x5xf32>{{.*}}) -> tensor<10xf32> {
func.func @combine(%arg0: tensor<2x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<10xf32> {
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<2x5xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[RESHARD]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<2x5xf32>) -> tensor<10xf32>
  // CHECK-NEXT: %[[RESHARD_2:.*]] = sdy.reshard %[[R]] <@mesh, [{"x", "y"}]> : tensor<10xf32>
  // CHECK-NEXT: return %[[RESHARD_2]] : tensor<10xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<2x5xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// Uneven dimensions that only pass through need nothing.
// CHECK-LABEL: func.func @pass_through
// CHECK-SAME: (%arg0: tensor<5x4xf32>{{.*}}) -> tensor<5x2x2xf32> {
func.func @pass_through(%arg0: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<5x2x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<5x4xf32>) -> tensor<5x2x2xf32>
  // CHECK-NEXT: return %[[R]] : tensor<5x2x2xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<5x4xf32>) -> tensor<5x2x2xf32>
  return %0 : tensor<5x2x2xf32>
}

sdy.mesh @parts = <["a"=4, "b"=2]>

// Parts of one axis in several dimensions line up with the whole axis, in order: the reshards around move nothing.
// CHECK-LABEL: func.func @parts_of_one_axis(
func.func @parts_of_one_axis(%arg0: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@parts, [{"b", "a":(1)2}, {"a":(2)2}]>}) -> (tensor<48xf32> {sdy.sharding = #sdy.sharding<@parts, [{"b", "a"}]>}) {
  // CHECK-NEXT: %[[BEFORE:.*]] = sdy.reshard %arg0 <@parts, [{"b", "a":(1)2}, {"a":(2)2}]> : tensor<4x12xf32>
  // CHECK-NEXT: %[[RESHAPE:.*]] = stablehlo.reshape %[[BEFORE]]
  // CHECK-NEXT: %[[AFTER:.*]] = sdy.reshard %[[RESHAPE]] <@parts, [{"b", "a"}]> : tensor<48xf32>
  // CHECK-NEXT: return %[[AFTER]] : tensor<48xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@parts, [{"b", "a"}]>]>} : (tensor<4x12xf32>) -> tensor<48xf32>
  return %0 : tensor<48xf32>
}

sdy.mesh @by_axes = <["a"=4, "b"=2, "c"=8]>

// The axes of the rows, which have to be gathered, are given up wherever they are; the rest of "c" stays.
// CHECK-LABEL: func.func @axes_elsewhere(
func.func @axes_elsewhere(%arg0: tensor<6x1x5xf32> {sdy.sharding = #sdy.sharding<@by_axes, [{"b"}, {"c":(1)4}, {}]>}) -> (tensor<3x2x1x5xf32> {sdy.sharding = #sdy.sharding<@by_axes, [{"b"}, {"c":(1)2}, {"c":(2)2}, {}]>}) {
  // CHECK-NEXT: %[[BEFORE:.*]] = sdy.reshard %arg0 <@by_axes, [{}, {"c":(2)2}, {}]> : tensor<6x1x5xf32>
  // CHECK-NEXT: %[[RESHAPE:.*]] = stablehlo.reshape %[[BEFORE]] {sdy.sharding = #sdy.sharding_per_value<[<@by_axes, [{}, {}, {"c":(2)2}, {}]>]>} : (tensor<6x1x5xf32>) -> tensor<3x2x1x5xf32>
  // CHECK-NEXT: %[[AFTER:.*]] = sdy.reshard %[[RESHAPE]] <@by_axes, [{"b"}, {"c":(1)2}, {"c":(2)2}, {}]> : tensor<3x2x1x5xf32>
  // CHECK-NEXT: return %[[AFTER]]
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@by_axes, [{"b"}, {"c":(1)2}, {"c":(2)2}, {}]>]>} : (tensor<6x1x5xf32>) -> tensor<3x2x1x5xf32>
  return %0 : tensor<3x2x1x5xf32>
}

// Without elements there is nothing to move.
// CHECK-LABEL: func.func @empty(
func.func @empty(%arg0: tensor<0xf32> {sdy.sharding = #sdy.sharding<@by_axes, [{"a", "c"}]>}) -> (tensor<8x3x0xf32> {sdy.sharding = #sdy.sharding<@by_axes, [{"a"}, {"c"}, {}]>}) {
  // CHECK-NEXT: %[[BEFORE:.*]] = sdy.reshard %arg0 <@by_axes, [{"a", "c"}]> : tensor<0xf32>
  // CHECK-NEXT: %[[RESHAPE:.*]] = stablehlo.reshape %[[BEFORE]] {sdy.sharding = #sdy.sharding_per_value<[<@by_axes, [{"a"}, {"c"}, {}]>]>} : (tensor<0xf32>) -> tensor<8x3x0xf32>
  // CHECK-NEXT: %[[AFTER:.*]] = sdy.reshard %[[RESHAPE]] <@by_axes, [{"a"}, {"c"}, {}]> : tensor<8x3x0xf32>
  // CHECK-NEXT: return %[[AFTER]]
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@by_axes, [{"a"}, {"c"}, {}]>]>} : (tensor<0xf32>) -> tensor<8x3x0xf32>
  return %0 : tensor<8x3x0xf32>
}
