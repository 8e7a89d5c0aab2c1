// RUN: sdy-opt %s --sdy-apply-sharding-constraints='debug-sharding-origins=true debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

// Arguments and results have their own origins; what a constraint hands over comes from it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>, sdy.sharding_origins = {b = "self"}}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, ?}, {?}]>, sdy.sharding_origins = {"c:(1)2" = "self"}})
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, ?}, {?}]>}) {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"c":(2)2}]>]>, sdy.sharding_origins = [{a = "constraint_0", "c:(2)2" = "constraint_0"}]} : tensor<8x8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[NEGATE]] <@mesh, [{"a"}, {"c":(2)2}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = result-0 -> [operand-0]}, {"c":(2)2 = result-0 -> [operand-0]}]}]>, sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {a = "self", "c:(2)2" = "self"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[CONSTRAINT]] {sdy.sharding_origins = [{"c:(1)2" = "output: 0"}]} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ABS]] : tensor<8x8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {"c":(2)2}]> : tensor<8x8xf32>
  %2 = stablehlo.abs %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// A constraint that hands over nothing has an origin all the same.
// CHECK-LABEL: func.func @not_applied(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>, sdy.sharding_origins = {b = "constraint_1"}}) -> (tensor<8xf32> {sdy.sharding_origins = {c = "constraint_2"}})
func.func @not_applied(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> {sdy.sharding_origin_name = "constraint_1", sdy.sharding_origins = {a = "self"}} : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[CONSTRAINT]] <@mesh, [{"c"}]> {sdy.sharding_origin_name = "constraint_2", sdy.sharding_origins = {c = "self"}} : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT_1]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"c"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Manual computations are numbered on their own; the origins are kept on the edges.
// CHECK-LABEL: func.func @manual_computation(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding_origins = {a = "mc_0_output: 0", b = "mc_0_output: 0"}})
func.func @manual_computation(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "c"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[NEGATE]]) in_shardings=[<@mesh, [{"a", "c"}]>] out_shardings=[<@mesh, [{"a", "b"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"c"}]> {sdy.sharding_origins = {a = "self", c = "self"}} : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[EDGE]] : tensor<4xf32>
  // CHECK-NEXT: } {sdy.sharding_origin_name = "mc_0"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[COMPUTATION]] sharding=<@mesh, [{"a", "b"}]> {sdy.sharding_origins = {a = "self", b = "self"}} : tensor<8xf32>
  // CHECK-NEXT: return %[[EDGE_1]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a", "c"}]>] out_shardings=[<@mesh, [{"a", "b"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    %3 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"c"}]> : tensor<4xf32>
    sdy.return %3 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.data_flow_edge %1 sharding=<@mesh, [{"a", "b"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Steps are counted callees first, constraints in textual order.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>, sdy.sharding_origins = {a = "constraint_3"}}) -> tensor<8xf32>
func.func @caller(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"a" = result-0 -> [operand-0]}]}]>, sdy.sharding_origin_name = "constraint_3", sdy.sharding_origins = {a = "self"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %[[CALL:.*]] = call @callee(%[[CONSTRAINT]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = call @callee(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>, sdy.sharding_origins = {b = "constraint_4"}}) -> (tensor<8xf32> {sdy.sharding_origins = {b = "constraint_4"}})
func.func private @callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"b" = result-0 -> [operand-0]}]}]>, sdy.sharding_origin_name = "constraint_4", sdy.sharding_origins = {b = "self"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
