// RUN: sdy-opt %s --sdy-decompose-collective-dots='direction=one asynchronous=false' --canonicalize | filecheck %s

// Rows are gathered: each block of them makes a block of the result, while the next one is sent to the left.
// CHECK-LABEL: func.func @gather_free
func.func @gather_free(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // CHECK-DAG:  %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i32>
  // CHECK-DAG:  %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-DAG:  %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-DAG:  %[[EMPTY:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
  // CHECK:      %[[ID:.*]] = stablehlo.partition_id
  // CHECK-NEXT: %[[DEVICE:.*]] = stablehlo.convert %[[ID]]
  // CHECK-NEXT: %[[P:.*]] = stablehlo.remainder %[[DEVICE]], %[[TWO]]
  // CHECK-NEXT: %[[NEXT:.*]] = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = {{[0-9]+}}, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}>
  // CHECK-NEXT: %[[OWN:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[START:.*]] = stablehlo.multiply %[[P]], %[[TWO]]
  // CHECK-NEXT: %[[HALF:.*]] = stablehlo.dynamic_update_slice %[[EMPTY]], %[[OWN]], %[[START]], %[[ZERO]]
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[P]], %[[ONE]]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.remainder %[[SUM]], %[[TWO]]
  // CHECK-NEXT: %[[OTHER:.*]] = stablehlo.dot_general %[[NEXT]], %arg1
  // CHECK-NEXT: %[[NEXT_START:.*]] = stablehlo.multiply %[[R]], %[[TWO]]
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.dynamic_update_slice %[[HALF]], %[[OTHER]], %[[NEXT_START]], %[[ZERO]]
  // CHECK-NEXT: return %[[WHOLE]]
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// The contracted dimension is gathered: products with the rows that go with each block are added up, in f32.
// CHECK-LABEL: func.func @gather_contracted
func.func @gather_contracted(%a: tensor<4x2xbf16>, %b: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  // CHECK:      %[[NEXT:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK:      %[[OWN_ROWS:.*]] = stablehlo.dynamic_slice %arg1, {{.*}} sizes = [2, 8]
  // CHECK-NEXT: %[[OWN:.*]] = stablehlo.dot_general %arg0, %[[OWN_ROWS]], contracting_dims = [1] x [0] : (tensor<4x2xbf16>, tensor<2x8xbf16>) -> tensor<4x8xf32>
  // CHECK:      %[[ROWS:.*]] = stablehlo.dynamic_slice %arg1
  // CHECK-NEXT: %[[OTHER:.*]] = stablehlo.dot_general %[[NEXT]], %[[ROWS]]
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[OWN]], %[[OTHER]] : tensor<4x8xf32>
  // CHECK-NEXT: %[[NARROW:.*]] = stablehlo.convert %[[SUM]] : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  // CHECK-NEXT: return %[[NARROW]]
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x2xbf16>) -> tensor<4x4xbf16>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x4xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}

// A batch dimension is gathered: each block meets the same block of the other operand.
// CHECK-LABEL: func.func @gather_batch
func.func @gather_batch(%a: tensor<1x4x8xf32>, %b: tensor<2x8x4xf32>) -> tensor<2x4x4xf32> {
  // CHECK:      %[[NEXT:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: %[[BLOCK:.*]] = stablehlo.dynamic_slice %arg1, {{.*}} sizes = [1, 8, 4]
  // CHECK-NEXT: %[[OWN:.*]] = stablehlo.dot_general %arg0, %[[BLOCK]], batching_dims = [0] x [0]
  // CHECK-NEXT: stablehlo.dynamic_update_slice %{{.*}}, %[[OWN]]
  // CHECK:      stablehlo.dot_general %[[NEXT]]
  // CHECK-NEXT: stablehlo.dynamic_update_slice
  // CHECK-NEXT: return
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
  %1 = stablehlo.dot_general %0, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
  return %1 : tensor<2x4x4xf32>
}

// A sum is scattered: the block of the neighbour is computed first and sent to it, then the own one is added.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<2x4xf32> {
  // CHECK:      %[[P:.*]] = stablehlo.convert %{{.*}} : (tensor<ui32>) -> tensor<i32>
  // CHECK:      %[[R:.*]] = stablehlo.remainder
  // CHECK-NEXT: %[[R_START:.*]] = stablehlo.multiply %[[R]]
  // CHECK-NEXT: %[[R_ROWS:.*]] = stablehlo.dynamic_slice %arg0, %[[R_START]], {{.*}} sizes = [2, 8]
  // CHECK-NEXT: %[[FIRST:.*]] = stablehlo.dot_general %[[R_ROWS]], %arg1
  // CHECK-NEXT: %[[SENT:.*]] = "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK-NEXT: %[[START:.*]] = stablehlo.multiply %[[P]]
  // CHECK-NEXT: %[[ROWS:.*]] = stablehlo.dynamic_slice %arg0, %[[START]]
  // CHECK-NEXT: %[[OWN:.*]] = stablehlo.dot_general %[[ROWS]], %arg1
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[SENT]], %[[OWN]]
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Sums of narrow numbers are computed in f32 and sent as the reduce_scatter sends them.
// CHECK-LABEL: func.func @scatter_bf16
func.func @scatter_bf16(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<2x4xbf16> {
  // CHECK:      %[[FIRST:.*]] = stablehlo.dot_general {{.*}} -> tensor<2x4xf32>
  // CHECK-NEXT: %[[NARROW:.*]] = stablehlo.convert %[[FIRST]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
  // CHECK-NEXT: %[[SENT:.*]] = "stablehlo.collective_permute"(%[[NARROW]])
  // CHECK:      %[[OWN:.*]] = stablehlo.dot_general {{.*}} -> tensor<2x4xf32>
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %[[SENT]] : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[WIDE]], %[[OWN]] : tensor<2x4xf32>
  // CHECK-NEXT: stablehlo.convert %[[SUM]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
  %1 = "stablehlo.reduce_scatter"(%0) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %s = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x4xbf16>) -> tensor<2x4xbf16>
  return %1 : tensor<2x4xbf16>
}

// What makes numbers narrower acts before they are sent, and so does a transpose; what makes them wider acts on what
// arrives.
// CHECK-LABEL: func.func @links
func.func @links(%a: tensor<8x2xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // CHECK:      %[[NARROW:.*]] = stablehlo.convert %arg0 : (tensor<8x2xf32>) -> tensor<8x2xbf16>
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose %[[NARROW]], dims = [1, 0]
  // CHECK-NEXT: %[[NEXT:.*]] = "stablehlo.collective_permute"(%[[TURNED]])
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %[[TURNED]] : (tensor<2x8xbf16>) -> tensor<2x8xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[WIDE]], %arg1
  // CHECK:      %[[NEXT_WIDE:.*]] = stablehlo.convert %[[NEXT]]
  // CHECK-NEXT: stablehlo.dot_general %[[NEXT_WIDE]], %arg1
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<8x2xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.convert %0 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  %3 = stablehlo.convert %2 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %4 = stablehlo.dot_general %3, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// Several products share one ring; what they need besides is computed before. The sum of the results is not.
// CHECK-LABEL: func.func @shared
func.func @shared(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // CHECK:      %[[C:.*]] = stablehlo.transpose %arg2
  // CHECK-NEXT: %[[NEXT:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
  // CHECK:      stablehlo.dot_general %arg0, %[[C]]
  // CHECK:      stablehlo.dot_general %[[NEXT]], %arg1
  // CHECK:      stablehlo.dot_general %[[NEXT]], %[[C]]
  // CHECK-NOT:  stablehlo.collective_permute
  // CHECK:      return
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.transpose %c, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.add %1, %3 : tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// What needs the gathered tensor as a whole gets it from the blocks: here a product that waits for the first one.
// CHECK-LABEL: func.func @kept
func.func @kept(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK:      stablehlo.dot_general %arg0, %arg1
  // CHECK:      %[[HALF:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %arg0
  // CHECK:      %[[FIRST:.*]] = stablehlo.dynamic_update_slice
  // CHECK:      %[[WHOLE:.*]] = stablehlo.dynamic_update_slice %[[HALF]]
  // CHECK-NEXT: %[[LAST:.*]] = stablehlo.dot_general %[[FIRST]], %[[WHOLE]]
  // CHECK-NEXT: return %[[LAST]]
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// Of two gathered operands the one that sends more goes around the ring.
// CHECK-LABEL: func.func @both_gathered
func.func @both_gathered(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // CHECK:      %[[LEFT:.*]] = "stablehlo.all_gather"(%arg0)
  // CHECK:      stablehlo.collective_permute"(%arg1)
  // CHECK:      stablehlo.dot_general %[[LEFT]], %arg1
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Groups of replicas: a position among replicas, permutes without a channel.
// CHECK-LABEL: func.func @replicas
func.func @replicas(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // CHECK:      stablehlo.replica_id
  // CHECK:      "stablehlo.collective_permute"(%arg0) <{source_target_pairs =
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Groups that are no stretches of devices: the position is looked up.
// CHECK-LABEL: func.func @irregular
func.func @irregular(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // CHECK:      %[[TABLE:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  // CHECK:      %[[DEVICE:.*]] = stablehlo.convert
  // CHECK-NEXT: stablehlo.dynamic_slice %[[TABLE]], %[[DEVICE]], sizes = [1]
  // CHECK:      dense<{{\[\[}}0, 3], [3, 0], [1, 2], [2, 1]]>
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Inside of a loop body everything stays there.
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK:      stablehlo.while
  // CHECK:      do {
  // CHECK:      stablehlo.partition_id
  // CHECK:      stablehlo.collective_permute
  // CHECK:      stablehlo.return
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %b) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.dot_general %2, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}

// The gathered tensor is needed before the product: the steps are where it is needed first.
// CHECK-LABEL: func.func @needed_before
func.func @needed_before(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) -> (tensor<16xf32>, tensor<4x4xf32>) {
  // CHECK:      %[[TURNED:.*]] = stablehlo.transpose %arg1
  // CHECK:      stablehlo.dot_general %arg0, %[[TURNED]]
  // CHECK:      %[[HALF:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %arg0
  // CHECK:      %[[PRODUCT:.*]] = stablehlo.dynamic_update_slice
  // CHECK:      %[[WHOLE:.*]] = stablehlo.dynamic_update_slice %[[HALF]]
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.reshape %[[WHOLE]]
  // CHECK-NEXT: return %[[ROW]], %[[PRODUCT]]
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x4xf32>) -> tensor<16xf32>
  %2 = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<16xf32>, tensor<4x4xf32>
}
