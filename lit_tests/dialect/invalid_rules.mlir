// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// When a sharding rule fits an op: in each function first a valid one, then one that is not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_operands(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule with 1 operand mappings for 2 operands}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_rank(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{the mapping has rank 1, the value 2}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k])->([i, j]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_factor_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{dimension 1 repeats factor i}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i], [k, j])->([i, j]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_unknown_factor(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{dimension 1 has factor number 3, there are 3}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, l])->([i, j]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_unused_factor(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{factor l is in no operand or result}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4, l=2}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_size_one(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has factor j of size 1 besides others}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k], [k, l])->([ij, l]) {i=8, j=1, k=4, l=2}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_two_kinds(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{factor k is in reduction and permutation}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k} permutation={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_order(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{need_replication factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} need_replication={j, i}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_reduced_result(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{reduction factor i is in a result}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={i}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rule_kind(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has an attribute 'sdy.sharding_rule' that is not 'op_sharding_rule'}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = 1 : i64} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @results(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule with 2 result mappings for 1 results}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j], [i]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @result_rank(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule that does not fit result 0: the mapping has rank 1, the value 2}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @result_factor(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule that does not fit result 0: dimension 1 has factor number 3, there are 3}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, l]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @result_factor_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule that does not fit result 0: dimension 1 repeats factor i}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, i]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @dimension_without_factor(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, jl]) {i=8, j=2, k=4, l=1000}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule that does not fit result 0: dimension 1 has no factor}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, ]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @factor_twice_in_a_dimension(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([il, k], [k, j])->([i, j]) {i=8, j=2, k=4, l=2}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule that does not fit operand 0: dimension 0 repeats factor i}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([ii, k], [k, j])->([i, j]) {i=8, j=2, k=4}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @factor_only_in_a_list(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, l]) {i=8, j=2, k=4, l=2} need_replication={j, l}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose factor l is in no operand or result}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4, l=2} need_replication={l}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduction_order(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose reduction factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={k, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduction_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose reduction factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduction_unknown(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose reduction factors are not all among its 5 factors}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, n}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @need_replication_order(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose need_replication factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={k, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @need_replication_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose need_replication factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @need_replication_unknown(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose need_replication factors are not all among its 5 factors}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, n}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @permutation_order(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose permutation factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={k, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @permutation_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose permutation factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={j, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @permutation_unknown(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose permutation factors are not all among its 5 factors}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} permutation={j, n}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @blocked_propagation_order(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose blocked_propagation factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={k, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @blocked_propagation_twice(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose blocked_propagation factors are not in ascending order}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={j, j}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @blocked_propagation_unknown(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose blocked_propagation factors are not all among its 5 factors}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} blocked_propagation={j, n}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduction_and_need_replication(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j} need_replication={k} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose factor k is in reduction and need_replication}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, k} need_replication={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduction_and_permutation(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j} permutation={k} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose factor k is in reduction and permutation}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} reduction={j, k} permutation={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @need_replication_and_permutation(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>) {
  %good = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j} permutation={k} blocked_propagation={j, k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-error @+1 {{has a sharding rule whose factor k is in need_replication and permutation}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([j, k], [k, l])->([i, m]) {i=8, j=2, k=4, l=2, m=2} need_replication={j, k} permutation={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @no_operands(%arg0: tensor<f32>) {
  %good = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([i]) {i=8}>} : (tensor<f32>) -> tensor<8xf32>
  // expected-error @+1 {{has a sharding rule with 1 operand mappings for 0 operands}}
  %bad = stablehlo.custom_call @f() {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : () -> tensor<8xf32>
  return
}

// -----

func.func @no_results(%arg0: tensor<8xf32>) {
  %good = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=8}>} : (tensor<8xf32>) -> tensor<f32>
  // expected-error @+1 {{has a sharding rule with 1 result mappings for 0 results}}
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=8}>} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @dynamic(%arg0: tensor<8xf32>, %arg1: tensor<?xf32>) {
  %good = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // expected-error @+1 {{has a sharding rule that does not fit operand 0: the value has no static shape}}
  %bad = stablehlo.negate %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<?xf32>
  return
}

// -----

func.func @token(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) {
  %good = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error @+1 {{has a sharding rule that does not fit operand 1: the value has no static shape}}
  %bad = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [])->([i]) {i=8}>} : (tensor<8xf32>, !stablehlo.token) -> tensor<8xf32>
  return
}
