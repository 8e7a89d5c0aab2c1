// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Ops other than collectives: in each function first what is valid, then what is not.

func.func @mesh_in_function() {
  // expected-error @+1 {{expects the parent op 'builtin.module'}}
  "sdy.mesh"() <{sym_name = "mesh", mesh = #sdy.mesh<["x"=2]>}> : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reshard_type(%arg0: tensor<8x8xf32>) {
  %good = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{op expected 'tensor<8x8xf32>' but got 'tensor<8x?xf32>'}}
  %bad = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x?xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @constraint_sharding(%arg0: tensor<8x8xf32>) {
  %good = sdy.sharding_constraint %arg0 <@mesh, [{}, {?}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.sharding_constraint %arg0 <@mesh, [{?}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @group_id(%arg0: tensor<8x8xf32>) {
  "sdy.sharding_group"(%arg0) <{group_id = -1 : i64}> : (tensor<8x8xf32>) -> ()
  // expected-error @+1 {{has a group id of type i32, expected i64}}
  "sdy.sharding_group"(%arg0) <{group_id = 1 : i32}> : (tensor<8x8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @constant_type(%arg0: tensor<8x8xf32>) {
  %good = sdy.constant dense<1.0> : tensor<8xf32>
  // expected-error @+1 {{has a result of type tensor<4xf32> for a value of type tensor<8xf32>}}
  %bad = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @constant_value(%arg0: tensor<8x8xf32>) {
  %good = sdy.constant dense<1.0> : tensor<8xf32>
  // expected-error @+1 {{has a value that is no tensor of elements}}
  %bad = "sdy.constant"() <{value = 1.0 : f32}> : () -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edge_with_other_uses(%arg0: tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %c = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %d = stablehlo.negate %c : tensor<8x8xf32>
  %good = sdy.data_flow_edge %b : tensor<8x8xf32>
  // expected-error @+1 {{has an input with other uses}}
  %bad = sdy.data_flow_edge %c : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edge_of_dynamic(%arg0: tensor<8x8xf32>, %arg1: tensor<8x?xf32>) {
  %good = sdy.data_flow_edge %arg0 : tensor<8x8xf32>
  // expected-error @+1 {{has a result of type tensor<8x?xf32>, expected one of static shape}}
  %bad = sdy.data_flow_edge %arg1 : tensor<8x?xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edge_of_reshard(%arg0: tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %r = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  %good = sdy.data_flow_edge %b : tensor<8x8xf32>
  // expected-error @+1 {{has an input defined by 'sdy.reshard', which has no data-flow edges}}
  %bad = sdy.data_flow_edge %r : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @edge_sharding(%arg0: tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %c = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %good = sdy.data_flow_edge %b sharding=<@mesh, [{?}, {?}]> : tensor<8x8xf32>
  // expected-error @+1 {{has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.data_flow_edge %c sharding=<@mesh, [{?}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @func_edge_input(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg1 : tensor<8x8xf32>
  %good = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
  // expected-error @+1 {{has an input that is neither a function argument nor the result of a 'func.call'}}
  %bad = sdy.func_data_flow_edge %b : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @func_edge_with_other_uses(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg1 : tensor<8x8xf32>
  %good = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
  // expected-error @+1 {{has an input with other uses}}
  %bad = sdy.func_data_flow_edge %arg1 : tensor<8x8xf32>
  return
}

// -----

func.func @func_edge_in_region(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    // expected-error @+1 {{has an input that is an argument of a block that is not directly in a 'func.func'}}
    %1 = sdy.func_data_flow_edge %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @barrier_direction(%arg0: tensor<8x8xf32>) {
  %good = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8x8xf32>
  // expected-error @+1 {{allows propagation in both directions, so that it is no barrier}}
  %bad = sdy.propagation_barrier %arg0 allowed_direction=BOTH : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_arguments(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has block arguments that differ from its operands in number or type}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_results(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{returns values that differ from its results in number or type}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_in_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_out_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: has 2 shardings for 1 values}}
  %bad = sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_terminator(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has a body that does not end with 'sdy.return'}}
  %bad = "sdy.named_computation"(%arg0) <{name = "f"}> ({
  ^bb0(%arg1: tensor<8x8xf32>):
    stablehlo.return %arg1 : tensor<8x8xf32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_in_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_out_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: uses axis "w", which the mesh does not have}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"w"}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_count(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: 1 values outside the body are 2 inside}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_axes_come_first(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: dimension 0 has a free axis before a manual one}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_divides(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: dimension 0 of size 8 cannot be cut into 6 equal parts along manual axes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"u"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"u"} (%arg1: tensor<1x8xf32>) {
    sdy.return %arg1 : tensor<1x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_local_type(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: a value of type tensor<8x8xf32> is tensor<8x8xf32> inside the body, expected tensor<4x8xf32>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_local_result(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: a value of type tensor<8x8xf32> is tensor<4x8xf32> inside the body, expected tensor<4x2xf32>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @manual_on_one_device(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: a value of type tensor<8x8xf32> cannot be on a single device}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@one, []>] out_shardings=[<@one, []>] manual_axes={} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["x"=2]>
func.func @manual_common_mesh(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has shardings on different meshes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@other, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_unknown_axis(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has manual axis "w", which the mesh does not have}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "w"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_twice(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    // expected-error @+1 {{has manual axis "x", which is manual already}}
    %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg2: tensor<4x8xf32>) {
      sdy.return %arg2 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reshard_changes_reduction(%arg0: tensor<8x8xf32>) {
  %r = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=max{"x"}> : tensor<8x8xf32>
  %good = sdy.reshard %r <@mesh, [{}, {}], unreduced=max{"x", "y"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes that are unreduced by max in an operand and by sum in a result}}
  %bad = sdy.reshard %r <@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @constraint_changes_reduction_behind_barrier(%arg0: tensor<8x8xf32>) {
  %r = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=min{"x"}> : tensor<8x8xf32>
  %b = sdy.propagation_barrier %r allowed_direction=NONE : tensor<8x8xf32>
  %good = sdy.sharding_constraint %b <@mesh, [{}, {}], unreduced=min{"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes that are unreduced by min in an operand and by sum in a result}}
  %bad = sdy.sharding_constraint %b <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  return
}
