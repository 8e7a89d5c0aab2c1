// RUN: sdy-opt %s --sdy-apply-sharding-constraints | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CALL:.*]] = call @func_edges(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.func_data_flow_edge %[[CALL]] : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
  %0 = call @func_edges(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Edges of functions are like those of ops.
// CHECK-LABEL: func.func private @func_edges(
func.func private @func_edges(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.func_data_flow_edge %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
  %0 = sdy.func_data_flow_edge %arg0 : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"b"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A constraint on an edge moves up to it and takes over all uses, those in regions included.
// CHECK-LABEL: func.func @moves(
func.func @moves(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   stablehlo.return %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[CASE]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[NEGATE]], %[[EDGE_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = "stablehlo.case"(%arg1) ({
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %4 = sdy.data_flow_edge %3 : tensor<8xf32>
  %5 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  %6 = stablehlo.add %2, %4 : tensor<8xf32>
  return %6 : tensor<8xf32>
}

// Unreduced axes go to the edge, the rest does not.
// CHECK-LABEL: func.func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]]:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]]#0 sharding=<@mesh, [{?}], unreduced={"b"}> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}], unreduced={"b"}> : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[BARRIER]]#1 sharding=<@mesh, [{?}], unreduced=max{"b"}> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[EDGE_1]] <@mesh, [{}], unreduced=max{"b"}> : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CONSTRAINT]], %[[CONSTRAINT_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8xf32>
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{?}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{"a"}], unreduced={"b"}> : tensor<8xf32>
  %4 = sdy.sharding_constraint %2 <@mesh, [{}], unreduced=max{"b"}> : tensor<8xf32>
  %5 = stablehlo.add %3, %4 : tensor<8xf32>
  return %5 : tensor<8xf32>
}

// A manual computation gets a constraint for its operand.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[CONSTRAINT]]) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   %[[EDGE_1:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}]> : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[EDGE_1]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_2:.*]] = sdy.data_flow_edge %[[COMPUTATION]] sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[NEGATE]], %[[EDGE_2]] : tensor<8xf32>, tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    %5 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}]> : tensor<4xf32>
    sdy.return %5 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  return %2, %4 : tensor<8xf32>, tensor<8xf32>
}

// Loop variables are targets of an edge: the constraint moves to the start of the body.
// CHECK-LABEL: func.func @loop_variable(
func.func @loop_variable(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[WHILE:.*]] = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.return %arg1 : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[CONSTRAINT:.*]] = sdy.sharding_constraint %iterArg <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT:   %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %[[NEGATE]], %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[WHILE]] : tensor<8xf32>
  // CHECK-NEXT: return %[[EDGE]] : tensor<8xf32>
  %0 = stablehlo.while(%arg2 = %arg0) : tensor<8xf32>
   cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %2 = stablehlo.negate %arg2 : tensor<8xf32>
    %3 = sdy.sharding_constraint %arg2 <@mesh, [{"a"}]> : tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Of several equal constraints the first takes over the edge, the others constrain its result.
// CHECK-LABEL: func.func @equal_constraints(
func.func @equal_constraints(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[CONSTRAINT]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]], %[[CONSTRAINT_1]] : tensor<8xf32>, tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// An edge that has a sharding stays as it is.
// CHECK-LABEL: func.func @edge_with_sharding(
func.func @edge_with_sharding(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] sharding=<@mesh, [{"b", ?}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[EDGE]] : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[EDGE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"b", ?}]> : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}
