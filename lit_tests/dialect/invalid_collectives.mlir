// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Collectives: in each function first what is valid, then what is not.

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
  // expected-error @+1 {{has the consecutive sub-axes "y":(1)2 and "y":(2)2, which are to be written as one}}
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
func.func @move_nothing(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves nothing}}
  %bad = "sdy.all_to_all"(%arg0) <{params = #sdy<all_to_all_param_list[]>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_from_nowhere(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves axes from or to dimension 2 of a tensor of rank 2}}
  %bad = sdy.all_to_all [{"x"}: 2->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_to_the_same(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves axes from or to dimension 0 twice}}
  %bad = sdy.all_to_all [{"x"}: 0->0] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves axes from or to dimension 1 twice}}
  %bad = sdy.all_to_all [{"x"}: 0->1, {"y"}: 1->0] %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_order(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1, {"y"}: 2->3] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  // expected-error @+1 {{has moves that are not in the order of their source dimensions}}
  %bad = sdy.all_to_all [{"y"}: 2->3, {"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_what_is_not_there(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{removes {"z"} from dimension 0, which is sharded on {"x"}}}
  %bad = sdy.all_to_all [{"z"}: 0->1] %arg0 out_sharding=<@mesh, [{"x"}, {"y", "z"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 1 of its result sharded on {"x", "y"}, expected {"y", "x"}}}
  %bad = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x", "y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @again = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @line = <["i"=96]>
func.func @permute_other_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{which has other axes}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@line, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @again = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @line = <["i"=96]>
func.func @permute_same_devices(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{goes from one mesh to another with the same order of devices}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@again, [{"z"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @permute_shards(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has 2 shards of dimension 0 in its operand and 4 in its result}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_changes_dimensions(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand sharded as}}
  %bad = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_order(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z", "u"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has reduction axes that are not in the order of the mesh}}
  %bad = sdy.all_reduce {"u", "z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_sharded_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "x", which shards a dimension of the operand}}
  %bad = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_replicated_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], replicated={"z"}>}) {
  %good = sdy.all_reduce {"u"} %arg0 out_sharding=<@mesh, [{"x"}, {}], replicated={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "z", which is replicated on in the operand}}
  %bad = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}], replicated={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_still_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.all_reduce max {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "z", which is unreduced in the result}}
  %bad = sdy.all_reduce max {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_by_another_kind(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.all_reduce max {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{reduces axes by max, expected sum: {"z"}}}
  %bad = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_makes_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.all_reduce max {} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{makes axes unreduced, which it cannot: {"u"}}}
  %bad = sdy.all_reduce max {} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"z", "u"}> : tensor<8x8xf32>
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
func.func @sharded_to_unreduced_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has a result with unreduced axes {"z"}, expected {"x"}}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_kind(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced=max{"x", "z"}> : tensor<8x8xf32>
  // expected-error @+1 {{changes the reduction of unreduced axes from max to sum}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x", "z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_dimensions(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{changes how dimensions are sharded}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", ?}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_nothing(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has no axes}}
  %bad = sdy.replicated_to_unreduced {} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_sharded_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "y":(1)2, which shards a dimension of the operand}}
  %bad = sdy.replicated_to_unreduced {"y":(1)2} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_unreduced_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"z"}>}) {
  %good = sdy.replicated_to_unreduced {"u"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"z", "u"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "z", which is unreduced in the operand}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced=max{"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has a result with unreduced axes {"z", "u"}, expected {"z"}}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z", "u"}> : tensor<8x8xf32>
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
