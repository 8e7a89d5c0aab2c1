// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// When a sharding is valid for a type: in each function first one that is, then one that is not.

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
func.func @no_rank(%arg0: tensor<*xf32>) {
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
sdy.mesh @empty = <[]>
func.func @empty_mesh_has_no_axes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@empty, [{}, {?}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "x", which the mesh does not have}}
  %bad = sdy.reshard %arg0 <@empty, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_of_nothing(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}p1, {?}p0]> : tensor<8x8xf32>
  // expected-error @+1 {{has a priority on a closed dimension without axes}}
  %bad = sdy.reshard %arg0 <@mesh, [{}p0, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unknown_axis(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.reshard %arg0 <@mesh, [{"w"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @axis_twice(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "x" twice}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @mergeable_neighbours(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2, "x", "y":(2)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which are to be written as one}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(1)2, "y":(2)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_order(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x", "y"}> : tensor<8x8xf32>
  // expected-error @+1 {{has replicated axes that are not in the order of the mesh}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"y", "x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_twice(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {}], replicated={"y"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "x" twice}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}, {}], replicated={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_order(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"y":(1)2, "z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has unreduced axes that are not in the order of the mesh}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"z", "y":(1)2}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_twice(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}, unreduced={"y"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "x" twice}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}, unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @axis_and_part(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {"y":(2)2}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "y" as well as a sub-axis of it}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y"}, {"y":(1)2}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @pre_size_zero(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{has sub-axis "y":(0)2 with a pre-size below 1 or a size below 2}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(0)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @size_one(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{has sub-axis "y":(2)1 with a pre-size below 1 or a size below 2}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(2)1}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @part_that_does_not_divide(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"u":(1)2}, {"u":(3)2}]> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "u":(1)4, which does not divide its axis of size 6}}
  %bad = sdy.reshard %arg0 <@mesh, [{"u":(1)4}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @part_that_is_all(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{has sub-axis "y":(1)4, which is all of its axis}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(1)4}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @parts_that_overlap(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"u":(1)2}, {"u":(2)3}]> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "u":(1)3, which overlaps another one}}
  %bad = sdy.reshard %arg0 <@mesh, [{"u":(1)3}, {"u":(1)2}]> : tensor<8x8xf32>
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

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_axis(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<4x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here}}
    %2 = sdy.reshard %1 <@mesh, [{"y"}, {}], replicated={"x"}> : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_axis_further_out(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    // expected-error @+1 {{in_shardings: uses axis "x", which is manual here}}
    %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"y"} (%arg2: tensor<4x8xf32>) {
      sdy.return %arg2 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
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
