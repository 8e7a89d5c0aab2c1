// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// CHECK-LABEL: func.func @transpose
func.func @transpose(%arg0: tensor<3x5x7xf32>) -> tensor<7x3x5xf32> {
  // CHECK-NEXT: <([j, k, i])->([i, j, k]) {i=7, j=3, k=5}>
  %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<3x5x7xf32>) -> tensor<7x3x5xf32>
  return %0 : tensor<7x3x5xf32>
}

// A dimension that is expanded from size 1 is not shared.
// CHECK-LABEL: func.func @broadcast_in_dim
func.func @broadcast_in_dim(%arg0: tensor<3x1x1x5xf32>) -> tensor<5x3x7x1x9xf32> {
  // CHECK-NEXT: <([j, m, k, i])->([i, j, l, m, n]) {i=5, j=3, k=1, l=7, m=1, n=9}>
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 3, 2, 0] : (tensor<3x1x1x5xf32>) -> tensor<5x3x7x1x9xf32>
  return %0 : tensor<5x3x7x1x9xf32>
}

// CHECK-LABEL: func.func @bitcast_convert
func.func @bitcast_convert(%arg0: tensor<5x3xf64>) -> tensor<5x3x2xf32> {
  // CHECK-NEXT: <([i, j])->([i, j, k]) {i=5, j=3, k=2} need_replication={k}>
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<5x3xf64>) -> tensor<5x3x2xf32>
  return %0 : tensor<5x3x2xf32>
}

// CHECK-LABEL: func.func @reshape_merges
func.func @reshape_merges(%arg0: tensor<3x5xf32>) -> tensor<15xf32> {
  // CHECK-NEXT: <([i, j])->([ij]) {i=3, j=5}>
  %0 = stablehlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<15xf32>
  return %0 : tensor<15xf32>
}

// A new dimension of size 1 is nobody else's.
// CHECK-LABEL: func.func @reshape_splits
func.func @reshape_splits(%arg0: tensor<20xf32>) -> tensor<4x1x5xf32> {
  // CHECK-NEXT: <([ik])->([i, j, k]) {i=4, j=1, k=5} need_replication={j}>
  %0 = stablehlo.reshape %arg0 : (tensor<20xf32>) -> tensor<4x1x5xf32>
  return %0 : tensor<4x1x5xf32>
}

// CHECK-LABEL: func.func @reshape_moves_a_factor
func.func @reshape_moves_a_factor(%arg0: tensor<4x6xf32>) -> tensor<8x3xf32> {
  // CHECK-NEXT: <([i, jk])->([ij, k]) {i=4, j=2, k=3}>
  %0 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// From where the shapes diverge to where they meet again nothing is shared but the part that they begin with.
// CHECK-LABEL: func.func @reshape_diverges
func.func @reshape_diverges(%arg0: tensor<7x2x11x3x5xf32>) -> tensor<7x3x11x2x5xf32> {
  // CHECK-NEXT: <([i, j, k, m, o])->([i, j, l, n, o]) {i=7, j=2, k=11, l=11, m=3, n=2, o=5} need_replication={k, l, m, n} permutation={j}>
  %0 = stablehlo.reshape %arg0 : (tensor<7x2x11x3x5xf32>) -> tensor<7x3x11x2x5xf32>
  return %0 : tensor<7x3x11x2x5xf32>
}

// An empty tensor has no rule.
// CHECK-LABEL: func.func @reshape_of_nothing
func.func @reshape_of_nothing(%arg0: tensor<3x0xf32>) -> tensor<0x5xf32> {
  // CHECK-NEXT: %0 = stablehlo.reshape %arg0 : (tensor<3x0xf32>) -> tensor<0x5xf32>
  %0 = stablehlo.reshape %arg0 : (tensor<3x0xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

// Nor has one whose size is not known.
// CHECK-LABEL: func.func @reshape_of_unknown_size
func.func @reshape_of_unknown_size(%arg0: tensor<?x4xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %0 = stablehlo.reshape %arg0 : (tensor<?x4xf32>) -> tensor<8xf32>
  %0 = stablehlo.reshape %arg0 : (tensor<?x4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @dot_general
func.func @dot_general(%arg0: tensor<5x2x3x7xf32>, %arg1: tensor<3x7x2x4xf32>) -> tensor<3x2x5x4xf32> {
  // CHECK-NEXT: <([k, j, i, m], [i, m, j, l])->([i, j, k, l]) {i=3, j=2, k=5, l=4, m=7} reduction={m}>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [2, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<5x2x3x7xf32>, tensor<3x7x2x4xf32>) -> tensor<3x2x5x4xf32>
  return %0 : tensor<3x2x5x4xf32>
}

// CHECK-LABEL: func.func @dot
func.func @dot(%arg0: tensor<8xf32>, %arg1: tensor<8x3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: <([j], [j, i])->([i]) {i=3, j=8} reduction={j}>
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8xf32>, tensor<8x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%arg0: tensor<3x10x5xf32>, %arg1: tensor<f32>) -> tensor<10xf32> {
  // CHECK: across dimensions = [2, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [])->([j]) {i=3, j=10, k=5} reduction={i, k}>}
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [2, 0] : (tensor<3x10x5xf32>, tensor<f32>) -> tensor<10xf32>
  reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @broadcast_of_a_scalar
func.func @broadcast_of_a_scalar(%arg0: tensor<f32>) -> tensor<2x1xf32> {
  // CHECK-NEXT: <([])->([i, j]) {i=2, j=1}>
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// The sizes are those of the side that has fewer dimensions.
// CHECK-LABEL: func.func @bitcast_convert_to_wider_elements
func.func @bitcast_convert_to_wider_elements(%arg0: tensor<5x3x2xf32>) -> (tensor<5x3xf64>, tensor<5x3x2xi32>) {
  // CHECK-NEXT: <([i, j, k])->([i, j]) {i=5, j=3, k=2} need_replication={k}>
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<5x3x2xf32>) -> tensor<5x3xf64>
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=5, j=3, k=2}>
  %1 = stablehlo.bitcast_convert %arg0 : (tensor<5x3x2xf32>) -> tensor<5x3x2xi32>
  return %0, %1 : tensor<5x3xf64>, tensor<5x3x2xi32>
}

// A dimension of size 1 has nothing to do with one on the other side, even if the shapes are equal.
// CHECK-LABEL: func.func @reshape_of_size_one
func.func @reshape_of_size_one(%arg0: tensor<1x3xf32>, %arg1: tensor<1x1xf32>) -> (tensor<1x3xf32>, tensor<f32>) {
  // CHECK-NEXT: <([i, k])->([j, k]) {i=1, j=1, k=3} need_replication={i, j}>
  %0 = stablehlo.reshape %arg0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  // CHECK-NEXT: <([i, j])->([]) {i=1, j=1} need_replication={i, j}>
  %1 = stablehlo.reshape %arg1 : (tensor<1x1xf32>) -> tensor<f32>
  return %0, %1 : tensor<1x3xf32>, tensor<f32>
}

// What two sizes have in common passes; then they diverge, and meet again for the last factor.
// CHECK-LABEL: func.func @reshape_common_divisor
func.func @reshape_common_divisor(%arg0: tensor<4x15xf32>, %arg1: tensor<5x3xf32>) -> (tensor<6x10xf32>, tensor<3x5xf32>) {
  // CHECK-NEXT: <([ij, km])->([ij, lm]) {i=2, j=2, k=3, l=2, m=5} need_replication={k, l} permutation={j}>
  %0 = stablehlo.reshape %arg0 : (tensor<4x15xf32>) -> tensor<6x10xf32>
  // CHECK-NEXT: <([i, k])->([i, j]) {i=5, j=5, k=3} need_replication={j, k} permutation={i}>
  %1 = stablehlo.reshape %arg1 : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %0, %1 : tensor<6x10xf32>, tensor<3x5xf32>
}

// CHECK-LABEL: func.func @dot_with_matrices
func.func @dot_with_matrices(%arg0: tensor<5x8xf32>, %arg1: tensor<8x3xf32>, %arg2: tensor<8xf32>) -> (tensor<5x3xf32>, tensor<5xf32>, tensor<f32>) {
  // CHECK-NEXT: <([i, k], [k, j])->([i, j]) {i=5, j=3, k=8} reduction={k}>
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<5x8xf32>, tensor<8x3xf32>) -> tensor<5x3xf32>
  // CHECK-NEXT: <([i, j], [j])->([i]) {i=5, j=8} reduction={j}>
  %1 = stablehlo.dot %arg0, %arg2 : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5xf32>
  // CHECK-NEXT: <([i], [i])->([]) {i=8} reduction={i}>
  %2 = stablehlo.dot %arg2, %arg2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<5x3xf32>, tensor<5xf32>, tensor<f32>
}

// All inputs have the same factors, and all results.
// CHECK-LABEL: func.func @reduce_of_two
func.func @reduce_of_two(%arg0: tensor<3x10xf32>, %arg1: tensor<3x10xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  // CHECK: <([i, j], [i, j], [], [])->([i], [i]) {i=3, j=10} reduction={j}>
  %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [1] : (tensor<3x10xf32>, tensor<3x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>) {
    stablehlo.return %arg4, %arg5 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
