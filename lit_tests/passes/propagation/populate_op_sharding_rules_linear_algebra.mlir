// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// CHECK-LABEL: func.func @cholesky
func.func @cholesky(%arg0: tensor<5x3x3xf32>) -> tensor<5x3x3xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=5, j=3, k=3} need_replication={j, k}>
  %0 = stablehlo.cholesky %arg0, lower = true : tensor<5x3x3xf32>
  return %0 : tensor<5x3x3xf32>
}

// CHECK-LABEL: func.func @triangular_solve
func.func @triangular_solve(%arg0: tensor<6x4x4xf32>, %arg1: tensor<6x4x7xf32>) -> tensor<6x4x7xf32> {
  // CHECK-NEXT: <([i, j, l], [i, j, k])->([i, l, k]) {i=6, j=4, k=7, l=4} need_replication={j, k, l}>
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<6x4x4xf32>, tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
  return %0 : tensor<6x4x7xf32>
}

// CHECK-LABEL: func.func @triangular_solve_transposed_from_the_right
func.func @triangular_solve_transposed_from_the_right(%arg0: tensor<6x4x4xf32>, %arg1: tensor<6x7x4xf32>) -> tensor<6x7x4xf32> {
  // CHECK-NEXT: <([i, k, l], [i, j, k])->([i, j, l]) {i=6, j=7, k=4, l=4} need_replication={j, k, l}>
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<6x4x4xf32>, tensor<6x7x4xf32>) -> tensor<6x7x4xf32>
  return %0 : tensor<6x7x4xf32>
}

// CHECK-LABEL: func.func @batch_norm_inference
func.func @batch_norm_inference(%arg0: tensor<4x8x16xf32>, %arg1: tensor<8xf32>) -> tensor<4x8x16xf32> {
  // CHECK-NEXT: <([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=4, j=8, k=16}>
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<4x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}

// A dimension whose size changes is blocked as well.
// CHECK-LABEL: func.func @fft
func.func @fft(%arg0: tensor<8x6x10xf32>) -> tensor<8x6x6xcomplex<f32>> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=8, j=6, k=10} need_replication={j, k} blocked_propagation={k}>
  %0 = stablehlo.fft %arg0, type = RFFT, length = [6, 10] : (tensor<8x6x10xf32>) -> tensor<8x6x6xcomplex<f32>>
  return %0 : tensor<8x6x6xcomplex<f32>>
}

// The random bits may be sharded, the state may not.
// CHECK-LABEL: func.func @rng_bit_generator
func.func @rng_bit_generator(%arg0: tensor<2xui64>) -> tensor<3x11xui32> {
  // CHECK-NEXT: <([i])->([i], [j, k]) {i=2, j=3, k=11} need_replication={i} blocked_propagation={i}>
  %0, %1 = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x11xui32>)
  return %1 : tensor<3x11xui32>
}

// CHECK-LABEL: func.func @triangular_solve_adjoint
func.func @triangular_solve_adjoint(%arg0: tensor<6x4x4xf32>, %arg1: tensor<6x4x7xf32>) -> tensor<6x4x7xf32> {
  // CHECK-NEXT: <([i, l, j], [i, j, k])->([i, l, k]) {i=6, j=4, k=7, l=4} need_replication={j, k, l}>
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<6x4x4xf32>, tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
  return %0 : tensor<6x4x7xf32>
}

// CHECK-LABEL: func.func @triangular_solve_from_the_right
func.func @triangular_solve_from_the_right(%arg0: tensor<6x4x4xf32>, %arg1: tensor<6x7x4xf32>) -> tensor<6x7x4xf32> {
  // CHECK-NEXT: <([i, l, k], [i, j, k])->([i, j, l]) {i=6, j=7, k=4, l=4} need_replication={j, k, l}>
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<6x4x4xf32>, tensor<6x7x4xf32>) -> tensor<6x7x4xf32>
  return %0 : tensor<6x7x4xf32>
}

// CHECK-LABEL: func.func @fft_of_the_same_size
func.func @fft_of_the_same_size(%arg0: tensor<8x6x10xcomplex<f32>>) -> tensor<8x6x10xcomplex<f32>> {
  // CHECK-NEXT: <([i, j, k])->([i, j, k]) {i=8, j=6, k=10} need_replication={k}>
  %0 = stablehlo.fft %arg0, type = FFT, length = [10] : (tensor<8x6x10xcomplex<f32>>) -> tensor<8x6x10xcomplex<f32>>
  return %0 : tensor<8x6x10xcomplex<f32>>
}
