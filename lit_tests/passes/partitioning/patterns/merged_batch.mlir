// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=merged-batch | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["data"=2, "model"=4]>

// Batch and heads, merged in front of a product and split behind it, are two batching dimensions: nothing is sent.
// CHECK-LABEL: func.func @main
// LOCAL-LABEL: func.func @main
func.func @main(%q: tensor<8x8x32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}, %k: tensor<8x8x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}) -> (tensor<8x8x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}) {
  // CHECK: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] {mine} : (tensor<8x8x32x8xf32>, tensor<8x8x8x32xf32>) -> tensor<8x8x32x32xf32>
  // CHECK-NEXT: return %[[D]]
  // LOCAL-NEXT: stablehlo.dot_general %{{.*}} -> tensor<4x2x32x32xf32>
  // LOCAL-NEXT: return
  %0 = stablehlo.reshape %q : (tensor<8x8x32x8xf32>) -> tensor<64x32x8xf32>
  %1 = stablehlo.reshape %k : (tensor<8x8x8x32xf32>) -> tensor<64x8x32xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] {mine} : (tensor<64x32x8xf32>, tensor<64x8x32xf32>) -> tensor<64x32x32xf32>
  %3 = stablehlo.reshape %2 : (tensor<64x32x32xf32>) -> tensor<8x8x32x32xf32>
  return %3 : tensor<8x8x32x32xf32>
}

// As in a gradient: between reshapes and product stand transposes, of the batching dimension as well, and reshapes that
// change nothing.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%q: tensor<4x8x32x6xf32>, %k: tensor<4x8x32x5xf32>) -> (tensor<5x4x8x6xf32>, tensor<4x8x6x5xf32>) {
  // CHECK:      %[[Q:.*]] = stablehlo.transpose %arg0, dims = [2, 0, 1, 3] : (tensor<4x8x32x6xf32>) -> tensor<32x4x8x6xf32>
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %[[Q]], %arg1, batching_dims = [1, 2] x [0, 1], contracting_dims = [0] x [2] : {{.*}} -> tensor<4x8x6x5xf32>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [3, 0, 1, 2] : (tensor<4x8x6x5xf32>) -> tensor<5x4x8x6xf32>
  // CHECK-NEXT: return %[[T]], %[[D]]
  %0 = stablehlo.reshape %q : (tensor<4x8x32x6xf32>) -> tensor<32x32x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<32x32x6xf32>) -> tensor<32x32x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<32x32x6xf32>) -> tensor<32x32x6xf32>
  %3 = stablehlo.reshape %k : (tensor<4x8x32x5xf32>) -> tensor<32x32x5xf32>
  %4 = stablehlo.dot_general %2, %3, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<32x32x6xf32>, tensor<32x32x5xf32>) -> tensor<32x6x5xf32>
  %5 = stablehlo.transpose %4, dims = [2, 0, 1] : (tensor<32x6x5xf32>) -> tensor<5x32x6xf32>
  %6 = stablehlo.reshape %5 : (tensor<5x32x6xf32>) -> tensor<5x4x8x6xf32>
  %7 = stablehlo.reshape %4 : (tensor<32x6x5xf32>) -> tensor<32x6x5xf32>
  %8 = stablehlo.reshape %7 : (tensor<32x6x5xf32>) -> tensor<4x8x6x5xf32>
  return %6, %8 : tensor<5x4x8x6xf32>, tensor<4x8x6x5xf32>
}

// Heads that share keys: the dimensions are those into which the result is split.
// CHECK-LABEL: func.func @grouped
func.func @grouped(%q: tensor<4x8x1x3xf32>, %k: tensor<4x4x2x3x5xf32>) -> (tensor<4x8x1x5xf32>, tensor<4x4x2x1x5xf32>) {
  // CHECK: %[[K:.*]] = stablehlo.reshape %arg1 : (tensor<4x4x2x3x5xf32>) -> tensor<4x8x3x5xf32>
  // CHECK: stablehlo.dot_general %arg0, %[[K]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
  // CHECK: %[[Q:.*]] = stablehlo.reshape %arg0 : (tensor<4x8x1x3xf32>) -> tensor<4x4x2x1x3xf32>
  // CHECK: stablehlo.dot_general %[[Q]], %arg1, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3]
  %0 = stablehlo.reshape %q : (tensor<4x8x1x3xf32>) -> tensor<32x1x3xf32>
  %1 = stablehlo.reshape %k : (tensor<4x4x2x3x5xf32>) -> tensor<32x3x5xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x1x3xf32>, tensor<32x3x5xf32>) -> tensor<32x1x5xf32>
  %3 = stablehlo.reshape %2 : (tensor<32x1x5xf32>) -> tensor<4x8x1x5xf32>
  %4 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x1x3xf32>, tensor<32x3x5xf32>) -> tensor<32x1x5xf32>
  %5 = stablehlo.reshape %4 : (tensor<32x1x5xf32>) -> tensor<4x4x2x1x5xf32>
  return %3, %5 : tensor<4x8x1x5xf32>, tensor<4x4x2x1x5xf32>
}

// Left alone: a sharding that somebody wants; operands that are split otherwise; one dimension beside a 1; rows that are
// merged into the batch in part; an operand that came merged; a result that is used merged.
// CHECK-LABEL: func.func @others
func.func @others(%a: tensor<4x8x3x5xf32>, %b: tensor<8x4x5x3xf32>, %c: tensor<32x1x3x5xf32>, %d: tensor<64x2x3xf32>, %e: tensor<32x5x3xf32>) -> (tensor<4x8x3x3xf32>, tensor<4x8x3x3xf32>, tensor<4x8x3x3xf32>, tensor<4x8x4x4xf32>, tensor<4x8x3x3xf32>, tensor<32x3x3xf32>) {
  // CHECK-COUNT-6: batching_dims = [0] x [0]
  // CHECK-NOT: batching_dims
  %0 = stablehlo.reshape %a : (tensor<4x8x3x5xf32>) -> tensor<32x3x5xf32>
  %1 = stablehlo.reshape %b : (tensor<8x4x5x3xf32>) -> tensor<32x5x3xf32>
  %2 = stablehlo.reshape %c : (tensor<32x1x3x5xf32>) -> tensor<32x3x5xf32>
  %3 = stablehlo.reshape %d : (tensor<64x2x3xf32>) -> tensor<32x4x3xf32>
  %4 = stablehlo.dot_general %0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<32x3x5xf32>, tensor<32x3x5xf32>) -> tensor<32x3x3xf32>
  %5 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x3x5xf32>, tensor<32x5x3xf32>) -> tensor<32x3x3xf32>
  %6 = stablehlo.dot_general %2, %2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x3x5xf32>, tensor<32x3x5xf32>) -> tensor<32x3x3xf32>
  %7 = stablehlo.dot_general %3, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x4x3xf32>, tensor<32x4x3xf32>) -> tensor<32x4x4xf32>
  %8 = stablehlo.dot_general %0, %e, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x3x5xf32>, tensor<32x5x3xf32>) -> tensor<32x3x3xf32>
  %9 = stablehlo.dot_general %0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x3x5xf32>, tensor<32x3x5xf32>) -> tensor<32x3x3xf32>
  %10 = stablehlo.reshape %4 : (tensor<32x3x3xf32>) -> tensor<4x8x3x3xf32>
  %11 = stablehlo.reshape %5 : (tensor<32x3x3xf32>) -> tensor<4x8x3x3xf32>
  %12 = stablehlo.reshape %6 : (tensor<32x3x3xf32>) -> tensor<4x8x3x3xf32>
  %13 = stablehlo.reshape %7 : (tensor<32x4x4xf32>) -> tensor<4x8x4x4xf32>
  %14 = stablehlo.reshape %8 : (tensor<32x3x3xf32>) -> tensor<4x8x3x3xf32>
  return %10, %11, %12, %13, %14, %9 : tensor<4x8x3x3xf32>, tensor<4x8x3x3xf32>, tensor<4x8x3x3xf32>, tensor<4x8x4x4xf32>, tensor<4x8x3x3xf32>, tensor<32x3x3xf32>
}
