// RUN: sdy-opt %s --sdy-async-collectives | filecheck %s
// RUN: sdy-opt %s --sdy-async-collectives=min-bytes=64 | filecheck %s --check-prefix=LARGE
// RUN: sdy-opt %s --sdy-async-collectives='kinds=all_reduce split-variadic=true' | filecheck %s --check-prefix=SPLIT
// RUN: sdy-opt %s --sdy-async-collectives=rewrite-all-to-all=false | filecheck %s --check-prefix=PLAIN
// RUN: sdy-opt %s --sdy-async-collectives --sdy-convert-async -o %t.back
// RUN: sdy-opt %s -o %t.before
// RUN: diff %t.before %t.back

// A start with the op in it, and the done right behind; frontend attributes go to all three.
// CHECK-LABEL: func.func @all_gather(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>)
// LARGE-LABEL: func.func @all_gather(
func.func @all_gather(%arg0: tensor<8xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: %[[START:.*]] = "stablehlo.async_start"(%[[A]]) ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>):
  // CHECK-NEXT:   %[[Y:.*]] = "stablehlo.all_gather"(%[[X]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{.*}}> : tensor<1x2xi64>, use_global_device_ids}> {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> tensor<16xf32>
  // CHECK-NEXT:   stablehlo.return %[[Y]] : tensor<16xf32>
  // CHECK-NEXT: }) {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
  // CHECK-NEXT: %[[DONE:.*]] = "stablehlo.async_done"(%[[START]]) {mhlo.frontend_attributes = {a = "b"}} : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
  // CHECK-NEXT: return %[[DONE]]
  // LARGE-NEXT: "stablehlo.all_gather"
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> {mhlo.frontend_attributes = {a = "b"}} : (tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The other kinds. 64 bytes and more are sent by the reductions only.
// CHECK-LABEL: func.func @kinds(
// LARGE-LABEL: func.func @kinds(
func.func @kinds(%arg0: tensor<16xf32>) -> tensor<8xf32> {
  // CHECK: "stablehlo.async_start"
  // CHECK: "stablehlo.all_reduce"
  // CHECK: !stablehlo.future<tensor<16xf32>>
  // CHECK: "stablehlo.async_start"
  // CHECK: "stablehlo.collective_permute"
  // CHECK: !stablehlo.future<tensor<16xf32>>
  // CHECK: "stablehlo.async_start"
  // CHECK: "stablehlo.reduce_scatter"
  // CHECK: !stablehlo.future<tensor<8xf32>>
  // LARGE:     "stablehlo.async_start"
  // LARGE:     "stablehlo.all_reduce"
  // LARGE:     "stablehlo.async_start"
  // LARGE:     "stablehlo.collective_permute"
  // LARGE:     "stablehlo.async_done"
  // LARGE-NOT: async_start
  // LARGE:     "stablehlo.reduce_scatter"
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<16xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Both in a loop and in a branch of it.
// CHECK-LABEL: func.func @nested(
func.func @nested(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK:      stablehlo.while
  // CHECK:      "stablehlo.if"
  // CHECK-NEXT:   "stablehlo.async_start"
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32> cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %1 = "stablehlo.if"(%arg1) ({
      %2 = "stablehlo.collective_permute"(%iterArg) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %2 : tensor<8xf32>
    }, {
      stablehlo.return %iterArg : tensor<8xf32>
    }) : (tensor<i1>) -> tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// An all_to_all that cuts one dimension and joins another one moves parts along a dimension of their own.
// CHECK-LABEL: func.func @all_to_all(
// CHECK-SAME:    %[[A:.*]]: tensor<4x6x5xf32>)
// PLAIN-LABEL: func.func @all_to_all(
func.func @all_to_all(%arg0: tensor<4x6x5xf32>) -> tensor<8x3x5xf32> {
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reshape %[[A]] : (tensor<4x6x5xf32>) -> tensor<4x2x3x5xf32>
  // CHECK-NEXT: %[[START:.*]] = "stablehlo.async_start"(%[[PARTS]]) ({
  // CHECK:        "stablehlo.all_to_all"({{.*}}) <{concat_dimension = 1 : i64, replica_groups = {{.*}}, split_count = 2 : i64, split_dimension = 1 : i64}> {sdy.split_and_concat_dimensions = array<i64: 1, 0>}
  // CHECK:      %[[DONE:.*]] = "stablehlo.async_done"(%[[START]])
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.transpose %[[DONE]], dims = [1, 0, 2, 3] : (tensor<4x2x3x5xf32>) -> tensor<2x4x3x5xf32>
  // CHECK-NEXT: %[[RESULT:.*]] = stablehlo.reshape %[[JOINED]] : (tensor<2x4x3x5xf32>) -> tensor<8x3x5xf32>
  // CHECK-NEXT: return %[[RESULT]]
  // PLAIN-NEXT: "stablehlo.all_to_all"(%arg0)
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6x5xf32>) -> tensor<8x3x5xf32>
  return %0 : tensor<8x3x5xf32>
}

// To a dimension behind the one that is cut.
// CHECK-LABEL: func.func @all_to_all_behind(
func.func @all_to_all_behind(%arg0: tensor<4x6x5xf32>) -> tensor<2x6x10xf32> {
  // CHECK:      stablehlo.reshape {{.*}} -> tensor<2x2x6x5xf32>
  // CHECK:      stablehlo.transpose {{.*}}, dims = [1, 2, 0, 3] : (tensor<2x2x6x5xf32>) -> tensor<2x6x2x5xf32>
  // CHECK-NEXT: stablehlo.reshape {{.*}} -> tensor<2x6x10xf32>
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6x5xf32>) -> tensor<2x6x10xf32>
  return %0 : tensor<2x6x10xf32>
}

// One dimension stays as it is.
// CHECK-LABEL: func.func @all_to_all_of_one(
func.func @all_to_all_of_one(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NEXT: "stablehlo.async_start"(%arg0)
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Dynamic sizes and a broadcast stay.
// CHECK-LABEL: func.func @left(
func.func @left(%arg0: tensor<?xf32>, %arg1: tensor<8xf32>) -> (tensor<?xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: "stablehlo.collective_broadcast"(%arg1)
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "stablehlo.collective_broadcast"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %1, %arg1 : tensor<8xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<8xf32>, tensor<8xf32>
}

// Nothing is sent of what has no elements; XLA makes a constant of it, which it then does not take in a start.
// CHECK-LABEL: func.func @empty(
func.func @empty(%arg0: tensor<1x0xf32>) -> tensor<2x0xf32> {
  // CHECK-NEXT: "stablehlo.all_gather"(%arg0)
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// An all_reduce of several is one for each of them first, on channels of their own, if that is asked for.
// CHECK-LABEL: func.func @variadic(
// CHECK-NEXT:    "stablehlo.all_reduce"(%arg0, %arg1)
// SPLIT-LABEL: func.func @variadic(
func.func @variadic(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // SPLIT-NEXT: "stablehlo.async_start"(%arg0)
  // SPLIT:        "stablehlo.all_reduce"{{.*}}handle = 1, type = 1
  // SPLIT:          stablehlo.add
  // SPLIT:      %[[FIRST:.*]] = "stablehlo.async_done"
  // SPLIT-NEXT: "stablehlo.async_start"(%arg1)
  // SPLIT:        "stablehlo.all_reduce"{{.*}}handle = 4, type = 1
  // SPLIT:          stablehlo.add
  // SPLIT:      %[[SECOND:.*]] = "stablehlo.async_done"
  // SPLIT-NEXT: return %[[FIRST]], %[[SECOND]]
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}
