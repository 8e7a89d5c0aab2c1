// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// When the axes of a sharding are valid: in each function first valid ones, then some that are not.

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
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which must be written as one}}
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
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "y":(0)2 with a pre-size below 1 or a size below 2}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(0)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @size_one(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
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
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "y":(1)4, which is its whole axis}}
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
func.func @manual_axis(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<4x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here}}
    %2 = sdy.reshard %1 <@mesh, [{"y"}, {}], replicated={"x"}> : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
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

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_order_of_parts(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"u":(1)2, "u":(3)2}> : tensor<8x8xf32>
  // expected-error @+1 {{has replicated axes that are not in the order of the mesh}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"u":(3)2, "u":(1)2}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_unknown_axis(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"w"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_mergeable(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}], replicated={"y":(2)2}> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which must be written as one}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"y":(1)2, "y":(2)2}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_order_of_parts(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"u":(1)2, "u":(3)2}> : tensor<8x8xf32>
  // expected-error @+1 {{has unreduced axes that are not in the order of the mesh}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"u":(3)2, "u":(1)2}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_unknown_axis(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"w"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_mergeable(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"y":(1)2}, unreduced={"y":(2)2}> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which must be written as one}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"y":(1)2, "y":(2)2}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["w"=16]>
func.func @mergeable_three(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"w":(1)2, "w":(4)2}, {"w":(2)2}]> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "w":(4)2 and "w":(8)2, which must be written as one}}
  %bad = sdy.reshard %arg0 <@mesh, [{"w":(1)2, "w":(4)2, "w":(8)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @axis_and_part_in_other_lists(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}], unreduced={"y":(2)2}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "y" as well as a sub-axis of it}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}], unreduced={"y"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @small = <["o"=1]>
func.func @part_of_an_axis_of_size_one(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@small, [{"o"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "o":(1)1 with a pre-size below 1 or a size below 2}}
  %bad = sdy.reshard %arg0 <@small, [{"o":(1)1}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @parts_that_overlap_in_other_lists(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"u":(1)2}, {}], replicated={"u":(2)3}> : tensor<8x8xf32>
  // expected-error @+1 {{has sub-axis "u":(2)3, which overlaps another one}}
  %bad = sdy.reshard %arg0 <@mesh, [{"u":(1)3}, {}], replicated={"u":(2)3}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "v"=4]>
sdy.mesh @other = <["x"=2]>
func.func @manual_axis_dimension(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "v"} (%arg1: tensor<8x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here: <@mesh, [{"x"}, {}]>}}
    %2 = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "v"=4]>
sdy.mesh @other = <["x"=2]>
func.func @manual_axis_unreduced(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "v"} (%arg1: tensor<8x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here: <@mesh, [{}, {}], unreduced={"x"}>}}
    %2 = sdy.reshard %arg1 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "v"=4]>
sdy.mesh @other = <["x"=2]>
func.func @manual_axis_part(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "v"} (%arg1: tensor<8x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
    // expected-error @+1 {{uses axis "v", which is manual here: <@mesh, [{"y", "v":(1)2}, {}]>}}
    %2 = sdy.reshard %arg1 <@mesh, [{"y", "v":(1)2}, {}]> : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "v"=4]>
sdy.mesh @other = <["x"=2]>
func.func @manual_axis_other_mesh(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "v"} (%arg1: tensor<8x8xf32>) {
    %1 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here: <@other, [{"x"}, {}]>}}
    %2 = sdy.reshard %arg1 <@other, [{"x"}, {}]> : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
