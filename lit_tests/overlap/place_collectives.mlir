// RUN: sdy-opt %s --sdy-async-collectives --sdy-place-collectives | filecheck %s
// RUN: sdy-opt %s --sdy-async-collectives --sdy-place-collectives=in-flight-bytes=100 | filecheck %s --check-prefix=LIMIT
// RUN: sdy-opt %s --sdy-async-collectives --sdy-place-collectives='mode=list machine={flops=1e9 bandwidth=1e9 memory_bandwidth=1e9 overhead=1e-6 directions=1}' | filecheck %s --check-prefix=LIST
// RUN: sdy-opt %s --sdy-async-collectives --sdy-place-collectives='machine={flops=1e9 bandwidth=1e8 memory_bandwidth=1e9}' | filecheck %s --check-prefix=REWRITTEN
// RUN: sdy-opt %s --sdy-async-collectives --sdy-place-collectives=pin=true | filecheck %s --check-prefix=PIN

// Starts go to where their operands are, dones to where their results are used, in the order of need. With a limit of
// 100 bytes, of which each pair holds 96, one flies at a time.
// CHECK-LABEL: func.func @gathers(
// LIMIT-LABEL: func.func @gathers(
func.func @gathers(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: %[[F0:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[F1:.*]] = "stablehlo.async_start"(%arg1)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg2
  // CHECK-NEXT: %[[D0:.*]] = "stablehlo.async_done"(%[[F0]])
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[D0]], %[[N]]
  // CHECK-NEXT: %[[D1:.*]] = "stablehlo.async_done"(%[[F1]])
  // CHECK-NEXT: %[[R:.*]] = stablehlo.add %[[S]], %[[D1]]
  // CHECK-NEXT: return %[[R]]
  // LIMIT-NEXT: %[[F0:.*]] = "stablehlo.async_start"(%arg0)
  // LIMIT:      !stablehlo.future
  // LIMIT-NEXT: stablehlo.negate
  // LIMIT-NEXT: "stablehlo.async_done"(%[[F0]])
  // LIMIT-NEXT: %[[F1:.*]] = "stablehlo.async_start"(%arg1)
  // LIMIT:      !stablehlo.future
  // LIMIT-NEXT: stablehlo.add
  // LIMIT-NEXT: "stablehlo.async_done"(%[[F1]])
  // LIMIT-NEXT: stablehlo.add
  %0 = stablehlo.negate %arg2 : tensor<16xf32>
  %1 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
  %2 = stablehlo.add %1, %0 : tensor<16xf32>
  %3 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
  %4 = stablehlo.add %2, %3 : tensor<16xf32>
  return %4 : tensor<16xf32>
}

// One collective needs another: it starts as soon as that is done.
// CHECK-LABEL: func.func @chain(
func.func @chain(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[F0:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
  // CHECK-NEXT: %[[D0:.*]] = "stablehlo.async_done"(%[[F0]])
  // CHECK-NEXT: %[[F1:.*]] = "stablehlo.async_start"(%[[D0]])
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[D1:.*]] = "stablehlo.async_done"(%[[F1]])
  // CHECK-NEXT: return %[[D1]], %[[N]]
  %0 = stablehlo.negate %arg1 : tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %0 : tensor<8xf32>, tensor<8xf32>
}

// No start goes up past an op with effects, no done goes down past it.
// CHECK-LABEL: func.func @effects(
func.func @effects(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[F0:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
  // CHECK-NEXT: %[[D0:.*]] = "stablehlo.async_done"(%[[F0]])
  // CHECK-NEXT: stablehlo.custom_call @print(%[[N]])
  // CHECK-NEXT: %[[F1:.*]] = "stablehlo.async_start"(%arg1)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[D0]], %[[N]]
  // CHECK-NEXT: %[[D1:.*]] = "stablehlo.async_done"(%[[F1]])
  // CHECK-NEXT: return %[[S]], %[[D1]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %arg1 : tensor<8xf32>
  stablehlo.custom_call @print(%1) {has_side_effect = true} : (tensor<8xf32>) -> ()
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %3 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// So do ops that carry tokens.
// CHECK-LABEL: func.func @tokens(
func.func @tokens(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  // CHECK-NEXT: stablehlo.after_all
  // CHECK-NEXT: "stablehlo.async_start"
  // CHECK:      "stablehlo.async_done"
  // CHECK-NEXT: return
  %0 = stablehlo.after_all %arg1 : !stablehlo.token
  %1 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, !stablehlo.token
}

// A call is passed unless the function has effects.
// CHECK-LABEL: func.func @calls(
func.func @calls(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: call @computes
  // CHECK-NEXT: call @prints
  // CHECK-NEXT: "stablehlo.async_start"
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: call @computes
  // CHECK-NEXT: "stablehlo.async_done"
  %0 = call @computes(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @prints(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @computes(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
func.func private @computes(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @prints(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.custom_call @print(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return %arg0 : tensor<8xf32>
}

// Collectives on one channel start in the order that they have, although the second is needed first.
// CHECK-LABEL: func.func @one_channel(
func.func @one_channel(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[F0:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[F1:.*]] = "stablehlo.async_start"(%arg1)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: %[[D1:.*]] = "stablehlo.async_done"(%[[F1]])
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[D1]]
  // CHECK-NEXT: %[[D0:.*]] = "stablehlo.async_done"(%[[F0]])
  // CHECK-NEXT: return %[[D0]], %[[N]]
  %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}

// A value that only a region uses is used where the op stands that has it.
// CHECK-LABEL: func.func @captured(
func.func @captured(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK:      !stablehlo.future
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: %[[D:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT: "stablehlo.if"(%arg1) ({
  // CHECK-NEXT:   stablehlo.return %[[D]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %arg0 : tensor<8xf32>
  %2 = "stablehlo.if"(%arg1) ({
    stablehlo.return %0 : tensor<8xf32>
  }, {
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// In the body of a loop as in a function.
// CHECK-LABEL: func.func @loop(
func.func @loop(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK:      } do {
  // CHECK-NEXT:   %[[F:.*]] = "stablehlo.async_start"(%iterArg)
  // CHECK:        !stablehlo.future
  // CHECK-NEXT:   %[[N:.*]] = stablehlo.negate %iterArg
  // CHECK-NEXT:   %[[D:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT:   %[[S:.*]] = stablehlo.add %[[D]], %[[N]]
  // CHECK-NEXT:   stablehlo.return %[[S]]
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32> cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %1 = "stablehlo.collective_permute"(%iterArg) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.negate %iterArg : tensor<8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// With `list` other ops move as well: what the collective waits for comes first, what nobody waits for comes while it
// is being sent.
// CHECK-LABEL: func.func @others_move(
// CHECK-NEXT:    stablehlo.negate
// LIST-LABEL: func.func @others_move(
func.func @others_move(%arg0: tensor<80xf32>, %arg1: tensor<80xf32>) -> (tensor<80xf32>, tensor<80xf32>) {
  // LIST-NEXT: %[[E:.*]] = stablehlo.exponential %arg1
  // LIST-NEXT: %[[F:.*]] = "stablehlo.async_start"(%[[E]])
  // LIST:      !stablehlo.future
  // LIST-NEXT: %[[N:.*]] = stablehlo.negate %arg0
  // LIST-NEXT: %[[D:.*]] = "stablehlo.async_done"(%[[F]])
  // LIST-NEXT: %[[S:.*]] = stablehlo.sine %[[D]]
  // LIST-NEXT: return %[[N]], %[[S]]
  %0 = stablehlo.negate %arg0 : tensor<80xf32>
  %1 = stablehlo.exponential %arg1 : tensor<80xf32>
  %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<80xf32>) -> tensor<80xf32>
  %3 = stablehlo.sine %2 : tensor<80xf32>
  return %0, %3 : tensor<80xf32>, tensor<80xf32>
}

// `pin` ties the start to the op before it, and the op behind the done to that.
// PIN-LABEL: func.func @pinned(
func.func @pinned(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // PIN-NEXT: %[[E:.*]] = stablehlo.exponential %arg0
  // PIN-NEXT: stablehlo.custom_call @print
  // PIN-NEXT: %[[TIED:.*]]:2 = stablehlo.optimization_barrier %arg1, %[[E]]
  // PIN-NEXT: %[[F:.*]] = "stablehlo.async_start"(%[[TIED]]#0)
  // PIN:      !stablehlo.future
  // PIN-NEXT: %[[N:.*]] = stablehlo.negate %[[E]]
  // PIN-NEXT: %[[D:.*]] = "stablehlo.async_done"(%[[F]])
  // PIN-NEXT: stablehlo.custom_call @print
  // PIN-NEXT: %[[BEHIND:.*]]:2 = stablehlo.optimization_barrier %[[N]], %[[D]]
  // PIN-NEXT: %[[S:.*]] = stablehlo.sine %[[BEHIND]]#0
  // PIN-NEXT: return %[[D]], %[[S]]
  %0 = stablehlo.exponential %arg0 : tensor<8xf32>
  stablehlo.custom_call @print() {has_side_effect = true} : () -> ()
  %1 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.negate %0 : tensor<8xf32>
  stablehlo.custom_call @print() {has_side_effect = true} : () -> ()
  %3 = stablehlo.sine %2 : tensor<8xf32>
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// An all_to_all that was rewritten to be asynchronous hides behind the product; that which hides behind nothing is as
// it was, if there is a machine to say so.
// REWRITTEN-LABEL: func.func @all_to_all(
// CHECK-LABEL: func.func @all_to_all(
func.func @all_to_all(%arg0: tensor<64x64xf32>) -> tensor<128x32xf32> {
  // REWRITTEN:      "stablehlo.async_start"
  // REWRITTEN:        "stablehlo.all_to_all"{{.*}}sdy.split_and_concat_dimensions
  // REWRITTEN:      stablehlo.dot_general
  // REWRITTEN-NEXT: "stablehlo.async_done"
  // REWRITTEN-NEXT: stablehlo.transpose
  // REWRITTEN-NEXT: stablehlo.reshape
  // REWRITTEN-NEXT: stablehlo.reshape
  // REWRITTEN-NEXT: stablehlo.dot_general
  // REWRITTEN-NEXT: "stablehlo.all_to_all"(%{{.*}}) <{concat_dimension = 0 : i64, replica_groups = {{.*}}, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<64x64xf32>) -> tensor<128x32xf32>
  // REWRITTEN-NEXT: return
  // CHECK: "stablehlo.async_start"
  // CHECK: "stablehlo.async_start"
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<64x64xf32>) -> tensor<128x32xf32>
  %1 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %joined = stablehlo.reshape %0 : (tensor<128x32xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %joined, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<64x64xf32>) -> tensor<128x32xf32>
  return %3 : tensor<128x32xf32>
}
