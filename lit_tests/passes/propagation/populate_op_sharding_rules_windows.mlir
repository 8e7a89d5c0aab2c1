// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s
// RUN: sdy-opt %s --sdy-populate-op-sharding-rules='conservative-propagation=true' | filecheck %s --check-prefix=CONSERVATIVE

// A dimension with a window, a stride or a padding moves data; its size is that of the result.
// CHECK-LABEL: func.func @reduce_window
// CONSERVATIVE-LABEL: func.func @reduce_window
func.func @reduce_window(%arg0: tensor<12x10x4xf32>, %arg1: tensor<f32>) -> tensor<4x10x4xf32> {
  // CHECK: <([i, j, k], [])->([i, j, k]) {i=4, j=10, k=4} permutation={i, j}>
  // CONSERVATIVE: <([i, j, k], [])->([i, j, k]) {i=4, j=10, k=4} permutation={i, j} blocked_propagation={i, j}>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 3, 1, 1>, padding = dense<[[0, 0], [1, -1], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<12x10x4xf32>, tensor<f32>) -> tensor<4x10x4xf32>
  return %0 : tensor<4x10x4xf32>
}

// In such a dimension the source is not tied to the operand.
// CHECK-LABEL: func.func @select_and_scatter
// CONSERVATIVE-LABEL: func.func @select_and_scatter
func.func @select_and_scatter(%arg0: tensor<6x20xf32>, %arg1: tensor<6x10xf32>, %arg2: tensor<f32>) -> tensor<6x20xf32> {
  // CHECK: <([i, k], [i, j], [])->([i, k]) {i=6, j=10, k=20} need_replication={j} permutation={k}>
  // CONSERVATIVE: <([i, k], [i, j], [])->([i, k]) {i=6, j=10, k=20} need_replication={j} permutation={k} blocked_propagation={j, k}>
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GT, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x20xf32>, tensor<6x10xf32>, tensor<f32>) -> tensor<6x20xf32>
  return %0 : tensor<6x20xf32>
}

// A dimension of the input splits into the windows and the positions in the kernel.
// CHECK-LABEL: func.func @convolution
// CONSERVATIVE-LABEL: func.func @convolution
func.func @convolution(%arg0: tensor<2x9x9x4xf32>, %arg1: tensor<3x3x4x6xf32>) -> tensor<2x4x4x6xf32> {
  // CHECK-NEXT: <([i, jk, lm, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=4, k=2, l=4, m=2, n=4, o=6} reduction={k, m, n} permutation={j, l}>
  // CONSERVATIVE-NEXT: <([i, l, m, j], [n, o, j, k])->([i, p, q, k]) {i=2, j=4, k=6, l=1, m=1, n=1, o=1, p=1, q=1} reduction={j}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x4x4x6xf32>
  return %0 : tensor<2x4x4x6xf32>
}

// If nothing of the input is left for one of the two, that one has a factor to itself.
// CHECK-LABEL: func.func @convolution_with_same_padding
func.func @convolution_with_same_padding(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<3x3x4x6xf32>) -> tensor<2x8x8x6xf32> {
  // CHECK-NEXT: <([i, j, l, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=8, k=3, l=8, m=3, n=4, o=6} reduction={n} permutation={j, k, l, m}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x8x8x6xf32>
  return %0 : tensor<2x8x8x6xf32>
}

// Groups of the batch dimension become output features.
// CHECK-LABEL: func.func @convolution_with_batch_groups
func.func @convolution_with_batch_groups(%arg0: tensor<8x9x9x12xf32>, %arg1: tensor<3x3x12x20xf32>) -> tensor<2x7x7x20xf32> {
  // CHECK-NEXT: <([ij, k, m, o], [l, n, o, ip])->([j, k, m, ip]) {i=4, j=2, k=7, l=3, m=7, n=3, o=12, p=5} reduction={o} permutation={k, l, m, n}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x9x9x12xf32>, tensor<3x3x12x20xf32>) -> tensor<2x7x7x20xf32>
  return %0 : tensor<2x7x7x20xf32>
}

// CHECK-LABEL: func.func @convolution_with_feature_groups
func.func @convolution_with_feature_groups(%arg0: tensor<8x9x9x12xf32>, %arg1: tensor<3x3x3x20xf32>) -> tensor<8x7x7x20xf32> {
  // CHECK-NEXT: <([i, j, l, no], [k, m, o, np])->([i, j, l, np]) {i=8, j=7, k=3, l=7, m=3, n=4, o=3, p=5} reduction={o} permutation={j, k, l, m}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<8x9x9x12xf32>, tensor<3x3x3x20xf32>) -> tensor<8x7x7x20xf32>
  return %0 : tensor<8x7x7x20xf32>
}

// Without windows, strides and paddings every dimension passes; dilations are not looked at. All inputs have its factors.
// CHECK-LABEL: func.func @reduce_window_of_single_elements
// CONSERVATIVE-LABEL: func.func @reduce_window_of_single_elements
func.func @reduce_window_of_single_elements(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> (tensor<4x11xf32>, tensor<4x11xf32>) {
  // CHECK: <([i, j], [i, j], [], [])->([i, j], [i, j]) {i=4, j=11}>
  // CONSERVATIVE: <([i, j], [i, j], [], [])->([i, j], [i, j]) {i=4, j=11}>
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg0, %arg1, %arg1) <{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 1, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    stablehlo.return %arg2, %arg3 : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x11xf32>, tensor<4x11xf32>)
  return %0#0, %0#1 : tensor<4x11xf32>, tensor<4x11xf32>
}

// Where the kernel is the larger one, it comes first: here it takes all of the first dimension and most of the second.
// CHECK-LABEL: func.func @convolution_with_large_kernel
func.func @convolution_with_large_kernel(%arg0: tensor<2x8x10x4xf32>, %arg1: tensor<8x7x4x1xf32>) -> tensor<2x1x4x1xf32> {
  // CHECK-NEXT: <([i, j, k, m], [j, k, m, n])->([i, o, l, p]) {i=2, j=8, k=7, l=4, m=4, n=1, o=1, p=1} reduction={j, k, m} permutation={l}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x10x4xf32>, tensor<8x7x4x1xf32>) -> tensor<2x1x4x1xf32>
  return %0 : tensor<2x1x4x1xf32>
}

// A kernel of one element and one feature: sizes of 1 are nobody else's.
// CHECK-LABEL: func.func @convolution_with_single_elements
func.func @convolution_with_single_elements(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<1x1x4x1xf32>) -> tensor<2x8x8x1xf32> {
  // CHECK-NEXT: <([i, j, k, l], [m, n, l, o])->([i, j, k, p]) {i=2, j=8, k=8, l=4, m=1, n=1, o=1, p=1} reduction={l} permutation={j, k}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<1x1x4x1xf32>) -> tensor<2x8x8x1xf32>
  return %0 : tensor<2x8x8x1xf32>
}

// A batch that is used up by the groups.
// CHECK-LABEL: func.func @convolution_with_batch_groups_of_one
func.func @convolution_with_batch_groups_of_one(%arg0: tensor<4x9x9x12xf32>, %arg1: tensor<3x3x12x4xf32>) -> tensor<1x7x7x4xf32> {
  // CHECK-NEXT: <([i, k, m, o], [l, n, o, i])->([j, k, m, i]) {i=4, j=1, k=7, l=3, m=7, n=3, o=12} reduction={o} permutation={k, l, m, n}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x9x9x12xf32>, tensor<3x3x12x4xf32>) -> tensor<1x7x7x4xf32>
  return %0 : tensor<1x7x7x4xf32>
}

// Features that are used up by the groups.
// CHECK-LABEL: func.func @depthwise_convolution
func.func @depthwise_convolution(%arg0: tensor<8x9x9x12xf32>, %arg1: tensor<3x3x1x12xf32>) -> tensor<8x7x7x12xf32> {
  // CHECK-NEXT: <([i, j, l, n], [k, m, o, n])->([i, j, l, n]) {i=8, j=7, k=3, l=7, m=3, n=12, o=1} reduction={o} permutation={j, k, l, m}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<8x9x9x12xf32>, tensor<3x3x1x12xf32>) -> tensor<8x7x7x12xf32>
  return %0 : tensor<8x7x7x12xf32>
}

// Nothing to split: the spatial dimensions stay to themselves.
// CHECK-LABEL: func.func @convolution_of_nothing
func.func @convolution_of_nothing(%arg0: tensor<2x0x4xf32>, %arg1: tensor<3x4x6xf32>) -> tensor<2x2x6xf32> {
  // CHECK-NEXT: <([i, l, j], [m, j, k])->([i, n, k]) {i=2, j=4, k=6, l=1, m=1, n=1} reduction={j}>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x0x4xf32>, tensor<3x4x6xf32>) -> tensor<2x2x6xf32>
  return %0 : tensor<2x2x6xf32>
}

// A padding behind the last element alone makes a window, too.
// CHECK-LABEL: func.func @padded_behind
// CONSERVATIVE-LABEL: func.func @padded_behind
func.func @padded_behind(%arg0: tensor<8x8xf32>, %arg1: tensor<f32>) -> tensor<9x8xf32> {
  // CHECK: <([i, j], [])->([i, j]) {i=9, j=8} permutation={i}>
  // CONSERVATIVE: <([i, j], [])->([i, j]) {i=9, j=8} permutation={i} blocked_propagation={i}>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  return %0 : tensor<9x8xf32>
}
