// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=costly-operands | filecheck %s

// Normal random numbers are computed once: the square reads what is sent.
// CHECK-LABEL: func.func @shared
func.func @shared(%arg0: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK-NEXT: %[[N:.*]] = chlo.erf_inv %arg0
  // CHECK-NEXT: %[[B:.*]] = stablehlo.optimization_barrier %[[N]]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[B]]
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[R]]
  // CHECK-NEXT: "stablehlo.all_to_all"(%[[T]])
  // CHECK: stablehlo.multiply %[[B]], %[[B]]
  %0 = chlo.erf_inv %arg0 : tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<16x16xf32>) -> tensor<16x4x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<16x4x4xf32>) -> tensor<4x16x4xf32>
  %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x16x4xf32>) -> tensor<4x16x4xf32>
  %4 = stablehlo.reshape %3 : (tensor<4x16x4xf32>) -> tensor<16x16xf32>
  %5 = stablehlo.multiply %0, %0 : tensor<16x16xf32>
  return %4, %5 : tensor<16x16xf32>, tensor<16x16xf32>
}

// A sine is computed in less time than it is read; random numbers that are only sent are in memory.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>, tensor<64x16xf32>) {
  // CHECK-NOT: optimization_barrier
  %0 = stablehlo.sine %arg0 : tensor<16x16xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<16x16xf32>) -> tensor<64x16xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<16x16xf32>
  %3 = chlo.erf_inv %arg0 : tensor<16x16xf32> -> tensor<16x16xf32>
  %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<16x16xf32>) -> tensor<64x16xf32>
  return %1, %2, %4 : tensor<64x16xf32>, tensor<16x16xf32>, tensor<64x16xf32>
}
