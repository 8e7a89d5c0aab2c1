// RUN: sdy-opt %s --sdy-convert-async | filecheck %s

// The op stands where its start stood, and has its attributes.
// CHECK-LABEL: func.func @collective(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>)
func.func @collective(%arg0: tensor<8xf32>) -> (tensor<16xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[GATHERED:.*]] = "stablehlo.all_gather"(%[[A]]) <{all_gather_dim = 0 : i64, replica_groups = dense<{{.*}}> : tensor<1x2xi64>}> {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[OTHER:.*]] = stablehlo.negate %[[A]]
  // CHECK-NEXT: return %[[GATHERED]], %[[OTHER]]
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %3 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> tensor<16xf32>
    stablehlo.return %3 : tensor<16xf32>
  }) {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
  %1 = stablehlo.negate %arg0 : tensor<8xf32>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
  return %2, %1 : tensor<16xf32>, tensor<8xf32>
}

// A slice may be asynchronous as well, with several operands.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<i32>)
func.func @slice(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[A]], %[[I]], sizes = [4]
  // CHECK-NEXT: return %[[SLICE]]
  %0 = "stablehlo.async_start"(%arg0, %arg1) ({
  ^bb0(%arg2: tensor<8xf32>, %arg3: tensor<i32>):
    %2 = stablehlo.dynamic_slice %arg2, %arg3, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<8xf32>, tensor<i32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An all_to_all whose parts somebody else looks at keeps the dimension that holds them.
// CHECK-LABEL: func.func @parts_are_used(
func.func @parts_are_used(%arg0: tensor<4x6xf32>) -> (tensor<8x3xf32>, tensor<4x2x3xf32>) {
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reshape
  // CHECK-NEXT: %[[MOVED:.*]] = "stablehlo.all_to_all"(%[[PARTS]]) <{concat_dimension = 1 : i64, replica_groups = dense<{{.*}}> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x2x3xf32>)
  // CHECK-NEXT: stablehlo.transpose %[[MOVED]]
  // CHECK-NEXT: stablehlo.reshape
  %0 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
  %1 = "stablehlo.async_start"(%0) ({
  ^bb0(%arg1: tensor<4x2x3xf32>):
    %5 = "stablehlo.all_to_all"(%arg1) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> {sdy.split_and_concat_dimensions = array<i64: 1, 0>} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
    stablehlo.return %5 : tensor<4x2x3xf32>
  }) : (tensor<4x2x3xf32>) -> !stablehlo.future<tensor<4x2x3xf32>>
  %2 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<4x2x3xf32>>) -> tensor<4x2x3xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
  return %4, %2 : tensor<8x3xf32>, tensor<4x2x3xf32>
}

// Whatever hlo_async starts, with values that regions of the op use.
// CHECK-LABEL: func.func @of_hlo_async(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<i32>)
func.func @of_hlo_async(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%[[I]]) ({
  // CHECK-NEXT:   stablehlo.tanh %[[A]]
  // CHECK:      }) {tag}
  // CHECK-NEXT: return %[[CASE]]
  %s = hlo_async.start(%arg1, %arg0) thread "side" (%j: tensor<i32>, %x: tensor<8xf32>) {
    %0 = "stablehlo.case"(%j) ({
      %1 = stablehlo.tanh %x : tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }) {tag} : (tensor<i32>) -> tensor<8xf32>
    hlo_async.return %0 : tensor<8xf32>
  } : (tensor<i32>, tensor<8xf32>) -> !hlo_async.bundle<[tensor<i32>, tensor<8xf32>], [tensor<8xf32>], []>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<i32>, tensor<8xf32>], [tensor<8xf32>], []>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<i32>, tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// Edges of propagation go with the start, and with the done, whose sharding the op has then.
// CHECK-LABEL: func.func @with_edges(
func.func @with_edges(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[T]]
  %s = hlo_async.start(%arg0) (%x: tensor<8xf32>) {
    %0 = sdy.data_flow_edge %x sharding=<@mesh, [{"a"}]> : tensor<8xf32>
    %1 = stablehlo.tanh %0 : tensor<8xf32>
    hlo_async.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  %e = sdy.data_flow_edge %d sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  return %e : tensor<8xf32>
}
sdy.mesh @mesh = <["a"=2]>
