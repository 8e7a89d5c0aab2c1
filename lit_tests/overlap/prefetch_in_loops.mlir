// RUN: sdy-opt %s --sdy-prefetch-in-loops --canonicalize | filecheck %s
// RUN: sdy-opt %s --sdy-prefetch-in-loops='asynchronous=false' | filecheck %s --check-prefix=SYNC
// RUN: sdy-opt %s --sdy-prefetch-in-loops='in-flight-bytes=150' | filecheck %s --check-prefix=BYTES
// RUN: sdy-opt %s --sdy-prefetch-in-loops='machine={flops=1e6 bandwidth=1e9}' | filecheck %s --check-prefix=SLOW
// RUN: sdy-opt %s --sdy-prefetch-in-loops='machine={flops=1e100 bandwidth=1e9}' | filecheck %s --check-prefix=QUICK

// The weights of round i + 1 are gathered while round i computes: three rounds and one behind the loop, which returns
// the counter that it had.
// CHECK-LABEL: func.func @scan
func.func @scan(%w: tensor<4x2x4xf32>, %x: tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) {
  // CHECK-DAG:  %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-DAG:  %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i32>
  // CHECK-DAG:  %[[THREE:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK:      %[[SLICE:.*]] = stablehlo.dynamic_slice %arg0, %[[ZERO]]
  // CHECK-NEXT: %[[SHARD:.*]] = stablehlo.reshape %[[SLICE]]
  // CHECK-NEXT: %[[FIRST:.*]] = "stablehlo.all_gather"(%[[SHARD]])
  // CHECK-NEXT: %[[LOOP:.*]]:3 = stablehlo.while(%[[I:.*]] = %[[ZERO]], %[[Y:.*]] = %arg1, %[[W:.*]] = %[[FIRST]])
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.compare LT, %[[I]], %[[THREE]]
  // CHECK:      do {
  // CHECK-NEXT:   %[[NEXT_I:.*]] = stablehlo.add %[[I]], %[[ONE]]
  // CHECK-NEXT:   %[[NEXT_SLICE:.*]] = stablehlo.dynamic_slice %arg0, %[[NEXT_I]]
  // CHECK-NEXT:   %[[NEXT_SHARD:.*]] = stablehlo.reshape %[[NEXT_SLICE]]
  // CHECK-NEXT:   %[[FUTURE:.*]] = "stablehlo.async_start"(%[[NEXT_SHARD]])
  // CHECK:        %[[Z:.*]] = stablehlo.dot_general %[[Y]], %[[W]]
  // CHECK-NEXT:   %[[J:.*]] = stablehlo.add %[[I]], %[[ONE]]
  // CHECK-NEXT:   %[[NEXT_W:.*]] = "stablehlo.async_done"(%[[FUTURE]])
  // CHECK-NEXT:   stablehlo.return %[[J]], %[[Z]], %[[NEXT_W]]
  // CHECK:      %[[LAST:.*]] = stablehlo.dot_general %[[LOOP]]#1, %[[LOOP]]#2
  // CHECK-NEXT: %[[END:.*]] = stablehlo.add %[[LOOP]]#0, %[[ONE]]
  // CHECK-NEXT: return %[[END]], %[[LAST]]

  // SYNC:       do {
  // SYNC-NOT:   async_start
  // SYNC:       "stablehlo.all_gather"
  // SYNC:       stablehlo.dot_general
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 2, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.dot_general %y, %3, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<4x4xf32>
}

// Downwards, of a loop variable that stays the same; nested loops of the last round come along.
// CHECK-LABEL: func.func @backwards
func.func @backwards(%w: tensor<4x2x4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-DAG:  %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-DAG:  %[[THREE:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK:      stablehlo.dynamic_slice %arg0, %[[THREE]]
  // CHECK:      stablehlo.while(%[[I:.*]] = %[[THREE]]
  // CHECK:      stablehlo.compare GT, %[[I]], %[[ZERO]]
  // CHECK:      stablehlo.while
  // CHECK:      return
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %three, %y = %x, %v = %w) : tensor<i32>, tensor<4x4xf32>, tensor<4x2x4xf32>
  cond {
    %1 = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 2, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %4:2 = stablehlo.while(%j = %zero, %z = %y) : tensor<i32>, tensor<4x4xf32>
    cond {
      %7 = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = stablehlo.add %z, %3 : tensor<4x4xf32>
      %8 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %8, %7 : tensor<i32>, tensor<4x4xf32>
    }
    %5 = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %5, %4#1, %v : tensor<i32>, tensor<4x4xf32>, tensor<4x2x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}

// What depends on the state stays, and so do loops of one round, or of nobody knows how many.
// CHECK-LABEL: func.func @left
// CHECK-NOT:   async_start
// CHECK:       return
func.func @left(%w: tensor<2x4xf32>, %x: tensor<4x4xf32>, %n: tensor<i32>) -> (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %w) : tensor<i32>, tensor<2x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_gather"(%y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.slice %1 [0:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<2x4xf32>
  }
  %4:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %y, %1 : tensor<4x4xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<4x4xf32>
  }
  %5:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %y, %1 : tensor<4x4xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1, %4#1, %5#1 : tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// 64 and 128 bytes are kept for the next round, or what fits: first what is needed first. A machine that has computed a
// round in no time would have to wait for the next one just as long.
// BYTES-LABEL: func.func @several
// SLOW-LABEL: func.func @several
// QUICK-LABEL: func.func @several
func.func @several(%w: tensor<4x2x4xf32>, %b: tensor<4x4x4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // BYTES:     stablehlo.while({{.*}}) : tensor<i32>, tensor<4x4xf32>, tensor<8x4xf32>{{$}}
  // BYTES:     do {
  // BYTES:     all_gather{{.*}} -> tensor<8x4xf32>
  // BYTES:     stablehlo.add
  // BYTES:     all_gather{{.*}} -> tensor<4x4xf32>
  // SLOW:      stablehlo.while({{.*}}) : tensor<i32>, tensor<4x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>
  // QUICK:     stablehlo.while({{.*}}) : tensor<i32>, tensor<4x4xf32>{{$}}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 2, 4] : (tensor<4x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.dynamic_slice %b, %i, %zero, %zero, sizes = [1, 4, 4] : (tensor<4x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %6 = "stablehlo.all_gather"(%5) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.slice %6 [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %8 = stablehlo.add %y, %7 : tensor<4x4xf32>
    %9 = stablehlo.dot_general %8, %3, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
