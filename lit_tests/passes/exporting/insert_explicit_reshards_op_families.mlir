// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

// What single ops get, family by family.

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A dimension that is concatenated must be whole; its axis goes to the other dimension.
// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.concatenate %[[V0]], %[[V1]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y", "x"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return
}

// The operand of a pad or a slice whose result is not sharded along the dimension that changes follows the result.
// CHECK-LABEL: func.func @pad(
func.func @pad(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.pad %[[V0]], %arg1, low = [1, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<10x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<10x8xf32>
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.slice %[[V0]] [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.slice %arg0 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return
}

// A sorted dimension, one that is transformed, and one of which a part at a dynamic place is taken must be whole.
// CHECK-LABEL: func.func @sort(
func.func @sort(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.sort"(%[[V0]]) <{dimension = 0 : i64}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[V2]] : tensor<i1>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y", "x"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @fft(
func.func @fft(%arg0: tensor<16x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x", "y"}, {}]> : tensor<16x8xcomplex<f32>>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.fft %[[V0]], type = FFT, length = [8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{}, {"y"}]> : tensor<16x8xcomplex<f32>>
  // CHECK-NEXT: return
  %0 = stablehlo.fft %arg0, type = FFT, length = [8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @dynamic_slice(
func.func @dynamic_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<i32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.dynamic_slice %[[V0]], %arg1, %arg1, sizes = [4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y", "x"}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// A reversed dimension may stay sharded as long as both tensors agree.
// CHECK-LABEL: func.func @reverse(
func.func @reverse(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<8x8xf32>
  return
}

// Of two tensors of one size the operand stays.
// CHECK-LABEL: func.func @transpose(
func.func @transpose(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.transpose %arg0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.transpose %arg0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// A scalar predicate has nothing to say.
// CHECK-LABEL: func.func @select(
func.func @select(%arg0: tensor<i1>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg2 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.select %arg0, %[[V0]], %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<i1>, tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.select %arg0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<i1>, tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @reduce_window(
func.func @reduce_window(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.reduce_window"(%[[V0]], %arg1) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.maximum %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V2]] : tensor<f32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<16x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<16x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return
}

// A contracted feature dimension is reduced; a window over a sharded dimension of the kernel must see all of it.
// CHECK-LABEL: func.func @convolution(
func.func @convolution(%arg0: tensor<2x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}]>}, %arg1: tensor<2x2x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{"y"}, {}, {"x"}, {}]> : tensor<2x2x8x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.convolution(%arg0, %[[V0]]) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x8xf32>, tensor<2x2x8x4xf32>) -> tensor<2x7x7x4xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"x"} %[[V1]] out_sharding=<@mesh, [{}, {}, {}, {}]> : tensor<2x7x7x4xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x8xf32>, tensor<2x2x8x4xf32>) -> tensor<2x7x7x4xf32>
  return
}

// What has no sharded operand may have any sharding.
// CHECK-LABEL: func.func @sources(
func.func @sources(%arg0: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<f32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<8xf32>
  return
}

// Of the first dimension, 3 batch groups of 4, an axis fits into neither, so that no other tensor could have it too.
// CHECK-LABEL: func.func @batch_groups(
func.func @batch_groups(%arg0: tensor<12x9x9x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {"y"}]>}, %arg1: tensor<3x3x12x21xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}, {}]>}) {
  // CHECK-NEXT: %[[LHS:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}, {}, {"y"}]> : tensor<12x9x9x12xf32>
  // CHECK-NEXT: %[[CONV:.*]] = stablehlo.convolution(%[[LHS]], %arg1)
  // CHECK-NEXT: sdy.all_reduce {"y"} %[[CONV]] out_sharding=<@mesh, [{}, {}, {}, {}]> : tensor<4x7x7x21xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<12x9x9x12xf32>, tensor<3x3x12x21xf32>) -> tensor<4x7x7x21xf32>
  return
}
