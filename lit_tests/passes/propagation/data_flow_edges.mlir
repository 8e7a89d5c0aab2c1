// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-basic-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-op-priority-propagate | filecheck %s --check-prefix=LEVELS

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

func.func @main() {
  return
}

// Initial value, body result, loop variable and result of a loop are one tensor.
// CHECK-LABEL: func.func @loop
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
func.func @loop(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<i32>) -> tensor<8x8xf32> {
  // CHECK: stablehlo.compare
  // CHECK: stablehlo.tanh %iterArg{{.*}}[{"a", ?}, {"b", ?}]
  // CHECK: sdy.data_flow_edge %{{.*}}#0 : tensor<i32>
  // CHECK: sdy.data_flow_edge %{{.*}}#1 sharding=<@mesh, [{"a", ?}, {"b", ?}]>
  %0:2 = stablehlo.while(%i = %arg1, %x = %arg0) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.tanh %x : tensor<8x8xf32>
    stablehlo.return %i, %t : tensor<i32>, tensor<8x8xf32>
  }
  %1 = stablehlo.sine %0#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// What any branch returns is the result.
// CHECK-LABEL: func.func @branches
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// CHECK-SAME:    %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @branches(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  %0 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1 : tensor<8xf32>
  }, {
    stablehlo.return %arg2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @optimization_barrier
// CHECK-SAME:    %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}
func.func @optimization_barrier(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: sdy.data_flow_edge %{{.*}}#0 sharding=<@mesh, [{"a", ?}]>
  // CHECK-NEXT: sdy.data_flow_edge %{{.*}}#1 sharding=<@mesh, [{"b", ?}]>
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<4xf32>
  %1 = stablehlo.sine %0#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<4xf32>
  return %0#0, %1 : tensor<8xf32>, tensor<4xf32>
}

// Into a named computation and out of it.
// CHECK-LABEL: func.func @named_computation
func.func @named_computation(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", ?}]
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  %0 = sdy.named_computation<"f">(%arg0) (%x: tensor<8xf32>) {
    %1 = stablehlo.tanh %x : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// An operand of a computation that is sharded after the edge inside was visited does not lead back to the edge. It is
// seen in the next sweep only: at the next op-priority level.
// CHECK-LABEL: func.func @late_operand
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// LEVELS-LABEL: func.func @late_operand
func.func @late_operand(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: sdy.data_flow_edge %{{.*}} : tensor<8xf32>
  // CHECK-NEXT: stablehlo.tanh %{{.*}} : tensor<8xf32>
  // LEVELS: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  // LEVELS-NEXT: stablehlo.tanh {{.*}}[{"a", ?}]
  %0 = sdy.named_computation<"f">(%arg0) (%x: tensor<8xf32>) {
    %2 = stablehlo.tanh %x : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Manual axes stay outside: the body sees the free axes only. What replicated and unreduced axes the computation has
// for its operand does not change.
// CHECK-LABEL: func.func @manual_computation
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"a", ?}]>}
func.func @manual_computation(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK: in_shardings=[<@mesh, [{?}, {"a", ?}], replicated={"c"}>] out_shardings=[<@mesh, [{?}, {"a", ?}]>] manual_axes={"a"}
  // CHECK-NEXT: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"b", ?}, {?}], replicated={"c"}>
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"b", ?}, {?}]
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"b", ?}, {"a", ?}]>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {"a", ?}], replicated={"c"}>] out_shardings=[<@mesh, [{?}, {"a", ?}]>] manual_axes={"a"} (%x: tensor<8x4xf32>) {
    %1 = stablehlo.tanh %x : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An "if" is a "case" with two branches.
// CHECK-LABEL: func.func @two_branches
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @two_branches(%arg0: tensor<i1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  %0 = "stablehlo.if"(%arg0) ({
    stablehlo.return %arg1 : tensor<8xf32>
  }, {
    stablehlo.return %arg2 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A result of a manual computation keeps the manual axes, and the replicated ones, that the computation has for it.
// CHECK-LABEL: func.func @manual_result
func.func @manual_result(%arg0: tensor<8x8xf32>) -> tensor<16x4xf32> {
  // CHECK: stablehlo.tanh {{.*}}[{"b", ?}, {?}]
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", "b", ?}, {?}], replicated={"c"}>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {"a", ?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}], replicated={"c"}>] manual_axes={"a"} (%x: tensor<8x4xf32>) {
    %1 = stablehlo.tanh %x : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<16x4xf32>
  // CHECK-NEXT: stablehlo.sine {{.*}}[{"a", "b", ?}, {?}]
  %2 = stablehlo.sine %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b", ?}, {?}]>]>} : tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}
