// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// What collectives have in common, all_gather, all_slice, reduce_scatter: in each function first what is valid.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_operand_sharding(%arg0: tensor<8x8xf32>) {
  %good = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand without a sharding}}
  %bad = sdy.all_gather [{}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @out_sharding(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"w"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2]>}}
func.func @other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh}}
  %bad = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@reversed, [{}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @other_rank(%arg0: tensor<f32>, %arg1: tensor<8x8xf32>) {
  %good = sdy.all_slice [] %arg0 out_sharding=<@one, []> : tensor<f32>
  // expected-error @+1 {{has an operand with a sharding of rank 2 and a result with one of rank 0}}
  %bad = sdy.all_slice [] %arg1 out_sharding=<@one, []> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @result_type(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{op expected 'tensor<8x8xf32>' but got 'tensor<8x4xf32>'}}
  %bad = "sdy.all_gather"(%arg0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.all_gather [{"w"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_axis_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "x" twice}}
  %bad = sdy.all_gather [{"x"}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_mergeable(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which must be written as one}}
  %bad = sdy.all_gather [{}, {"y":(1)2, "y":(2)2}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_count(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axes for 1 dimensions of a tensor of rank 2}}
  %bad = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_what_is_not_there(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{}, {"y":(2)2}] %arg0 out_sharding=<@mesh, [{"x"}, {"y":(1)2}]> : tensor<8x8xf32>
  // expected-error @+1 {{removes {"y":(1)2} from dimension 1, which is sharded on {"y"}}}
  %bad = sdy.all_gather [{}, {"y":(1)2}] %arg0 out_sharding=<@mesh, [{"x"}, {"y":(2)2}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 1 of its result sharded on {}, expected {"y"}}}
  %bad = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 0 of its result sharded on {"z", "x"}, expected {"x", "z"}}}
  %bad = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"z", "x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_merges(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {}]>}) {
  %good = sdy.all_slice [{"y":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 0 of its result sharded on {"y":(1)2}, expected {"y":(1)2, "y":(1)2}}}
  %bad = sdy.all_slice [{"y":(1)2}, {}] %arg0 out_sharding=<@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_scatter_by_another_kind(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.reduce_scatter max [{}, {"z"}] %arg0 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<8x8xf32>
  // expected-error @+1 {{reduces axes by max, expected min: {"z"}}}
  %bad = sdy.reduce_scatter min [{}, {"z"}] %arg0 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_scatter_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.reduce_scatter max [{}, {"z"}] %arg0 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 1 of its result sharded on {}, expected {"z"}}}
  %bad = sdy.reduce_scatter max [{}, {"z"}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @in_manual_computation(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "z"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"z"}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    %1 = sdy.all_to_all [{"z"}: 0->1] %arg1 out_sharding=<@mesh, [{}, {"z"}]> : tensor<4x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here}}
    %2 = sdy.all_slice [{"x"}, {}] %1 out_sharding=<@mesh, [{"x"}, {"z"}]> : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @some_may_lack_a_sharding(%arg0: tensor<8x8xf32>) {
  %good = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %good1 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %good2 = sdy.reduce_scatter [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand sharded as <@mesh, [{?}, {?}]> and a result sharded as <@mesh, [{"y"}, {}]>}}
  %bad = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @all_slice_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  %good1 = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@again, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@reversed, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @reduce_scatter_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  %good1 = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@again, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@reversed, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_count(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axes for 3 dimensions of a tensor of rank 2}}
  %bad = sdy.all_slice [{"z"}, {}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.all_slice [{"w"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_axis_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "z" twice}}
  %bad = sdy.all_slice [{"z"}, {"z"}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @slice_mergeable(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %good = sdy.all_slice [{"y"}, {}] %arg0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which must be written as one}}
  %bad = sdy.all_slice [{"y":(1)2, "y":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_not_the_minor_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %good = sdy.all_gather [{"y"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{removes {"x"} from dimension 0, which is sharded on {"x", "y"}}}
  %bad = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @gather_unreduced_is_not_compared(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced={"z"}>}) {
  %good = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced=max{"u"}> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 0 of its result sharded on {"u"}, expected {}}}
  %bad = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"u"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @scatter_count(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axes for 1 dimensions of a tensor of rank 2}}
  %bad = sdy.reduce_scatter [{"z"}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @scatter_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.reduce_scatter [{"w"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @scatter_makes_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{makes axes unreduced, which it cannot: {"u"}}}
  %bad = sdy.reduce_scatter [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}], unreduced={"u"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @scatter_keeps_the_reduction(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced=max{"z", "u"}>}) {
  %good = sdy.reduce_scatter max [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}], unreduced=max{"u"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes that are unreduced by max in an operand and by min in a result}}
  %bad = sdy.reduce_scatter max [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}], unreduced=min{"u"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @collective_rank(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.all_slice [{"z"}] %arg0 out_sharding=<@mesh, [{"x", "z"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @axes_may_be_manual_but_not_in_the_result(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<8x8xf32>) {
    %good = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    // expected-error @+1 {{uses axis "x", which is manual here: <@mesh, [{"x"}, {}]>}}
    %bad = sdy.all_slice [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    sdy.return %good : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
