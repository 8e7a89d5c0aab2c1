// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// all_reduce: in each function first what is valid, then what is not.

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

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @all_reduce_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.all_reduce {"z"} %arg0 out_sharding=<@reversed, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %good1 = sdy.all_reduce {} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.all_reduce {"w"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_axis_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.all_reduce {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "z" twice}}
  %bad = sdy.all_reduce {"z", "z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_overlapping_part(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {}]>}) {
  %good = sdy.all_reduce {"y":(2)2} %arg0 out_sharding=<@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{has axis "y", which shards a dimension of the operand}}
  %bad = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reduce_need_not_list_what_vanishes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"z"}>}) {
  %good = sdy.all_reduce {} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{reduces axes by sum, expected max: {"z"}}}
  %bad = sdy.all_reduce max {} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>

func.func @reduction_that_is_no_number(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // expected-error @+1 {{has a reduction "max", expected a 32-bit integer}}
  %0 = "sdy.all_reduce"(%arg0) {out_sharding = #sdy.sharding<@mesh, [{}]>, reduction_axes = #sdy<axis_ref_list{"x"}>, reduction_op = "max"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
