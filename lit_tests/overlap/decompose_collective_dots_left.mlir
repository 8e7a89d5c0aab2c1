// RUN: sdy-opt %s --sdy-decompose-collective-dots | filecheck %s
// RUN: sdy-opt %s --sdy-decompose-collective-dots='all-reduces=true' | filecheck %s --check-prefix=ALL-REDUCES
// RUN: sdy-opt %s --sdy-decompose-collective-dots='min-bytes=33' | filecheck %s --check-prefix=BYTES
// RUN: sdy-opt %s --sdy-decompose-collective-dots='min-bytes=32' | filecheck %s --check-prefix=ENOUGH

// An all_reduce is left, unless it is asked for: then the blocks of its sum are gathered behind the steps.
// CHECK-LABEL: func.func @all_reduce
// ALL-REDUCES-LABEL: func.func @all_reduce
func.func @all_reduce(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<2x4xf32> {
  // CHECK:       stablehlo.dot_general
  // CHECK-NEXT:  stablehlo.all_reduce
  // ALL-REDUCES: stablehlo.collective_permute
  // ALL-REDUCES: %[[SUM:.*]] = stablehlo.add %{{.*}} : tensor<2x2xf32>
  // ALL-REDUCES: "stablehlo.all_gather"(%[[SUM]]) <{all_gather_dim = 1 : i64,
  // ALL-REDUCES-NEXT: return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// No sum.
// CHECK-LABEL: func.func @maximum
// CHECK-NOT:   collective_permute
func.func @maximum(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Somebody else needs the partial sum.
// CHECK-LABEL: func.func @partial_sum_used
// CHECK-NOT:   collective_permute
func.func @partial_sum_used(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> (tensor<2x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %1, %0 : tensor<2x4xf32>, tensor<4x4xf32>
}

// An algorithm that adds up in another type than that of the result: parts of sums would be rounded.
// CHECK-LABEL: func.func @algorithm
// CHECK-NOT:   collective_permute
func.func @algorithm(%a: tensor<4x2xbf16>, %b: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x2xbf16>) -> tensor<4x4xbf16>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}

// Both operands are the gathered tensor.
// CHECK-LABEL: func.func @square
// CHECK-NOT:   collective_permute
func.func @square(%a: tensor<2x8xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Gathered once for all rounds of a loop: the steps would send it in each.
// CHECK-LABEL: func.func @gathered_before_a_loop
// CHECK-NOT:   collective_permute
func.func @gathered_before_a_loop(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1:2 = stablehlo.while(%i = %zero, %x = %b) : tensor<i32>, tensor<4x4xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<4x4xf32>
  }
  return %1#1 : tensor<4x4xf32>
}

// Replicas and partitions at once, which the pairs of a permute cannot name.
module @replicas_and_partitions attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: func.func @both
  // CHECK-NOT:   collective_permute
  func.func @both(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// The gathered tensor is a result too: the steps put it together. Blocks are 32 bytes large.
// CHECK-LABEL: func.func @result
// CHECK:       collective_permute
// BYTES-LABEL: func.func @result
// BYTES-NOT:   collective_permute
// ENOUGH-LABEL: func.func @result
// ENOUGH:       collective_permute
func.func @result(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A product of the gathered tensor with its transpose needs all of it.
// CHECK-LABEL: func.func @times_its_transpose
// CHECK:       %[[ALL:.*]] = "stablehlo.all_gather"
// CHECK:       %[[OTHER:.*]] = stablehlo.transpose %[[ALL]]
// CHECK-NEXT:  stablehlo.dot_general %[[ALL]], %[[OTHER]]
func.func @times_its_transpose(%a: tensor<4x3xf32>) -> (tensor<8x3xf32>, tensor<8x8xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.negate %0 : tensor<8x3xf32>
  %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x8xf32>) -> tensor<8x8xf32>
  return %1, %3 : tensor<8x3xf32>, tensor<8x8xf32>
}
