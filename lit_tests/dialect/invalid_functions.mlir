// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Shardings on functions: first a function that is valid, then one that is not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
// expected-error @+1 {{argument 1 has a sharding of rank 1 for a value of rank 2}}
func.func private @argument(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"u"}, {}]>})
// expected-error @+1 {{result 0 uses axis "w", which the mesh does not have}}
func.func private @result() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w"}, {}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// expected-error @+1 {{argument 0 has an attribute 'sdy.sharding' that is not 'sharding'}}
func.func private @argument_kind(tensor<8x8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_result_sharding() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// expected-error @+1 {{result 0 uses axis "x" twice}}
func.func private @result_sharding() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_argument_kind(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// expected-error @+1 {{argument 0 has an attribute 'sdy.sharding' that is not 'sharding'}}
func.func private @argument_kind(tensor<8x8xf32> {sdy.sharding = #sdy.mesh<[]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_result_kind() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// expected-error @+1 {{result 0 has an attribute 'sdy.sharding' that is not 'sharding'}}
func.func private @result_kind() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_argument_mesh(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["w"=2]>, [{"w"}, {}]>})
// expected-error @+1 {{argument 0 has a sharding on the unknown mesh @nowhere}}
func.func private @argument_mesh(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@nowhere, [{"x"}, {}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_other_names_are_not_looked_at(tensor<8x8xf32> {sdy.sharding_rule = 1 : i32, sdy.propagation_edges = 2 : i32})
// expected-error @+1 {{argument 0 has an attribute 'sdy.sharding' that is not 'sharding'}}
func.func private @other_names_are_not_looked_at(tensor<8x8xf32> {sdy.sharding = 1 : i32, sdy.sharding_rule = 1 : i32})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @good_definition(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return
}
// expected-error @+1 {{argument 1 has a sharding of rank 1 for a value of rank 2}}
func.func @definition(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func private @good_zero_results() attributes {sdy.sharding = #sdy.sharding_per_value<[]>}
// expected-error @+1 {{has 1 shardings for 0 values}}
func.func private @zero_results() attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @returned(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return {sdy.sharding = #sdy.sharding_per_value<[]>} %arg0 : tensor<8x8xf32>
}
func.func @returned_with_shardings(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{has 2 shardings for 0 values}}
  return {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>]>} %arg0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
// expected-note @+1 {{see existing symbol definition here}}
sdy.mesh @other = <["x"=2]>
// expected-error @+1 {{redefinition of symbol named 'other'}}
func.func private @other()
