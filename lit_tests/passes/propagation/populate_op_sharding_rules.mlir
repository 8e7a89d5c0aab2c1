// RUN: sdy-opt %s --sdy-populate-op-sharding-rules | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// A rule that is there already stays, be it custom or not, and be it right or not.
// CHECK-LABEL: func.func @attached_rules_stay
func.func @attached_rules_stay(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, i])->([i, j]) {i=2, j=2}>}
  %0 = stablehlo.tanh %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, i])->([i, j]) {i=2, j=2}>} : tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.custom_call @unheard_of(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=8} need_replication={j, k}, custom>}
  %1 = stablehlo.custom_call @unheard_of(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=8} need_replication={j, k}, custom>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Other attributes stay too.
// CHECK-LABEL: func.func @other_attributes_stay
func.func @other_attributes_stay(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 {note = "kept", sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>}
  %0 = stablehlo.tanh %arg0 {note = "kept"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A constraint is pointwise. Its attributes stand in front of the type.
// CHECK-LABEL: func.func @sharding_constraint
func.func @sharding_constraint(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>} : tensor<4x8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Ops without a rule: constants and what else has no operands, the other ops of the dialect, ops with regions.
// CHECK-LABEL: func.func @ops_without_rule
// CHECK-NOT: sdy.sharding_rule
func.func @ops_without_rule(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %1 = stablehlo.iota dim = 0 : tensor<4x8xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{"a"}, {}]> : tensor<4x8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<4x8xf32>
  sdy.sharding_group %3 group_id=0 : tensor<4x8xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<4x8xf32>
  %5 = func.call @callee(%4) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func private @callee
func.func private @callee(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}

// Ops in regions have rules as any other; in a manual computation by the local types.
// CHECK-LABEL: func.func @nested_ops
func.func @nested_ops(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: stablehlo.tanh %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=2, j=8}>} : tensor<2x8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<2x8xf32>) {
    %1 = stablehlo.tanh %arg1 : tensor<2x8xf32>
    sdy.return %1 : tensor<2x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.add %iterArg, %iterArg {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>}
  %2 = stablehlo.while(%iterArg = %0) : tensor<4x8xf32> cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    %3 = stablehlo.add %iterArg, %iterArg : tensor<4x8xf32>
    stablehlo.return %3 : tensor<4x8xf32>
  }
  return %2 : tensor<4x8xf32>
}

// A custom call may carry its rule as text, as XLA writes it.
// CHECK-LABEL: func.func @rule_in_frontend_attributes
func.func @rule_in_frontend_attributes(%arg0: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([ij]) {i=4, j=2}, custom>
  %0 = stablehlo.custom_call @unheard_of(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([ij]) {i=4, j=2}, custom>"}} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
