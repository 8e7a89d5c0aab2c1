// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The gradient of a kernel: devices fetch what their part of the other factor meets, and leave the sum partial.
// CHECK-LABEL: func.func @kernel_gradient
func.func @kernel_gradient(%arg0: tensor<2x16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}, %arg1: tensor<2x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) -> tensor<3x3x8xf32> {
  // CHECK:      %[[SUM:.*]] = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"y"}, {"x"}, {}]>, <@mesh, [{"y"}, {"x"}, {}]>] out_shardings=[<@mesh, [{}, {}, {}], unreduced={"x", "y"}>] manual_axes={"x"} (%[[PART:.*]]: tensor<2x4x3xf32>, %[[KERNEL:.*]]: tensor<2x4x8xf32>) {
  // CHECK:        %[[LAST:.*]] = stablehlo.slice %[[PART]] [0:2, 3:4, 0:3]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[LAST]])
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:2, 0:1, 0:3]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK:        %[[CUT:.*]] = stablehlo.concatenate %{{.*}}, %[[PART]], %{{.*}}, dim = 1 {{.*}} -> tensor<2x6x3xf32>
  // CHECK-NEXT:   stablehlo.convolution(%[[CUT]], %[[KERNEL]]) {{.*}} window = {pad = {{\[}}[0, 0]]}
  // CHECK:        {{.*}} unreduced={"y"}>]>} : (tensor<2x6x3xf32>, tensor<2x4x8xf32>) -> tensor<3x3x8xf32>
  // CHECK:      sdy.all_reduce {"x", "y"} %[[SUM]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}], unreduced={"x", "y"}>]>}
    : (tensor<2x16x3xf32>, tensor<2x16x8xf32>) -> tensor<3x3x8xf32>
  %1 = sdy.all_reduce {"x", "y"} %0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<3x3x8xf32>
  return %1 : tensor<3x3x8xf32>
}

// A large result that would have to be added up, of small operands: they are gathered.
// CHECK-LABEL: func.func @large_kernel_gradient
func.func @large_kernel_gradient(%arg0: tensor<1x8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<1x8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<3x64x64xf32> {
  // CHECK-NEXT: %[[INPUT:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}, {}]>
  // CHECK-NEXT: %[[KERNEL:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}, {}]>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.convolution(%[[INPUT]], %[[KERNEL]])
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}], unreduced={"x"}>]>}
    : (tensor<1x8x64xf32>, tensor<1x8x64xf32>) -> tensor<3x64x64xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<3x64x64xf32>
  return %1 : tensor<3x64x64xf32>
}

// The gradient of max pooling, without the padding in front of it and the slice behind it.
// CHECK-LABEL: func.func @max_pool_gradient
func.func @max_pool_gradient(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<16xf32> {
  // CHECK-NEXT:   stablehlo.constant
  // CHECK-NEXT:   sdy.manual_computation(%arg0, %arg1, %arg3, %arg2, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4xf32>, %[[VALUES:.*]]: tensor<2xf32>, %[[INIT:.*]]: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[BEFORE:.*]] = stablehlo.slice %[[PART]] [2:4]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[BEFORE]])
  // CHECK:        %[[BEHIND:.*]] = stablehlo.slice %[[PART]] [0:1]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[BEHIND]])
  // CHECK:        %[[WINDOWS:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [7]
  // CHECK:        %[[VALUE:.*]] = stablehlo.slice %[[VALUES]] [1:2]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[VALUE]])
  // CHECK:        %[[SOURCE:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [3]
  // CHECK:        %[[MADE:.*]] = "stablehlo.select_and_scatter"(%[[WINDOWS]], %[[SOURCE]], %[[INIT]])
  // CHECK:        %[[KEPT:.*]] = stablehlo.dynamic_slice %[[MADE]], %{{.*}}, sizes = [4]
  // CHECK-NEXT:   sdy.return %[[KEPT]] : tensor<4xf32>
  %0 = stablehlo.pad %arg0, %arg2, low = [0], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<17xf32>
  %1 = sdy.reshard %arg1 <@mesh, [{}]> : tensor<8xf32>
  %2 = "stablehlo.select_and_scatter"(%0, %1, %arg3) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %4 = stablehlo.compare GE, %arg4, %arg5 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }, {
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %4 = stablehlo.add %arg4, %arg5 : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<17xf32>, tensor<8xf32>, tensor<f32>) -> tensor<17xf32>
  %3 = stablehlo.slice %2 [0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<17xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// With a padding of the op itself: beyond the ends is what it selects last. Dimensions that are not exchanged keep theirs.
// CHECK-LABEL: func.func @padded_max_pool_gradient
func.func @padded_max_pool_gradient(%arg0: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<f32>) -> tensor<16x4xf32> {
  // CHECK-NEXT:   %[[LOWEST:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK:        sdy.manual_computation(%arg0, %arg1, %arg2, %[[LOWEST]], %{{.*}}) {{.*}} (%[[PART:.*]]: tensor<4x4xf32>
  // CHECK:        stablehlo.select_and_scatter"(%{{.*}}) <{padding = dense<{{\[}}[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>}>
  // CHECK:        (tensor<8x4xf32>, tensor<6x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 3, 3>, padding = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// A cumulative sum: the sums of the devices before this one are added.
// CHECK-LABEL: func.func @cumulative_sum
func.func @cumulative_sum(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x6xf32> {
  // CHECK:        sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x", "y"} (%[[PART:.*]]: tensor<4x3xf32>, %[[INIT:.*]]: tensor<f32>) {
  // CHECK-NEXT:   %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[PART]], %[[INIT]]) <{padding = dense<{{\[}}[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4, 1>}>
  // CHECK:        %[[LAST:.*]] = stablehlo.slice %[[SUMS]] [3:4, 0:3]
  // CHECK-NEXT:   %[[ALL:.*]] = "stablehlo.all_gather"(%[[LAST]]) {{.*}} : (tensor<1x3xf32>) -> tensor<4x3xf32>
  // CHECK:        %[[BEFORE:.*]] = stablehlo.select %{{.*}}, %[[ALL]], %{{.*}}
  // CHECK-NEXT:   %[[SUM:.*]] = stablehlo.reduce(%[[BEFORE]] init: %[[INIT]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT:   %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [1]
  // CHECK-NEXT:   stablehlo.add %[[SPREAD]], %[[SUMS]]
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 16, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  return %1 : tensor<16x6xf32>
}

// A sum that starts from a number: parts start from what is neutral, the number is added once, to what comes before.
// CHECK-LABEL: func.func @cumulative_sum_from_a_number
func.func @cumulative_sum_from_a_number(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<16xf32> {
  // CHECK-NEXT:   %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK-NEXT:   sdy.manual_computation(%arg0, %arg1, %[[NEUTRAL]]) {{.*}} (%[[PART:.*]]: tensor<4xf32>, %[[INIT:.*]]: tensor<f32>, %[[NOTHING:.*]]: tensor<f32>) {
  // CHECK-NEXT:   %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[PART]], %[[NOTHING]])
  // CHECK:        %[[FILL:.*]] = stablehlo.broadcast_in_dim %[[NOTHING]], dims = []
  // CHECK-NEXT:   %[[BEFORE:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %[[FILL]]
  // CHECK-NEXT:   stablehlo.reduce(%[[BEFORE]] init: %[[INIT]]) applies stablehlo.add across dimensions = [0]
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 16>, padding = dense<[[15, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Elements that come back in at the front: the last one goes to the first device.
// CHECK-LABEL: func.func @roll
func.func @roll(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK:        sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4xf32>, %{{.*}}: tensor<f32>) {
  // CHECK-NEXT:   %[[LAST:.*]] = stablehlo.slice %[[PART]] [3:4]
  // CHECK-NEXT:   %[[BEFORE:.*]] = "stablehlo.collective_permute"(%[[LAST]]) {{.*}}[6, 0], [7, 1]]>
  // CHECK-NEXT:   %[[REST:.*]] = stablehlo.slice %[[PART]] [0:3]
  // CHECK-NEXT:   %[[JOINED:.*]] = stablehlo.concatenate %[[BEFORE]], %[[REST]], dim = 0
  // CHECK-NEXT:   sdy.return %[[JOINED]]
  %0 = stablehlo.slice %arg0 [15:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<1xf32>
  %1 = stablehlo.slice %arg0 [0:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<15xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// Tensors that were resharded to be joined; which part of which tensor a device sends is looked up.
// CHECK-LABEL: func.func @join
func.func @join(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<32x8xf32> {
  // CHECK-NOT:    sdy.reshard
  // CHECK:        sdy.manual_computation(%arg0, %arg1, %{{.*}}) {{.*}} manual_axes={"x"} (%[[FIRST:.*]]: tensor<4x8xf32>, %[[SECOND:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<f32>) {
  // CHECK-NEXT:   %[[BOTH:.*]] = stablehlo.concatenate %[[FIRST]], %[[SECOND]], dim = 0
  // CHECK:        stablehlo.constant dense<[4, 0, 0, 0]> : tensor<4xi32>
  // CHECK:        %[[SENT:.*]] = stablehlo.dynamic_slice %[[BOTH]], %{{.*}}, sizes = [4, 8]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[SENT]])
  // CHECK:        %[[NEXT:.*]] = stablehlo.dynamic_slice %[[BOTH]], %{{.*}}, sizes = [4, 8]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[NEXT]])
  // CHECK-NOT:    "stablehlo.collective_permute"
  // CHECK:        sdy.return %{{.*}} : tensor<8x8xf32>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %1 = sdy.reshard %arg1 <@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<32x8xf32>
  return %3 : tensor<32x8xf32>
}

// A number that is repeated is not sent.
// CHECK-LABEL: func.func @shift
func.func @shift(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<16xf32> {
  // CHECK:        sdy.manual_computation(%arg0, %arg1) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4xf32>, %[[NUMBER:.*]]: tensor<f32>) {
  // CHECK-NEXT:   %[[LAST:.*]] = stablehlo.slice %[[PART]] [3:4]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[LAST]])
  // CHECK-NEXT:   stablehlo.broadcast_in_dim %[[NUMBER]], dims = []
  // CHECK-NOT:    "stablehlo.collective_permute"
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>) -> tensor<1xf32>
  %1 = stablehlo.slice %arg0 [0:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<15xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// Slices of one tensor are taken with one all_to_all.
// CHECK-LABEL: func.func @split
func.func @split(%arg0: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x4xf32> {
  // CHECK:        %{{.*}}:4 = sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4x4xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[CHUNKS:.*]] = "stablehlo.all_to_all"({{.*}}) {{.*}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = stablehlo.slice %arg0 [0:4, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.slice %arg0 [0:4, 4:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.slice %arg0 [0:4, 8:12] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.slice %arg0 [0:4, 12:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x4xf32>
  %5 = stablehlo.add %2, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x4xf32>
  %6 = stablehlo.add %4, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x4xf32>
  return %6 : tensor<4x4xf32>
}

// A slice at an index that is not known: the devices add up what they have of it, as integers so that -0.0 stays -0.0.
// Only the nearest rows of the device's part get zeros around them.
// CHECK-LABEL: func.func @dynamic_slice
func.func @dynamic_slice(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x8xf32> {
  // CHECK:        %[[INDEX:.*]] = stablehlo.clamp %{{.*}}, %arg1, %{{.*}}
  // CHECK-NEXT:   %[[SUM:.*]] = sdy.manual_computation(%arg0, %[[INDEX]]) {{.*}} out_shardings=[<@mesh, [{}, {}], unreduced={"x"}>] manual_axes={"x"} (%[[PART:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<i32>) {
  // CHECK:        %[[NEAREST:.*]] = stablehlo.dynamic_slice %[[PART]], {{.*}}, sizes = [2, 8]
  // CHECK:        %[[WIDE:.*]] = stablehlo.pad %[[NEAREST]], %{{.*}}, low = [2, 0], high = [2, 0], interior = [0, 0]
  // CHECK-NEXT:   %[[CUT:.*]] = stablehlo.dynamic_slice %[[WIDE]], {{.*}}, sizes = [2, 8] : (tensor<6x8xf32>, {{.*}}
  // CHECK-NEXT:   %[[BITS:.*]] = stablehlo.bitcast_convert %[[CUT]] : (tensor<2x8xf32>) -> tensor<2x8xi32>
  // CHECK-NEXT:   sdy.return %[[BITS]]
  // CHECK:        %[[MOVED:.*]] = sdy.all_reduce {"x"} %[[SUM]] out_sharding=<@mesh, [{}, {}]> : tensor<2x8xi32>
  // CHECK-NEXT:   stablehlo.bitcast_convert %[[MOVED]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<2x8xi32>) -> tensor<2x8xf32>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x8xf32>
  %1 = stablehlo.dynamic_slice %0, %arg1, %arg2, sizes = [2, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// What is cut out goes into a product, where a zero is a zero: it is added up as numbers.
// CHECK-LABEL: func.func @dynamic_slice_of_factor
func.func @dynamic_slice_of_factor(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<i32>, %arg2: tensor<8x8xf32>) -> tensor<2x8xf32> {
  // CHECK: %[[PARTS:.*]] = sdy.manual_computation
  // CHECK: %[[SUM:.*]] = sdy.all_reduce {"x"} %[[PARTS]] out_sharding=<@mesh, [{}, {}]> : tensor<2x8xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[SUM]], %arg2
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x8xf32>
  %1 = stablehlo.dynamic_slice %0, %arg1, %zero, sizes = [2, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// One user wants the padded tensor in parts: what it needs is exchanged.
// CHECK-LABEL: func.func @pad_for_others
func.func @pad_for_others(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<f32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  // CHECK-NOT: sdy.reshard
  // CHECK:     stablehlo.collective_permute
  // CHECK:     sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x32xf32>
  %0 = stablehlo.pad %arg0, %arg1, low = [0, 4], high = [0, 12], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x32xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x32xf32>
  %2 = sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<8x32xf32>
  return %1, %2 : tensor<8x32xf32>, tensor<8x32xf32>
}

// What is cut off is not sent either: the slice comes first.
// CHECK-LABEL: func.func @cut_to_be_gathered
func.func @cut_to_be_gathered(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<f32>) -> tensor<8x8xf32> {
  // CHECK-NOT: sdy.reshard {{.*}} : tensor<8x16xf32>
  // CHECK:     sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %0 = stablehlo.pad %arg0, %arg1, low = [0, 0], high = [0, -8], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// One device has the row, which all need.
// CHECK-LABEL: func.func @few_elements
func.func @few_elements(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x6xf32> {
  // CHECK:      %[[PART:.*]] = sdy.manual_computation(%arg0
  // CHECK-SAME: out_shardings=[<@mesh, [{}, {}], unreduced={"x"}>]
  // CHECK:      stablehlo.dynamic_slice %{{.*}}, sizes = [1, 6] : (tensor<4x6xf32>, {{.*}}) -> tensor<1x6xf32>
  // CHECK:      stablehlo.dynamic_slice %{{.*}}, sizes = [1, 6] : (tensor<3x6xf32>, {{.*}}) -> tensor<1x6xf32>
  // CHECK:      %[[SUM:.*]] = sdy.all_reduce {"x"} %[[PART]] out_sharding=<@mesh, [{}, {}]>
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.bitcast_convert %[[SUM]]
  // CHECK-NEXT: sdy.reshard %[[ROW]] <@mesh, [{}, {}]>
  %0 = stablehlo.slice %arg0 [5:6, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x6xf32>) -> tensor<1x6xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<1x6xf32>
  return %1 : tensor<1x6xf32>
}

// Half of the elements are gathered as they are.
// CHECK-LABEL: func.func @many_elements
func.func @many_elements(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  // CHECK-NOT: sdy.all_reduce
  // CHECK:     sdy.reshard %{{.*}} <@mesh, [{}, {}]> : tensor<8x6xf32>
  %0 = stablehlo.slice %arg0 [0:8, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
