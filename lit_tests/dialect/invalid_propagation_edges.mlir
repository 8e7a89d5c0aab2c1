// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Numbers of operands and results are not negative. Unlike here, the reference crashes.
sdy.mesh @mesh = <["x"=2]>
func.func @negative(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %good = stablehlo.tanh %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{has a propagation edge at result--1, which it does not have}}
  %0 = stablehlo.tanh %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result--1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @result_number(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{has a propagation edge at result-1, which it does not have}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-1]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @source_number(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{has a propagation edge at operand-7, which it does not have}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-7 -> [operand-0]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @meshes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{has propagation edges between values on different meshes}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @steps_unique(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{a step index occurs twice}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0]}]}, {step-1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @step_negative(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{step index -1 is negative}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step--1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @target_is_source(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{operand-0 is both source and target of axis "x"}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-0]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @target_twice(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{a target of axis "x" occurs twice}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0, result-0]}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @no_targets(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{expected at least one target}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> []}]}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @no_entries(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{expected at least one axis entry}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = []}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @no_steps(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{expected at least one step}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @result_edges_no_array(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.result_propagation_edges = []} : tensor<8xf32>
  // expected-error @+1 {{has an attribute 'sdy.result_propagation_edges' that is not an array}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.result_propagation_edges = 1 : i32} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @block_arg_edges_elements(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  %good = stablehlo.add %arg0, %arg1 {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"nothing" = operand-9 -> [result-9]}]}]>]} : tensor<8xf32>
  // expected-error @+1 {{has an attribute 'sdy.block_arg_propagation_edges' with an element that is not 'propagation_edges'}}
  %bad = stablehlo.add %arg0, %arg1 {sdy.block_arg_propagation_edges = [1 : i32]} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @range_is_not_checked_on_edges(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %good = sdy.func_data_flow_edge %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-9]}]}]>} : tensor<8xf32>
  // expected-error @+1 {{has a propagation edge at result-9, which it does not have}}
  %bad = stablehlo.negate %arg1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-9]}]}]>} : tensor<8xf32>
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
  // expected-error @+1 {{has an attribute 'sdy.propagation_edges' that is not 'propagation_edges'}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.propagation_edges = 1 : i64} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @result_edges(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.result_propagation_edges = []} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.result_propagation_edges' with an element that is not 'propagation_edges'}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.result_propagation_edges = [1]} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @block_arg_edges(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.add %arg0, %arg0 {sdy.block_arg_propagation_edges = []} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.block_arg_propagation_edges' that is not an array}}
  %bad = stablehlo.add %arg0, %arg0 {sdy.block_arg_propagation_edges = 1} : tensor<8x8xf32>
  return
}
