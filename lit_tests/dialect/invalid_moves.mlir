// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// all_to_all and collective_permute: in each function first what is valid, then what is not.

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
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=4, "z"=2, "u"=6]>}}
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
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=4, "z"=2, "u"=6]>}}
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
func.func @move_without_sharding(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand without a sharding}}
  %bad = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @permute_without_sharding(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %good = sdy.collective_permute %arg1 out_sharding=<@mesh, [{"z"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand without a sharding}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @all_to_all_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  %good1 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@again, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@reversed, [{}, {"y", "x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.all_to_all [{"w"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_axis_twice(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1, {"y"}: 2->3] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  // expected-error @+1 {{uses axis "x" twice}}
  %bad = sdy.all_to_all [{"x"}: 0->1, {"x"}: 2->3] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_to_nowhere(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves axes from or to dimension 2 of a tensor of rank 2}}
  %bad = sdy.all_to_all [{"x"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_from_before(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{moves axes from or to dimension -1 of a tensor of rank 2}}
  %bad = sdy.all_to_all [{"x"}: -1->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_leaves_other_dimensions(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) {
  %good = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}, {"y"}]> : tensor<8x8x8xf32>
  // expected-error @+1 {{has dimension 2 of its result sharded on {}, expected {"y"}}}
  %bad = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}]> : tensor<8x8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @move_leaves_the_source(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z"}, {"y"}]>}) {
  %good = sdy.all_to_all [{"z"}: 0->1] %arg0 out_sharding=<@mesh, [{"x"}, {"y", "z"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 0 of its result sharded on {}, expected {"x"}}}
  %bad = sdy.all_to_all [{"z"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "z"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2]>}}
func.func @permute_inlined_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  // expected-error @+1 {{goes from one mesh to another with the same order of devices}}
  %bad = sdy.collective_permute %arg0 out_sharding=<mesh<["x"=2, "y"=2]>, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["x"=2, "y"=4, "z"=2, "u"=3]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=4, "z"=2, "u"=6]>}}
func.func @permute_sizes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{goes from mesh <["x"=2, "y"=4, "z"=2, "u"=6]> to mesh <["x"=2, "y"=4, "z"=2, "u"=3]>, which has other axes}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@other, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @permute_parts(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y":(1)2}, {"x", "z"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has 4 shards of dimension 1 in its operand and 2 in its result}}
  %bad = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y":(1)2}, {"x"}]> : tensor<8x8xf32>
  return
}
