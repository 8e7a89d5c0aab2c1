// RUN: sdy-opt %s --sdy-resolve-permutation-factors | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A slice that starts one element later needs the next device's part.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: (%arg0: tensor<16x8xf32>{{.*}}) -> tensor<14x7xf32> {
func.func @slice(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<14x7xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%arg0, %[[C]]) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>, %arg2: tensor<f32>) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[DIVIDE:.*]] = stablehlo.divide %[[CONVERT]], %[[C_2]] : tensor<i32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<4> : tensor<i32>
  // CHECK-NEXT: %[[REMAINDER:.*]] = stablehlo.remainder %[[DIVIDE]], %[[C_3]] : tensor<i32>
  // CHECK-NEXT: %[[PERMUTE:.*]] = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{{\[\[}}2, 0], [3, 1], [4, 2], [5, 3], [6, 4], [7, 5]]> : tensor<6x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %[[REMAINDER]], %[[C_4]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[CMP]], dims = [] : (tensor<i1>) -> tensor<4x8xi1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[B_2]], %[[PERMUTE]], %[[B]] : tensor<4x8xi1>, tensor<4x8xf32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %arg1, %[[SEL]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %[[CONCATENATE]], %arg2, low = [4, 0], high = [4, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<5> : tensor<i32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[REMAINDER]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[MULTIPLY]], %[[C_6]] : tensor<i32>
  // CHECK-NEXT: %[[C_7:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %[[ADD]], %[[C_7]] : tensor<i32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[PAD]], %[[MAXIMUM]], %[[C_7]], sizes = [4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[DS]] [0:4, 1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>) -> tensor<4x7xf32>
  // CHECK-NEXT: sdy.return %[[SLICE]] : tensor<4x7xf32>
  // CHECK-NEXT: } : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x7xf32>
  // CHECK-NEXT: %[[SLICE_2:.*]] = stablehlo.slice %[[MANUAL]] [0:14, 0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x7xf32>) -> tensor<14x7xf32>
  // CHECK-NEXT: return %[[SLICE_2]] : tensor<14x7xf32>
  %0 = stablehlo.slice %arg0 [1:15, 1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<14x7xf32>
  return %0 : tensor<14x7xf32>
}

// Padding moves elements to other devices too; between the elements it spreads them.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%arg0: tensor<15xf32>{{.*}}, %arg1: tensor<f32>) -> tensor<29xf32> {
func.func @pad(%arg0: tensor<15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<29xf32> {
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %arg1, low = [0], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<15xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%[[PAD]], %arg1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: tensor<4xf32>, %arg3: tensor<f32>) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[DIVIDE:.*]] = stablehlo.divide %[[CONVERT]], %[[C]] : tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<4> : tensor<i32>
  // CHECK-NEXT: %[[REMAINDER:.*]] = stablehlo.remainder %[[DIVIDE]], %[[C_2]] : tensor<i32>
  // CHECK-NEXT: %[[PERMUTE:.*]] = "stablehlo.collective_permute"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<{{\[\[}}2, 0], [3, 1], [4, 2], [5, 3], [6, 4], [7, 5]]> : tensor<6x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %[[REMAINDER]], %[[C_3]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[CMP]], dims = [] : (tensor<i1>) -> tensor<4xi1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[B_2]], %[[PERMUTE]], %[[B]] : tensor<4xi1>, tensor<4xf32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %arg2, %[[SEL]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[PAD_2:.*]] = stablehlo.pad %[[CONCATENATE]], %arg3, low = [16], high = [16], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<47xf32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<16> : tensor<i32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[REMAINDER]], %[[C_4]] : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[MULTIPLY]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %[[ADD]], %[[C_6]] : tensor<i32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[PAD_2]], %[[MAXIMUM]], sizes = [8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<47xf32>, tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: sdy.return %[[DS]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<16xf32>, tensor<f32>) -> tensor<32xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[MANUAL]] [0:29] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>) -> tensor<29xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<29xf32>
  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [0], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<15xf32>, tensor<f32>) -> tensor<29xf32>
  return %0 : tensor<29xf32>
}

// A prefix with parts of the same size stays as it is.
// CHECK-LABEL: func.func @slice_without_exchange
// CHECK-SAME: (%arg0: tensor<16xf32>{{.*}}) -> tensor<15xf32> {
func.func @slice_without_exchange(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<15xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0 [0:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<15xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<15xf32>
  %0 = stablehlo.slice %arg0 [0:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<15xf32>
  return %0 : tensor<15xf32>
}

// The devices stand in reversed order on the result's mesh.
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: (%arg0: tensor<8x4xf32>{{.*}}) -> tensor<8x4xf32> {
func.func @reverse(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[REVERSE:.*]] = stablehlo.reverse %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_reversed, [{"y"}, {}]>]>} : tensor<8x4xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[REVERSE]] <@mesh, [{"y"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: return %[[RESHARD]] : tensor<8x4xf32>
  %0 = stablehlo.reverse %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Nothing is said of the result: it is whole.
// CHECK-LABEL: func.func @reverse_to_whole
func.func @reverse_to_whole(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[REVERSE:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_reversed, [{"y"}, {}]>]>} : tensor<8x4xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[REVERSE]] <@mesh, [{}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: return %[[RESHARD]] : tensor<8x4xf32>
  %0 = stablehlo.reverse %arg0, dims = [0] : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// An uneven dimension is moved to the end of its padding first.
// CHECK-LABEL: func.func @reverse_uneven
// CHECK-SAME: (%arg0: tensor<7x4xf32>{{.*}}) -> tensor<7x4xf32> {
func.func @reverse_uneven(%arg0: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<7x4xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<7x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%[[PAD]]) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%arg1: tensor<4x4xf32>) {
  // CHECK-NEXT: %[[PERMUTE:.*]] = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[PERMUTE]] [3:4, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x4xf32>) -> tensor<1x4xf32>
  // CHECK-NEXT: %[[SLICE_2:.*]] = stablehlo.slice %arg1 [0:3, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %[[SLICE]], %[[SLICE_2]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: sdy.return %[[CONCATENATE]] : tensor<4x4xf32>
  // CHECK-NEXT: } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[REVERSE:.*]] = stablehlo.reverse %[[MANUAL]], dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_reversed, [{"y"}, {}]>]>} : tensor<8x4xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[REVERSE]] <@mesh, [{"y"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[SLICE_3:.*]] = stablehlo.slice %[[RESHARD]] [0:7, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x4xf32>) -> tensor<7x4xf32>
  // CHECK-NEXT: return %[[SLICE_3]] : tensor<7x4xf32>
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// The dimension of a window is gathered.
// CHECK-LABEL: func.func @reduce_window
// CHECK-SAME: (%arg0: tensor<16x8xf32>{{.*}}, %arg1: tensor<f32>) -> tensor<16x8xf32> {
func.func @reduce_window(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[REDUCE_WINDOW:.*]] = "stablehlo.reduce_window"(%[[RESHARD]], %arg1) <{padding = dense<{{\[\[}}1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  // CHECK-NEXT: %[[RESHARD_2:.*]] = sdy.reshard %[[REDUCE_WINDOW]] <@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  // CHECK-NEXT: return %[[RESHARD_2]] : tensor<16x8xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// Every second element: the devices fetch twice as far.
// Unlike the reference, which takes neighbouring elements.
// CHECK-LABEL: func.func @slice_with_stride
// CHECK-SAME: (%arg0: tensor<16xf32>{{.*}}) -> tensor<7xf32> {
func.func @slice_with_stride(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<7xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%arg0, %[[C]]) in_shardings=[<@mesh, [{"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%arg1: tensor<8xf32>, %arg2: tensor<f32>) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[REMAINDER:.*]] = stablehlo.remainder %[[CONVERT]], %[[C_2]] : tensor<i32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %[[CONCATENATE]], %arg2, low = [7], high = [7], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<22xf32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<8> : tensor<i32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[REMAINDER]], %[[C_3]] : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[MULTIPLY]], %[[C_4]] : tensor<i32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %[[ADD]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[PAD]], %[[MAXIMUM]], sizes = [7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<22xf32>, tensor<i32>) -> tensor<7xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[DS]] [0:7:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<7xf32>) -> tensor<4xf32>
  // CHECK-NEXT: sdy.return %[[SLICE]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<16xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SLICE_2:.*]] = stablehlo.slice %[[MANUAL]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[SLICE_2]] : tensor<7xf32>
  %0 = stablehlo.slice %arg0 [1:15:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<16xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// A concatenated dimension is gathered, whatever has become of the slices before.
// Unlike the reference, whose local conversion refuses it then.
// CHECK-LABEL: func.func @concatenate
// CHECK-SAME: (%arg0: tensor<8xf32>{{.*}}, %arg1: tensor<8xf32>{{.*}}) -> tensor<16xf32> {
func.func @concatenate(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<16xf32> {
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[RESHARD_2:.*]] = sdy.reshard %arg1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONCATENATE:.*]] = stablehlo.concatenate %[[RESHARD]], %[[RESHARD_2]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[RESHARD_3:.*]] = sdy.reshard %[[CONCATENATE]] <@mesh, [{"y"}]> : tensor<16xf32>
  // CHECK-NEXT: return %[[RESHARD_3]] : tensor<16xf32>
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

sdy.mesh @ordered = <["x"=4]>
sdy.mesh @other_order = <["x"=4], device_ids=[1, 0, 2, 3]>

// Where nothing has to be gathered, nothing moves, though an index is on devices in another order.
// CHECK-LABEL: func.func @update_of_one_element
func.func @update_of_one_element(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@other_order, [{"x"}]>}, %arg1: tensor<1xf32>, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@ordered, []>}) -> tensor<4xf32> {
  // CHECK-NEXT: %[[UPDATE:.*]] = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2
  // CHECK-NEXT: return %[[UPDATE]]
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@other_order, [{"x"}]>]>} : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A slice of a dynamic dimension is taken from the whole.
// CHECK-LABEL: func.func @slice_of_dynamic
func.func @slice_of_dynamic(%arg0: tensor<?xf32> {sdy.sharding = #sdy.sharding<@ordered, [{"x"}]>}) -> tensor<4xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@ordered, [{}]> : tensor<?xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[WHOLE]] [1:5]
  // CHECK-NEXT: %[[PARTS:.*]] = sdy.reshard %[[SLICE]] <@ordered, [{"x"}]> : tensor<4xf32>
  // CHECK-NEXT: return %[[PARTS]]
  %0 = stablehlo.slice %arg0 [1:5] {sdy.sharding = #sdy.sharding_per_value<[<@ordered, [{"x"}]>]>} : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A dimension without elements has parts without elements.
// CHECK-LABEL: func.func @update_of_nothing
func.func @update_of_nothing(%arg0: tensor<2x0xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x0xi32> {
  // CHECK:      %[[UPDATED:.*]] = stablehlo.dynamic_update_slice %arg0, %arg0,
  // CHECK-NEXT: return %[[UPDATED]]
  %0 = sdy.constant dense<3> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg0, %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i, j]) {i=2, j=0} permutation={i}>} : (tensor<2x0xi32>, tensor<2x0xi32>, tensor<i32>, tensor<i32>) -> tensor<2x0xi32>
  return %1 : tensor<2x0xi32>
}

// A result that becomes partial does so here: the permute behind it would make a copy of every device's part count.
// Unlike the reference, whose sum counts each element twice.
// CHECK-LABEL: func.func @reverse_to_partial
func.func @reverse_to_partial(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[REVERSED:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_reversed_0, [{"x"}], unreduced={"y"}>]>
  // CHECK-NEXT: %[[BACK:.*]] = sdy.reshard %[[REVERSED]] <@mesh, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return %[[BACK]]
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}], unreduced={"y"}>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} permutation={i}>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

sdy.mesh @half = <["x"=2]>

// A result on another mesh than the operand is left to the local conversion.
// Unlike the reference, whose result stays on the operand's mesh, in parts that its users do not expect.
// CHECK-LABEL: func.func @slice_to_other_mesh
func.func @slice_to_other_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@half, [{"x"}]>}) -> tensor<4xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0 [4:8] {{{.*}}<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[SLICE]]
  %0 = stablehlo.slice %arg0 [4:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// So is a reshape.
// Unlike the reference, which takes each device's part for what it is on the other mesh.
// CHECK-LABEL: func.func @reshape_to_other_mesh
func.func @reshape_to_other_mesh(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@half, [{"x"}, {}]>}) -> (tensor<2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
  // CHECK-NEXT: %[[RESHAPE:.*]] = stablehlo.reshape %arg0 {{{.*}}<@mesh, [{}, {}, {"x"}]>]>
  // CHECK-NEXT: return %[[RESHAPE]]
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// Two dimensions along parts of one axis are both by hand, also the even one.
// CHECK-LABEL: func.func @reverse_along_parts_of_an_axis
func.func @reverse_along_parts_of_an_axis(%arg0: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {"x":(1)2, "y"}]>}) -> tensor<7x8xf32> {
  // CHECK: sdy.manual_computation(%{{.*}}) {{.*}} manual_axes={"x"} (%arg1: tensor<4x4xf32>) {
  %0 = stablehlo.reverse %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(2)2}, {"x":(1)2, "y"}]>]>} : tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// A slice of a tensor without elements is exchanged, too.
// CHECK-LABEL: func.func @empty
func.func @empty(%arg0: tensor<3x0xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<2x0xi32> {
  // CHECK:      sdy.manual_computation(%arg0, %{{.*}}) in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"}
  // CHECK:      stablehlo.pad %{{.*}}, low = [0, 0], high = [0, 0], interior = [0, 0] {{.*}} -> tensor<3x0xi32>
  // CHECK:      stablehlo.slice %{{.*}} [1:3, 0:0]
  %0 = stablehlo.slice %arg0 [1:3, 0:0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<3x0xi32>) -> tensor<2x0xi32>
  return %0 : tensor<2x0xi32>
}
