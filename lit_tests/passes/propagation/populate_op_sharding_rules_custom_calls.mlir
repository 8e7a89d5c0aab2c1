// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// The sizes are those of the first result; dimensions correspond from the first on.
// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%arg0: tensor<4xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: <([i])->([i, j, k]) {i=4, j=2, k=3}>
  %0 = stablehlo.custom_call @MoveToHost(%arg0) : (tensor<4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// The eigenvalues go with the columns.
// CHECK-LABEL: func.func @eigh
func.func @eigh(%arg0: tensor<3x5x5xf32>) -> tensor<3x5xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k], [i, k]) {i=3, j=5, k=5}>
  %0:2 = stablehlo.custom_call @Eigh(%arg0) : (tensor<3x5x5xf32>) -> (tensor<3x5x5xf32>, tensor<3x5xf32>)
  return %0#1 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @qr
func.func @qr(%arg0: tensor<2x6x4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k], [i, l]) {i=2, j=6, k=4, l=4} need_replication={j, k, l}>
  %0:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<2x6x4xf32>) -> (tensor<2x6x4xf32>, tensor<2x4xf32>)
  return %0#1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @householder_product
func.func @householder_product(%arg0: tensor<3x7x9xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x7x9xf32> {
  // CHECK-NEXT: <([i, j, k], [i, l])->([i, j, k]) {i=3, j=7, k=9, l=4} need_replication={j, k, l}>
  %0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%arg0, %arg1) : (tensor<3x7x9xf32>, tensor<3x4xf32>) -> tensor<3x7x9xf32>
  return %0 : tensor<3x7x9xf32>
}

// CHECK-LABEL: func.func @top_k
func.func @top_k(%arg0: tensor<9x20xf32>) -> tensor<9x4xf32> {
  // CHECK-NEXT: <([i, j])->([i, j], [i, j]) {i=9, j=20} need_replication={j} blocked_propagation={j}>
  %0:2 = stablehlo.custom_call @mhlo.topk(%arg0) : (tensor<9x20xf32>) -> (tensor<9x4xf32>, tensor<9x4xi32>)
  return %0#0 : tensor<9x4xf32>
}

// CHECK-LABEL: func.func @partial_reduce
func.func @partial_reduce(%arg0: tensor<20x8xf32>, %arg1: tensor<20x8xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> tensor<5x8xf32> {
  // CHECK-NEXT: <([i, k], [i, k], [], [])->([j, k], [j, k]) {i=20, j=5, k=8} need_replication={j} blocked_propagation={j}>
  %0:2 = stablehlo.custom_call @PartialReduce(%arg0, %arg1, %arg2, %arg3) : (tensor<20x8xf32>, tensor<20x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<5x8xf32>, tensor<5x8xi32>)
  return %0#0 : tensor<5x8xf32>
}

// What is combined to the state of a random number generator is replicated as the state is.
// CHECK-LABEL: func.func @x64_combine
func.func @x64_combine(%arg0: tensor<2xui32>) -> (tensor<2xui64>, tensor<4xui32>) {
  // CHECK-NEXT: <([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}>
  %0 = stablehlo.custom_call @X64Combine(%arg0, %arg0) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %1, %2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  // CHECK: stablehlo.custom_call @X64Combine
  // CHECK-SAME: <([i], [i])->([i]) {i=2}>
  %3 = stablehlo.custom_call @X64Combine(%arg0, %arg0) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  return %3, %2 : tensor<2xui64>, tensor<4xui32>
}

// Callbacks and kernels have no rule, and nothing is said about it.
// CHECK-LABEL: func.func @opaque
func.func @opaque(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.custom_call @tpu_custom_call(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.custom_call @tpu_custom_call(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A call by the name of an op need not have the op's rule; names count as they are written.
// CHECK-LABEL: func.func @pointwise_by_name
func.func @pointwise_by_name(%arg0: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @Cholesky({{.*}}<([i, j])->([i, j]) {i=4, j=4}>
  %0 = stablehlo.custom_call @Cholesky(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: stablehlo.custom_call @cholesky(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.custom_call @cholesky(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @qr_block
func.func @qr_block(%arg0: tensor<2x6x4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k], [i, l]) {i=2, j=6, k=4, l=4} need_replication={j, k, l}>
  %0:2 = stablehlo.custom_call @QrDecompositionBlock(%arg0) : (tensor<2x6x4xf32>) -> (tensor<2x6x4xf32>, tensor<2x4xf32>)
  return %0#1 : tensor<2x4xf32>
}

// The largest elements of as many as there are: nothing is left out.
// CHECK-LABEL: func.func @top_k_of_all
func.func @top_k_of_all(%arg0: tensor<9x20xf32>) -> (tensor<9x20xf32>, tensor<9x4xf32>) {
  // CHECK-NEXT: <([i, j])->([i, j], [i, j]) {i=9, j=20}>
  %0:2 = stablehlo.custom_call @TopK(%arg0) : (tensor<9x20xf32>) -> (tensor<9x20xf32>, tensor<9x20xi32>)
  // CHECK-NEXT: <([i, j])->([i, j], [i, j]) {i=9, j=20} need_replication={j} blocked_propagation={j}>
  %1:2 = stablehlo.custom_call @TopK(%arg0) : (tensor<9x20xf32>) -> (tensor<9x4xf32>, tensor<9x4xi32>)
  return %0#0, %1#0 : tensor<9x20xf32>, tensor<9x4xf32>
}

// CHECK-LABEL: func.func @approximate_top_k
func.func @approximate_top_k(%arg0: tensor<20x8xf32>, %arg1: tensor<20x8xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> tensor<5x8xf32> {
  // CHECK-NEXT: <([i, k], [i, k], [], [])->([j, k], [j, k]) {i=20, j=5, k=8} need_replication={j} blocked_propagation={j}>
  %0:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) : (tensor<20x8xf32>, tensor<20x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<5x8xf32>, tensor<5x8xi32>)
  return %0#0 : tensor<5x8xf32>
}
