// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A device needs the first element of the next part, not all of it.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<14x8xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK:        %[[NEXT:.*]] = stablehlo.select
  // CHECK-NEXT:   %[[REST:.*]] = stablehlo.slice %[[PART]] [1:4, 0:8] {{.*}} -> tensor<3x8xf32>
  // CHECK-NEXT:   %[[CUT:.*]] = stablehlo.concatenate %[[REST]], %[[NEXT]], dim = 0 {{.*}} -> tensor<4x8xf32>
  // CHECK-NEXT:   sdy.return %[[CUT]]
  %0 = stablehlo.slice %arg0 [1:15, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<14x8xf32>
  return %0 : tensor<14x8xf32>
}

// Of its own part a device takes every other element, too, before it puts the neighbour's first behind them.
// CHECK-LABEL: func.func @strided_slice
func.func @strided_slice(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<15xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %{{.*}}) {{.*}} (%[[PART:.*]]: tensor<8xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[NEXT:.*]] = stablehlo.select {{.*}} tensor<1xf32>
  // CHECK-NEXT:   %[[REST:.*]] = stablehlo.slice %[[PART]] [2:7:2] {{.*}} -> tensor<3xf32>
  // CHECK-NEXT:   %[[CUT:.*]] = stablehlo.concatenate %[[REST]], %[[NEXT]], dim = 0 {{.*}} -> tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[CUT]]
  %0 = stablehlo.slice %arg0 [2:32:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>) -> tensor<15xf32>
  return %0 : tensor<15xf32>
}

// Few elements of few devices are sent one by one, not with those in between.
// CHECK-LABEL: func.func @few_strided
func.func @few_strided(%arg0: tensor<48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<4xf32> {
  // CHECK-NOT:    "stablehlo.collective_permute"
  // CHECK:        "stablehlo.all_to_all"(%{{.*}}) {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NOT:    "stablehlo.collective_permute"
  // CHECK:        return
  %0 = stablehlo.slice %arg0 [0:8:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<48xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Columns are cut first: then fewer elements of the rows are sent.
// CHECK-LABEL: func.func @slice_of_two
func.func @slice_of_two(%arg0: tensor<16x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<14x8xf32> {
  // CHECK:        "stablehlo.collective_permute"(%{{.*}}) {{.*}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK:        "stablehlo.collective_permute"(%{{.*}}) {{.*}} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %0 = stablehlo.slice %arg0 [1:15, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x48xf32>) -> tensor<14x8xf32>
  return %0 : tensor<14x8xf32>
}

// What is cut off of other dimensions is not sent.
// CHECK-LABEL: func.func @slice_of_both
func.func @slice_of_both(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<14x3xf32> {
  // CHECK-NEXT: %[[CUT:.*]] = stablehlo.slice %arg0 [0:16, 1:7:2] {{.*}} -> tensor<16x3xf32>
  // CHECK:      sdy.manual_computation(%[[CUT]], %{{.*}}) {{.*}} (%[[PART:.*]]: tensor<4x3xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:1, 0:3]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  %0 = stablehlo.slice %arg0 [1:15, 1:7:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<14x3xf32>
  return %0 : tensor<14x3xf32>
}

// What has been moved for a reshape alone is gathered from where it was.
// CHECK-LABEL: func.func @gathered_reshape
func.func @gathered_reshape(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<3x16xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
  // CHECK-NEXT: %[[SHAPED:.*]] = stablehlo.reshape %[[WHOLE]]
  // CHECK-NEXT: sdy.reshard %[[SHAPED]] <@mesh, [{"y"}, {}]>
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {}]> : tensor<8x6xf32>
  %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<3x16xf32>
  return %1 : tensor<3x16xf32>
}

// Each row goes straight to where it is needed, which may be devices away, and to no one else.
// CHECK-LABEL: func.func @few_rows
func.func @few_rows(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %arg1: tensor<f32>) -> (tensor<4xf32>, tensor<16xf32>) {
  // CHECK:        "stablehlo.collective_permute"{{.*}}source_target_pairs = dense<{{\[}}[2, 1], [4, 2], [6, 3]]>
  // CHECK-NOT:    collective_permute
  // CHECK:      sdy.manual_computation
  // CHECK:        "stablehlo.collective_permute"{{.*}}source_target_pairs = dense<{{\[}}[0, 1], [1, 2], [2, 4], [3, 5], [4, 7]]>
  // CHECK-NOT:    collective_permute
  // CHECK:      return
  %0 = stablehlo.slice %arg0 [0:7:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.pad %arg0, %arg1, low = [2], high = [-8], interior = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1 : tensor<4xf32>, tensor<16xf32>
}

// Windows reach one element to the left and to the right; what is not slid along stays sharded. Beyond the tensor is what
// changes no sum, whatever the sums start from.
// CHECK-LABEL: func.func @reduce_window
func.func @reduce_window(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<16x6xf32> {
  // CHECK-NEXT: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK-NEXT: sdy.manual_computation(%arg0, %arg1, %[[NEUTRAL]]) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%[[PART:.*]]: tensor<4x6xf32>, %[[INIT:.*]]: tensor<f32>, %[[NOTHING:.*]]: tensor<f32>) {
  // CHECK:        %[[LAST:.*]] = stablehlo.slice %[[PART]] [3:4, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[LAST]])
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:1, 0:6]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK:        %[[NONE:.*]] = stablehlo.broadcast_in_dim %[[NOTHING]], dims = []
  // CHECK:        stablehlo.select %{{.*}}, %{{.*}}, %[[NONE]]
  // CHECK:        %[[CUT:.*]] = stablehlo.concatenate %{{.*}}, %[[PART]], %{{.*}}, dim = 0 {{.*}} -> tensor<6x6xf32>
  // CHECK-NEXT:   %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[CUT]], %[[INIT]]) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}>
  // CHECK:        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<6x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK-NEXT:   sdy.return %[[SUMS]] : tensor<4x6xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}

// Windows that begin at other places on each device, all within what it has got: nothing is padded.
// CHECK-LABEL: func.func @windows_within_reach
func.func @windows_within_reach(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<12xf32> {
  // CHECK:        %[[GOT:.*]] = stablehlo.concatenate {{.*}} -> tensor<10xf32>
  // CHECK-NOT:    stablehlo.pad
  // CHECK:        stablehlo.dynamic_slice %[[GOT]], %{{.*}}, sizes = [7] {{.*}} (tensor<10xf32>, tensor<i32>) -> tensor<7xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// A strided convolution; the kernel is whole, batch and features stay as they are.
// CHECK-LABEL: func.func @convolution
func.func @convolution(%arg0: tensor<2x16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}, %arg1: tensor<3x3x8xf32>) -> tensor<2x8x8xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"y"}, {"x"}, {}]>, <@mesh, [{}, {}, {}]>] out_shardings=[<@mesh, [{"y"}, {"x"}, {}]>] manual_axes={"x"} (%[[PART:.*]]: tensor<2x4x3xf32>, %[[KERNEL:.*]]: tensor<3x3x8xf32>) {
  // CHECK:        %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:2, 0:1, 0:3]
  // CHECK-NEXT:   "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK-NOT:    "stablehlo.collective_permute"
  // CHECK:        %[[CUT:.*]] = stablehlo.concatenate %[[PART]], %{{.*}}, dim = 1 {{.*}} -> tensor<2x5x3xf32>
  // CHECK-NEXT:   stablehlo.convolution(%[[CUT]], %[[KERNEL]]) {{.*}} : (tensor<2x5x3xf32>, tensor<3x3x8xf32>) -> tensor<2x2x8xf32>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>}
    : (tensor<2x16x3xf32>, tensor<3x3x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// It is not known what changes no result: flags say which elements are there. The init value always counts.
// CHECK-LABEL: func.func @unknown_body
func.func @unknown_body(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<16xf32> {
  // CHECK-NEXT:   sdy.manual_computation(%arg0, %arg1) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<4xf32>, %[[INIT:.*]]: tensor<f32>) {
  // CHECK:        %[[CUT:.*]] = stablehlo.concatenate %{{.*}}, %[[PART]], %{{.*}}, dim = 0 {{.*}} -> tensor<6xf32>
  // CHECK:        %[[FIRST:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<i32>
  // CHECK:        %[[PLACE:.*]] = stablehlo.add {{.*}} : tensor<6xi32>
  // CHECK:        %[[BEHIND:.*]] = stablehlo.compare GE, %[[PLACE]], %{{.*}} -> tensor<6xi1>
  // CHECK:        %[[LIMIT:.*]] = stablehlo.constant {{.*}}dense<15> : tensor<6xi32>
  // CHECK-NEXT:   %[[BEFORE:.*]] = stablehlo.compare LE, %[[PLACE]], %[[LIMIT]] {{.*}} -> tensor<6xi1>
  // CHECK-NEXT:   %[[FLAGS:.*]] = stablehlo.and %[[BEHIND]], %[[BEFORE]] {{.*}} : tensor<6xi1>
  // CHECK-NEXT:   %[[COUNTS:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-NEXT:   %[[R:.*]]:2 = "stablehlo.reduce_window"(%[[CUT]], %[[FLAGS]], %[[INIT]], %[[COUNTS]])
  // CHECK-NEXT:   ^bb0(%[[A:.*]]: tensor<f32>, %[[A_COUNTS:.*]]: tensor<i1>, %[[B:.*]]: tensor<f32>, %[[B_COUNTS:.*]]: tensor<i1>):
  // CHECK-NEXT:     %[[BOTH:.*]] = stablehlo.atan2 %[[A]], %[[B]] : tensor<f32>
  // CHECK-NEXT:     %[[A_OR_BOTH:.*]] = stablehlo.select %[[B_COUNTS]], %[[BOTH]], %[[A]]
  // CHECK-NEXT:     %[[CHOSEN:.*]] = stablehlo.select %[[A_COUNTS]], %[[A_OR_BOTH]], %[[B]]
  // CHECK-NEXT:     %[[EITHER:.*]] = stablehlo.or %[[A_COUNTS]], %[[B_COUNTS]]
  // CHECK-NEXT:     stablehlo.return %[[CHOSEN]], %[[EITHER]]
  // CHECK:        sdy.return %[[R]]#0 : tensor<4xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.atan2 %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A window of few of a device's elements is cut out before it is padded, so that several windows share no padded copy.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%arg0: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x8xf32> {
  // CHECK:        sdy.manual_computation(%arg0, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<16x8xf32>, %[[NOTHING:.*]]: tensor<f32>) {
  // CHECK:        %[[NEAR:.*]] = stablehlo.clamp
  // CHECK:        %[[NEAREST:.*]] = stablehlo.dynamic_slice %{{.*}}, %[[NEAR]], %{{.*}}, sizes = [1, 8]
  // CHECK:        %[[PADDED:.*]] = stablehlo.pad %[[NEAREST]], %[[NOTHING]], {{.*}} : (tensor<1x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  // CHECK:        stablehlo.dynamic_slice %[[PADDED]], {{.*}}, sizes = [1, 8]
  %0 = stablehlo.slice %arg0 [2:3, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// Windows that reach farther than it takes to gather the dimension: it is gathered, each device looks at what it needs.
// CHECK-LABEL: func.func @far
func.func @far(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<8xf32> {
  // CHECK:        sdy.manual_computation(%arg0, %arg1, %{{.*}}) {{.*}} manual_axes={"x"} (%[[PART:.*]]: tensor<2xf32>, %[[INIT:.*]]: tensor<f32>, %[[NOTHING:.*]]: tensor<f32>) {
  // CHECK:        %[[WHOLE:.*]] = "stablehlo.all_gather"(%[[PART]]) {{.*}} : (tensor<2xf32>) -> tensor<8xf32>
  // CHECK-NEXT:   stablehlo.pad %[[WHOLE]], %[[NOTHING]], low = [6], high = [0], interior = [0]
  // CHECK:        %[[CUT:.*]] = stablehlo.dynamic_slice %{{.*}}, sizes = [8]
  // CHECK:        "stablehlo.reduce_window"(%[[CUT]], %[[INIT]])
  // CHECK:        : (tensor<8xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 7>, padding = dense<[[6, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Windows of one element each, one after the other: nothing is exchanged, nothing gathered.
// CHECK-LABEL: func.func @single_elements
func.func @single_elements(%arg0: tensor<2x16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}, %arg1: tensor<1x1x4x6xf32>) -> tensor<2x16x8x6xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.convolution(%arg0, %arg1)
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}, {}]>]>}
    : (tensor<2x16x8x4xf32>, tensor<1x1x4x6xf32>) -> tensor<2x16x8x6xf32>
  return %0 : tensor<2x16x8x6xf32>
}

// Zeros between the elements of what is convolved are left to the local convolution, where parts begin alike.
// CHECK-LABEL: func.func @holes
func.func @holes(%arg0: tensor<2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<3x4x6xf32>) -> tensor<2x32x6xf32> {
  // CHECK:      sdy.manual_computation
  // CHECK-NOT:  stablehlo.pad
  // CHECK:      %[[FETCHED:.*]] = stablehlo.concatenate {{.*}} -> tensor<2x5x4xf32>
  // CHECK-NEXT: stablehlo.convolution(%[[FETCHED]], %{{.*}}) {{.*}} window = {pad = {{\[}}[1, 0]], lhs_dilate = [2]}
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2]], lhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>}
    : (tensor<2x16x4xf32>, tensor<3x4x6xf32>) -> tensor<2x32x6xf32>
  return %0 : tensor<2x32x6xf32>
}

// Where parts begin at another place between two elements, each device takes its positions, zeros among them.
// CHECK-LABEL: func.func @holes_apart
func.func @holes_apart(%arg0: tensor<8x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %arg1: tensor<3x3x6xf32>) -> tensor<17x4x6xf32> {
  // CHECK:      sdy.manual_computation
  // CHECK:      stablehlo.pad %{{.*}}, low = [2, 0, 0], high = [1, 0, 0], interior = [1, 0, 0]
  // CHECK:      %[[TAKEN:.*]] = stablehlo.dynamic_slice {{.*}} -> tensor<7x4x3xf32>
  // CHECK-NEXT: %[[MADE:.*]] = stablehlo.convolution(%[[TAKEN]], %{{.*}}) {{.*}} window = {pad = {{\[}}[0, 0]], lhs_dilate = [1]} {{.*}} -> tensor<5x4x6xf32>
  // CHECK-NEXT: sdy.return %[[MADE]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, b, f]x[0, i, o]->[0, b, f], window = {pad = [[2, 2]], lhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>}
    : (tensor<8x4x3xf32>, tensor<3x3x6xf32>) -> tensor<17x4x6xf32>
  return %0 : tensor<17x4x6xf32>
}

// A half of the columns lies on half of the devices, and goes to all: each sends two parts of two columns straight to who
// has them, where halos would be whole parts for devices that are one, two, three and four places away.
// CHECK-LABEL: func.func @half
func.func @half(%arg0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}) -> tensor<8x16xf32> {
  // CHECK:     sdy.manual_computation(%arg0{{.*}}manual_axes={"x", "y"}
  // CHECK-COUNT-2: "stablehlo.collective_permute"
  // CHECK-NOT: "stablehlo.collective_permute"
  // CHECK:     sdy.return
  %0 = stablehlo.slice %arg0 [0:8, 16:32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} : (tensor<8x32xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The order of an uneven dimension's parts is reversed behind its padding: of each part its last element is sent there.
// CHECK-LABEL: func.func @reverse
func.func @reverse(%arg0: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<7x4xf32> {
  // CHECK:        %[[TAIL:.*]] = stablehlo.slice %[[PART:.*]] [3:4, 0:4] {{.*}} -> tensor<1x4xf32>
  // CHECK-NEXT:   %[[SENT:.*]] = "stablehlo.collective_permute"(%[[TAIL]])
  // CHECK-NEXT:   %[[HEAD:.*]] = stablehlo.slice %[[PART]] [0:3, 0:4] {{.*}} -> tensor<3x4xf32>
  // CHECK-NEXT:   stablehlo.concatenate %[[SENT]], %[[HEAD]], dim = 0
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// Padding as large as a part moves whole parts.
// CHECK-LABEL: func.func @reverse_by_a_part
func.func @reverse_by_a_part(%arg0: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<9xf32> {
  // CHECK:        "stablehlo.collective_permute"(%{{.*}}) {{.*}} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT:   sdy.return
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<9xf32>
  return %0 : tensor<9xf32>
}
