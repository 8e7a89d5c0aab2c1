// RUN: sdy-opt %s --sdy-op-priority-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-op-priority-propagate='run-op-priority-propagation=false' | filecheck %s --check-prefix=ALL

sdy.mesh @mesh = <["a"=2]>

func.func @main() {
  return
}

// The add shards the dot's result before the dot may: at the first level, since that is used once.
// CHECK-LABEL: func.func @elementwise_first
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
// ALL-LABEL: func.func @elementwise_first
func.func @elementwise_first(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  %1 = stablehlo.add %0, %arg2 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Of two elementwise ops the one goes first that is the only user of its operands, wherever it stands.
// CHECK-LABEL: func.func @only_user_first
func.func @only_user_first(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.subtract {{.*}}[{?}, {"a", ?}]
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  %2 = stablehlo.add %1, %arg2 : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A broadcast is sharded by its users; it goes forward last.
// CHECK-LABEL: func.func @broadcast_last
// ALL-LABEL: func.func @broadcast_last
func.func @broadcast_last(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.broadcast_in_dim {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  %1 = stablehlo.dot %arg1, %arg2 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Dimensions that are contracted come after those that pass through.
// CHECK-LABEL: func.func @reductions_late
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
// ALL-LABEL: func.func @reductions_late
// ALL-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
func.func @reductions_late(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot %arg2, %arg1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a"}]>]>} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// A dynamic slice goes forward early, but backward only after elementwise ops.
// CHECK-LABEL: func.func @dynamic_slice
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
// ALL-LABEL: func.func @dynamic_slice
// ALL-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
func.func @dynamic_slice(%arg0: tensor<8x8xf32>, %arg1: tensor<i32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> (tensor<8x2xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [8, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  %1 = stablehlo.add %arg0, %arg2 : tensor<8x8xf32>
  return %0, %1 : tensor<8x2xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dynamic_slice_forward
func.func @dynamic_slice_forward(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<i32>, %arg2: tensor<8x2xf32>, %arg3: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x2xf32> {
  // CHECK-NEXT: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.dot %arg2, %arg3 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  // CHECK-NEXT: stablehlo.dynamic_slice {{.*}}[{"a", ?}, {?}]
  %1 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  %2 = stablehlo.add %0, %1 : tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}

// Twice in one op is used twice: the subtract may not go first.
// CHECK-LABEL: func.func @twice_in_one_op
// ALL-LABEL: func.func @twice_in_one_op
func.func @twice_in_one_op(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.subtract {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.subtract {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.subtract %arg0, %arg0 : tensor<8x8xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// How often a scalar is used does not matter: the clamp goes first.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%arg0: tensor<f32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.clamp {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.clamp %arg0, %arg1, %arg0 : (tensor<f32>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %arg2 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Transposes, reshapes, moves between device and host, and the edges of data-flow ops go with the elementwise ops: what
// is behind them shards the dots, before these may go forward.
// CHECK-LABEL: func.func @pass_through_ops
// ALL-LABEL: func.func @pass_through_ops
func.func @pass_through_ops(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL-NEXT: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.dot %arg0, %arg0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @MoveToHost(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %2 = stablehlo.dot %arg0, %arg0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %4 = stablehlo.dot %arg0, %arg0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.reshape %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}, {?}]>]>} : (tensor<8x8xf32>) -> tensor<8x2x4xf32>
  // CHECK: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  // ALL: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  %6 = stablehlo.dot %arg0, %arg0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = stablehlo.optimization_barrier %6 : tensor<8x8xf32>
  %8 = sdy.data_flow_edge %7 sharding=<@mesh, [{?}, {"a", ?}]> : tensor<8x8xf32>
  return %1, %3, %5, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x2x4xf32>, tensor<8x8xf32>
}
