// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s
// RUN: sdy-opt %s --sdy-populate-op-sharding-rules='conservative-propagation=true' | filecheck %s --check-prefix=CONSERVATIVE

// A sliced dimension moves data between neighbours.
// CHECK-LABEL: func.func @slice
// CONSERVATIVE-LABEL: func.func @slice
func.func @slice(%arg0: tensor<9x6x10xf32>) -> tensor<9x2x5xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=9, j=6, k=10} permutation={j, k}>
  // CONSERVATIVE-NEXT: <([i, j, k])->([i, j, k]) {i=9, j=6, k=10} permutation={j, k} blocked_propagation={j, k}>
  %0 = stablehlo.slice %arg0 [0:9, 1:3, 0:10:2] : (tensor<9x6x10xf32>) -> tensor<9x2x5xf32>
  return %0 : tensor<9x2x5xf32>
}

// Where a dynamic slice begins is not known, so what it slices is replicated.
// CHECK-LABEL: func.func @dynamic_slice
func.func @dynamic_slice(%arg0: tensor<12x5x9xf32>, %arg1: tensor<i32>) -> tensor<12x2x3xf32> {
  // CHECK-NEXT: <([i, j, k], [], [], [])->([i, j, k]) {i=12, j=5, k=9} need_replication={j, k} blocked_propagation={j, k}>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, %arg1, sizes = [12, 2, 3] : (tensor<12x5x9xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x2x3xf32>
  return %0 : tensor<12x2x3xf32>
}

// An update of another size than the operand has factors of its own, wherever it goes.
// CHECK-LABEL: func.func @dynamic_update_slice
func.func @dynamic_update_slice(%arg0: tensor<9x6xf32>, %arg1: tensor<9x2xf32>, %arg2: tensor<i32>) -> tensor<9x6xf32> {
  // CHECK-NEXT: <([i, j], [i, k], [], [])->([i, j]) {i=9, j=6, k=2} permutation={j, k}>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<9x6xf32>, tensor<9x2xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
  return %0 : tensor<9x6xf32>
}

// A dimension that is padded and cut to the same size still moves data.
// CHECK-LABEL: func.func @pad
// CONSERVATIVE-LABEL: func.func @pad
func.func @pad(%arg0: tensor<6x6x6xf32>, %arg1: tensor<f32>) -> tensor<8x6x6xf32> {
  // CHECK-NEXT: <([i, j, k], [])->([i, j, k]) {i=6, j=6, k=6} permutation={i, j}>
  // CONSERVATIVE-NEXT: <([i, j, k], [])->([i, j, k]) {i=6, j=6, k=6} permutation={i, j} blocked_propagation={i}>
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 1, 0], high = [1, -1, 0], interior = [0, 0, 0] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<8x6x6xf32>
  return %0 : tensor<8x6x6xf32>
}

// CHECK-LABEL: func.func @reverse
func.func @reverse(%arg0: tensor<4x1x3xf32>) -> tensor<4x1x3xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=4, j=1, k=3} permutation={j, k}>
  %0 = stablehlo.reverse %arg0, dims = [1, 2] : tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}

// CHECK-LABEL: func.func @concatenate
// CONSERVATIVE-LABEL: func.func @concatenate
func.func @concatenate(%arg0: tensor<5x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<7x3xf32> {
  // CHECK-NEXT: <([i, j], [i, j])->([i, j]) {i=7, j=3} need_replication={i}>
  // CONSERVATIVE-NEXT: <([j, i], [k, i])->([l, i]) {i=3, j=1, k=1, l=1}>
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<7x3xf32>
  return %0 : tensor<7x3xf32>
}

// Slices of any tensors: halves change places, say.
// CHECK-LABEL: func.func @concatenate_slices
func.func @concatenate_slices(%arg0: tensor<6x3xf32>, %arg1: tensor<6x3xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.slice %arg0 [3:6, 0:3] : (tensor<6x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.slice %arg1 [0:2, 0:3] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.concatenate
  // CHECK-SAME: <([i, j], [i, j])->([i, j]) {i=5, j=3} permutation={i}>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}

// A tensor and a slice of it: wrap-around padding.
// CHECK-LABEL: func.func @concatenate_with_own_slice
func.func @concatenate_with_own_slice(%arg0: tensor<6x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %arg0 [0:2, 0:3] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.concatenate
  // CHECK-SAME: <([i, j], [i, j])->([i, j]) {i=8, j=3} permutation={i}>
  %1 = stablehlo.concatenate %arg0, %0, dim = 0 : (tensor<6x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// A tensor and a slice of another one.
// CHECK-LABEL: func.func @concatenate_with_other_slice
func.func @concatenate_with_other_slice(%arg0: tensor<6x3xf32>, %arg1: tensor<6x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %arg1 [0:2, 0:3] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.concatenate
  // CHECK-SAME: <([i, j], [i, j])->([i, j]) {i=8, j=3} need_replication={i}>
  %1 = stablehlo.concatenate %arg0, %0, dim = 0 : (tensor<6x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @sort
func.func @sort(%arg0: tensor<7x9xf32>) -> tensor<7x9xf32> {
  // CHECK: <([i, j])->([i, j]) {i=7, j=9} need_replication={i}>
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// If no other dimension could be sharded, axes stay away from the sorted one.
// CHECK-LABEL: func.func @sort_of_the_only_real_dimension
func.func @sort_of_the_only_real_dimension(%arg0: tensor<1x5xf32>) -> tensor<1x5xf32> {
  // CHECK: <([i, j])->([i, j]) {i=1, j=5} need_replication={j} blocked_propagation={j}>
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1x5xf32>) -> tensor<1x5xf32>
  return %0 : tensor<1x5xf32>
}

// One tensor several times is no rotation of it.
// CHECK-LABEL: func.func @concatenate_with_itself
func.func @concatenate_with_itself(%arg0: tensor<6x3xf32>) -> tensor<12x3xf32> {
  // CHECK-NEXT: <([i, j], [i, j])->([i, j]) {i=12, j=3} need_replication={i}>
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<12x3xf32>
  return %0 : tensor<12x3xf32>
}

// Of a slice of a slice only the last step counts: the operands are not slices of one tensor.
// CHECK-LABEL: func.func @concatenate_with_slice_of_slice
func.func @concatenate_with_slice_of_slice(%arg0: tensor<6x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<6x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.concatenate
  // CHECK-SAME: <([i, j], [i, j])->([i, j]) {i=8, j=3} need_replication={i}>
  %2 = stablehlo.concatenate %arg0, %1, dim = 0 : (tensor<6x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// A dynamic slice of everything leaves nothing out.
// CHECK-LABEL: func.func @dynamic_slice_of_everything
func.func @dynamic_slice_of_everything(%arg0: tensor<12x5xf32>, %arg1: tensor<i32>) -> tensor<12x5xf32> {
  // CHECK-NEXT: <([i, j], [], [])->([i, j]) {i=12, j=5}>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [12, 5] : (tensor<12x5xf32>, tensor<i32>, tensor<i32>) -> tensor<12x5xf32>
  return %0 : tensor<12x5xf32>
}

// Constant indices make no difference to an update.
// CHECK-LABEL: func.func @dynamic_update_slice_at_a_constant
func.func @dynamic_update_slice_at_a_constant(%arg0: tensor<9x6xf32>, %arg1: tensor<9x2xf32>) -> tensor<9x6xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: <([i, j], [i, k], [], [])->([i, j]) {i=9, j=6, k=2} permutation={j, k}>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg1, %0, %0 : (tensor<9x6xf32>, tensor<9x2xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
  return %1 : tensor<9x6xf32>
}

// Padding between elements counts even where there is only one.
// CHECK-LABEL: func.func @pad_inside_of_one_element
// CONSERVATIVE-LABEL: func.func @pad_inside_of_one_element
func.func @pad_inside_of_one_element(%arg0: tensor<1x6xf32>, %arg1: tensor<f32>) -> tensor<1x6xf32> {
  // CHECK-NEXT: <([i, j], [])->([i, j]) {i=1, j=6} permutation={i}>
  // CONSERVATIVE-NEXT: <([i, j], [])->([i, j]) {i=1, j=6} permutation={i}>
  %0 = stablehlo.pad %arg0, %arg1, low = [0, 0], high = [0, 0], interior = [2, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// A dimension counted from the end, as the default one, is not looked up: everything passes.
// CHECK-LABEL: func.func @sort_of_the_last_dimension
func.func @sort_of_the_last_dimension(%arg0: tensor<7x9xf32>) -> (tensor<7x9xf32>, tensor<7x9xf32>) {
  // CHECK: <([i, j])->([i, j]) {i=7, j=9}>
  %0 = "stablehlo.sort"(%arg0) <{dimension = -1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<7x9xf32>) -> tensor<7x9xf32>
  // CHECK: <([i, j])->([i, j]) {i=7, j=9}>
  %1 = "stablehlo.sort"(%arg0) ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0, %1 : tensor<7x9xf32>, tensor<7x9xf32>
}
