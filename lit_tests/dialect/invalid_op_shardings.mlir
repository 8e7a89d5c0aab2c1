// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Shardings on ops: in each function first valid, then not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @op_kind(%arg0: tensor<8x8xf32>) {
  %good = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  // expected-error @+1 {{has an attribute 'sdy.sharding' that is not 'sharding_per_value'}}
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
  %good:2 = "stablehlo.optimization_barrier"(%arg0, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2 (value number 1)}}
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
