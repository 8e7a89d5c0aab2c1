// RUN: sdy-opt %s --sdy-add-data-flow-edges | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// A barrier has an edge per result, used or not, that takes over the other uses and the sharding.
// CHECK-LABEL: func.func @optimization_barrier(
func.func @optimization_barrier(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[BARRIER:.*]]:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>, <@mesh, [{}]>]>} %arg0, %arg1 : tensor<8xf32>, tensor<4xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]]#0 sharding=<@mesh, [{"a", ?}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.data_flow_edge %[[BARRIER]]#1 sharding=<@mesh, [{}]> : tensor<4xf32>
  // CHECK-NEXT: return %[[EDGE]], %[[EDGE]] : tensor<8xf32>, tensor<8xf32>
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>, <@mesh, [{}]>]>} %arg0, %arg1 : tensor<8xf32>, tensor<4xf32>
  return %0#0, %0#0 : tensor<8xf32>, tensor<8xf32>
}

// The edge of a while stands for its results; its block arguments have none, its body uses what it captures through
// the edge.
// CHECK-LABEL: func.func @while(
func.func @while(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT: %[[WHILE:.*]]:2 = stablehlo.while(%iterArg = %[[EDGE]], %iterArg_0 = %arg1) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   %[[COMPARE:.*]] = stablehlo.compare LT, %iterArg_0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT:   stablehlo.return %[[COMPARE]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %iterArg, %[[EDGE]] : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]], %iterArg_0 : tensor<8xf32>, tensor<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[WHILE]]#0 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.data_flow_edge %[[WHILE]]#1 sharding=<@mesh, []> : tensor<i32>
  // CHECK-NEXT: return %[[EDGE_1]] : tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1:2 = stablehlo.while(%arg2 = %0, %arg3 = %arg1) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>}
   cond {
    %2 = stablehlo.compare LT, %arg3, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %arg2, %0 : tensor<8xf32>
    stablehlo.return %2, %arg3 : tensor<8xf32>, tensor<i32>
  }
  return %1#0 : tensor<8xf32>
}

// The branches of a case and of an if; what has no static shape gets no edge.
// CHECK-LABEL: func.func @branches(
func.func @branches(%arg0: tensor<8xf32>, %arg1: tensor<i32>, %arg2: tensor<i1>, %arg3: !stablehlo.token, %arg4: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CASE:.*]]:3 = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   stablehlo.return %arg0, %arg3, %arg4 : tensor<8xf32>, !stablehlo.token, tensor<?xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[EDGE]], %arg3, %arg4 : tensor<8xf32>, !stablehlo.token, tensor<?xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> (tensor<8xf32>, !stablehlo.token, tensor<?xf32>)
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[CASE]]#0 : tensor<8xf32>
  // CHECK-NEXT: %[[IF:.*]] = "stablehlo.if"(%arg2) ({
  // CHECK-NEXT:   stablehlo.return %[[EDGE_1]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   stablehlo.return %arg0 : tensor<8xf32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} : (tensor<i1>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_2:.*]] = sdy.data_flow_edge %[[IF]] sharding=<@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[EDGE_2]] : tensor<8xf32>
  %0:3 = "stablehlo.case"(%arg1) ({
    stablehlo.return %arg0, %arg3, %arg4 : tensor<8xf32>, !stablehlo.token, tensor<?xf32>
  }, {
    %2 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    stablehlo.return %2, %arg3, %arg4 : tensor<8xf32>, !stablehlo.token, tensor<?xf32>
  }) : (tensor<i32>) -> (tensor<8xf32>, !stablehlo.token, tensor<?xf32>)
  %1 = "stablehlo.if"(%arg2) ({
    stablehlo.return %0#0 : tensor<8xf32>
  }, {
    stablehlo.return %arg0 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} : (tensor<i1>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A named computation has edges for arguments, at the start of its body, and for results.
// CHECK-LABEL: func.func @named_computation(
func.func @named_computation(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"f">(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}]>, <@mesh, [{?}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
  // CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg2 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT:   %[[EDGE_1:.*]] = sdy.data_flow_edge %arg3 sharding=<@mesh, [{?}]> : tensor<8xf32>
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %[[EDGE]], %[[EDGE_1]] : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_2:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION]] : tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION_1:.*]] = sdy.named_computation<"g">(%[[EDGE_2]]) out_shardings=[<@mesh, [{"b"}]>] (%arg2: tensor<8xf32>) {
  // CHECK-NEXT:   %[[EDGE_3:.*]] = sdy.data_flow_edge %arg2 : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[EDGE_3]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_4:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION_1]] sharding=<@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[EDGE_4]] : tensor<8xf32>
  %0 = sdy.named_computation<"f">(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}]>, <@mesh, [{?}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %2 = stablehlo.add %arg2, %arg3 : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"g">(%0) out_shardings=[<@mesh, [{"b"}]>] (%arg2: tensor<8xf32>) {
    sdy.return %arg2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Inside a manual computation manual axes are not seen; outside they are.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b", ?}p1, {?}], replicated={"c"}>] out_shardings=[<@mesh, [{"a"}, {"b"}], replicated={"c"}>] manual_axes={"a", "c"} (%arg1: tensor<4x8xf32>) {
  // CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"b", ?}p1, {?}]> : tensor<4x8xf32>
  // CHECK-NEXT:   %[[NEGATE:.*]] = stablehlo.negate %[[EDGE]] : tensor<4x8xf32>
  // CHECK-NEXT:   sdy.return %[[NEGATE]] : tensor<4x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[COMPUTATION]] sharding=<@mesh, [{"a"}, {"b"}], replicated={"c"}> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[EDGE_1]] : tensor<8x8xf32>
  %0 = sdy.manual_computation(%arg0)
      in_shardings=[<@mesh, [{"a", "b", ?}p1, {?}], replicated={"c"}>]
      out_shardings=[<@mesh, [{"a"}, {"b"}], replicated={"c"}>] manual_axes={"a", "c"} (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Other ops with regions or several results have no edges.
// CHECK-LABEL: func.func @no_edges(
func.func @no_edges(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[CALL:.*]] = call @identity(%[[REDUCE]]) : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: return %[[CALL]] : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = call @identity(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
// CHECK-LABEL: func.func private @identity(
func.func private @identity(%arg0: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: return %arg0 : tensor<f32>
  return %arg0 : tensor<f32>
}
