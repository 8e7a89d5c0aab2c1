// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Collectives that make axes unreduced: in each function first what is valid, then what is not.

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
func.func @sharded_to_unreduced_without_sharding(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg1 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand without a sharding}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_without_sharding(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg1 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand without a sharding}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @sharded_to_unreduced_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  %good1 = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@again, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@reversed, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @again = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=2, "y"=2, "z"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// expected-note @+1 {{the operand is on mesh <["x"=2, "y"=2, "z"=2]>}}
func.func @replicated_to_unreduced_other_mesh(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  %good1 = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@again, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has an operand on another mesh: <@mesh, [{"x"}, {"y"}]>}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@reversed, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_count(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes for 1 dimensions of a tensor of rank 2}}
  %bad = sdy.sharded_to_unreduced [{"x"}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.sharded_to_unreduced [{"w"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_what_is_not_there(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{removes {"z"} from dimension 0, which is sharded on {"x"}}}
  %bad = sdy.sharded_to_unreduced [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_dimensions(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has dimension 0 of its result sharded on {"z"}, expected {}}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"z"}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharded_to_unreduced_keeps(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced={"z"}>}) {
  %good = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x", "z"}> : tensor<8x8xf32>
  // expected-error @+1 {{has a result with unreduced axes {"x"}, expected {"x", "z"}}}
  %bad = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_order(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z", "u"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z", "u"}> : tensor<8x8xf32>
  // expected-error @+1 {{has reduction axes that are not in the order of the mesh}}
  %bad = sdy.replicated_to_unreduced {"u", "z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z", "u"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_unknown_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "w", which the mesh does not have}}
  %bad = sdy.replicated_to_unreduced {"w"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_axis_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "z" twice}}
  %bad = sdy.replicated_to_unreduced {"z", "z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_kind(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced=max{"z"}>}) {
  %good = sdy.replicated_to_unreduced {"u"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced=max{"z", "u"}> : tensor<8x8xf32>
  // expected-error @+1 {{changes the reduction of unreduced axes from max to min}}
  %bad = sdy.replicated_to_unreduced {"u"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced=min{"z", "u"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_openness(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y"}p1]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", ?}, {"y"}p1], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{changes how dimensions are sharded, from <@mesh, [{"x", ?}, {"y"}p1]> to <@mesh, [{"x"}, {"y"}p1], unreduced={"z"}>}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}p1], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_priority(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y"}p1]>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", ?}, {"y"}p1], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{changes how dimensions are sharded, from <@mesh, [{"x", ?}, {"y"}p1]> to <@mesh, [{"x", ?}, {"y"}p2], unreduced={"z"}>}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", ?}, {"y"}p2], unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_to_unreduced_of_replicated_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], replicated={"z"}>}) {
  %good = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  // expected-error @+1 {{uses axis "z" twice}}
  %bad = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}, {"y"}], replicated={"z"}, unreduced={"z"}> : tensor<8x8xf32>
  return
}
