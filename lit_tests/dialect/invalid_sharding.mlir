// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// When a sharding fits its mesh and a type: in each function first one that does, then one that does not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unknown_mesh(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding on the unknown mesh @nowhere}}
  %bad = sdy.reshard %arg0 <@nowhere, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @single_device_takes_no_dimensions(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@one, []> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding on a single device, which can have neither dimensions nor axes}}
  %bad = sdy.reshard %arg0 <@one, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_value_takes_no_dimensions(%arg0: tensor<8x8xf32>) {
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8x8xf32>) -> ()
  // expected-error @+1 {{has the sharding of no value, which can have neither dimensions nor axes}}
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8x8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @tuple_of_two(%arg0: tuple<tensor<8xf32>>, %arg1: tuple<tensor<8xf32>, tensor<8xf32>>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}]> : tuple<tensor<8xf32>>
  // expected-error @+1 {{has a sharding for a tuple of several elements or none}}
  %bad = sdy.reshard %arg1 <@mesh, [{"x"}]> : tuple<tensor<8xf32>, tensor<8xf32>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @token_takes_no_dimensions(%arg0: !stablehlo.token) {
  %good = sdy.reshard %arg0 <@mesh, []> : !stablehlo.token
  // expected-error @+1 {{has the sharding of a value without a shape}}
  %bad = sdy.reshard %arg0 <@mesh, [{}]> : !stablehlo.token
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_rank(%arg0: tensor<*xf32>, %arg1: tensor<?xf32>) {
  %good = sdy.reshard %arg1 <@mesh, [{}]> : tensor<?xf32>
  // expected-error @+1 {{has a sharding for a value without a rank}}
  %bad = sdy.reshard %arg0 <@mesh, []> : tensor<*xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @other_rank(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @divisibility_does_not_matter(%arg0: tensor<3x0xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y"}, {"u"}]> : tensor<3x0xf32>
  // expected-error @+1 {{uses axis "v", which the mesh does not have}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y"}, {"v"}]> : tensor<3x0xf32>
  return
}

// -----

module {
  sdy.mesh @mesh = <["x"=2]>
  // Meshes of a module further out do not count.
  module {
    func.func @inner_module(%arg0: tensor<8x8xf32>) {
      // expected-error @+1 {{has a sharding on the unknown mesh @mesh}}
      %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
      return
    }
  }
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @symbol_that_is_no_mesh(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding on the unknown mesh @symbol_that_is_no_mesh}}
  %bad = sdy.reshard %arg0 <@symbol_that_is_no_mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @single_device_takes_no_replicated_axes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@one, []> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding on a single device, which can have neither dimensions nor axes, as <@one, [], replicated={"x"}>}}
  %bad = sdy.reshard %arg0 <@one, [], replicated={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @single_device_takes_no_unreduced_axes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@one, []> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding on a single device, which can have neither dimensions nor axes, as <@one, [], unreduced={"x"}>}}
  %bad = sdy.reshard %arg0 <@one, [], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_value_takes_no_axes(%arg0: tensor<8x8xf32>) {
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8x8xf32>) -> ()
  // expected-error @+1 {{has the sharding of no value, which can have neither dimensions nor axes, as <@mesh, [], replicated={"x"}>}}
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], replicated={"x"}>]>} : (tensor<8x8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_value_needs_a_mesh(%arg0: tensor<8x8xf32>) {
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8x8xf32>) -> ()
  // expected-error @+1 {{has a sharding on the unknown mesh @nowhere}}
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@nowhere, []>]>} : (tensor<8x8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @tuple_of_none(%arg0: tuple<tensor<8xf32>>, %arg1: tuple<>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}]> : tuple<tensor<8xf32>>
  // expected-error @+1 {{has a sharding for a tuple of several elements or none}}
  %bad = sdy.reshard %arg1 <@mesh, []> : tuple<>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @tuple_of_a_tuple(%arg1: tuple<tuple<tensor<8xf32>>>) {
  %good = sdy.reshard %arg1 <@mesh, []> : tuple<tuple<tensor<8xf32>>>
  // expected-error @+1 {{has the sharding of a value without a shape, which can have neither dimensions nor axes, as <@mesh, [{"x"}]>}}
  %bad = sdy.reshard %arg1 <@mesh, [{"x"}]> : tuple<tuple<tensor<8xf32>>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @token_takes_no_replicated_axes(%arg0: !stablehlo.token) {
  %good = sdy.reshard %arg0 <@mesh, []> : !stablehlo.token
  // expected-error @+1 {{has the sharding of a value without a shape, which can have neither dimensions nor axes, as <@mesh, [], replicated={"x"}>}}
  %bad = sdy.reshard %arg0 <@mesh, [], replicated={"x"}> : !stablehlo.token
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @token_takes_no_unreduced_axes(%arg0: !stablehlo.token) {
  %good = sdy.reshard %arg0 <@mesh, []> : !stablehlo.token
  // expected-error @+1 {{has the sharding of a value without a shape, which can have neither dimensions nor axes, as <@mesh, [], unreduced={"x"}>}}
  %bad = sdy.reshard %arg0 <@mesh, [], unreduced={"x"}> : !stablehlo.token
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @other_rank_of_vectors_and_buffers(%arg0: vector<8xf32>, %arg1: memref<8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}]> : vector<8xf32>
  // expected-error @+1 {{has a sharding of rank 2 for a value of rank 1}}
  %bad = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : memref<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @rank_counts_dynamic_dimensions(%arg0: tensor<?x?xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<?x?xf32>
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<?x?xf32>
  return
}
