// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Shardings, sharding rules and propagation edges as attributes of functions and ops: first valid, then not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
// expected-error @+1 {{argument 1 has a sharding of rank 1 for a value of rank 2}}
func.func private @argument(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
// expected-error @+1 {{result 0 uses axis "w", which the mesh does not have}}
func.func private @result() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w"}, {}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
// expected-error @+1 {{has an attribute 'sdy.sharding' that is no 'sharding'}}
func.func private @argument_kind(tensor<8x8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @op_kind(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.sharding' that is no 'sharding_per_value'}}
  %bad = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @op_count(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has 2 shardings for 1 values}}
  %bad = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @op_sharding(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"w"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @op_result_of_several(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2 (value number 1)}}
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}

// -----

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
  // expected-error @+1 {{has an attribute 'sdy.sharding_rule' that is no 'op_sharding_rule'}}
  %bad = stablehlo.dot %arg0, %arg1 {sdy.sharding_rule = 1 : i64} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edges_axis(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has a propagation edge of axis "w", which the mesh does not have}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"w" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edges_operand(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has a propagation edge at operand-2, which it does not have}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-2 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edges_no_sharding(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has propagation edges, but none of the values they refer to has a sharding}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edges_kind(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.propagation_edges' that is no 'propagation_edges'}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = 1 : i64} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @result_edges(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.result_propagation_edges = []} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.result_propagation_edges' with an element that is no 'propagation_edges'}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.result_propagation_edges = [1]} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @block_arg_edges(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.block_arg_propagation_edges = []} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.block_arg_propagation_edges' that is no array}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.block_arg_propagation_edges = 1} : tensor<8x8xf32>
  return
}
