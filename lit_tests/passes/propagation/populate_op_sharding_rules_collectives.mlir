// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

// The first result decides on the shape.
// CHECK-LABEL: func.func @all_reduce
func.func @all_reduce(%arg0: tensor<4x8xf32>, %arg1: tensor<16xf32>) -> tensor<4x8xf32> {
  // CHECK:      stablehlo.add
  // CHECK-SAME: <([], [])->([])>
  // CHECK:      <([i, j], [i])->([i, j], [i]) {i=4, j=8}>
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<16xf32>) -> (tensor<4x8xf32>, tensor<16xf32>)
  return %0#0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @collective_permute
func.func @collective_permute(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: <([i, j])->([i, j]) {i=4, j=8}>
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The gathered dimension is replicated on either side.
// CHECK-LABEL: func.func @all_gather
func.func @all_gather(%arg0: tensor<2x3x4xf32>) -> tensor<2x6x4xf32> {
  // CHECK-NEXT: <([i, k, j])->([i, l, j]) {i=2, j=4, k=3, l=6} need_replication={k, l}>
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}

// All operands share the factor of the first.
// CHECK-LABEL: func.func @all_gather_of_two
func.func @all_gather_of_two(%arg0: tensor<2x3xf32>, %arg1: tensor<2x5xf32>) -> tensor<2x6xf32> {
  // CHECK-NEXT: <([i, j], [i, j])->([i, k], [i, k]) {i=2, j=3, k=6} need_replication={j, k}>
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>, tensor<2x5xf32>) -> (tensor<2x6xf32>, tensor<2x10xf32>)
  return %0#0 : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @reduce_scatter
func.func @reduce_scatter(%arg0: tensor<2x6x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: <([i, k, j])->([i, l, j]) {i=2, j=4, k=6, l=3} need_replication={k, l}>
  %0 = "stablehlo.reduce_scatter"(%arg0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x6x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @all_to_all
func.func @all_to_all(%arg0: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  // CHECK-NEXT: <([l, i, j])->([m, i, k]) {i=3, j=4, k=2, l=2, m=4} need_replication={j, k, l, m}>
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return %0 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @all_to_all_within_a_dimension
func.func @all_to_all_within_a_dimension(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: <([i, j, k])->([i, j, l]) {i=2, j=3, k=4, l=4} need_replication={k, l}>
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 2 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @collective_broadcast
func.func @collective_broadcast(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: <([i, j])->([i, j]) {i=4, j=8}>
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
