// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Ops other than collectives: in each function first what is valid, then what is not.

"sdy.mesh"() <{sym_name = "good", mesh = #sdy.mesh<["x"=2]>}> : () -> ()
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
  // expected-error @+1 {{has a value that is not a tensor of elements}}
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
  // expected-note @+1 {{defined here}}
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

func.func @func_edge_in_region(%arg0: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.func_data_flow_edge %arg2 : tensor<8x8xf32>
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
  // expected-error @+1 {{allows propagation in both directions, so it is not a barrier}}
  %bad = sdy.propagation_barrier %arg0 allowed_direction=BOTH : tensor<8x8xf32>
  return
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

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sharding_constraint_type(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %good = "sdy.sharding_constraint"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected 'tensor<8x8xf32>' but got 'tensor<8x4xf32>'}}
  %bad = "sdy.sharding_constraint"(%arg1) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @data_flow_edge_type(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %good = "sdy.data_flow_edge"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected 'tensor<8x8xf32>' but got 'tensor<8x4xf32>'}}
  %bad = "sdy.data_flow_edge"(%arg1) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @propagation_barrier_type(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %good = "sdy.propagation_barrier"(%arg0) <{allowed_direction = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected 'tensor<8x8xf32>' but got 'tensor<8x4xf32>'}}
  %bad = "sdy.propagation_barrier"(%arg1) <{allowed_direction = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @func_data_flow_edge_type(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
  %good = "sdy.func_data_flow_edge"(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected 'tensor<8x8xf32>' but got 'tensor<8x4xf32>'}}
  %bad = "sdy.func_data_flow_edge"(%arg1) : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @constant_dynamic(%arg0: tensor<8x8xf32>) {
  %good = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  // expected-error @+1 {{has a result of type tensor<?xf32>, expected a ranked tensor of static shape}}
  %bad = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<?xf32>
  return
}

// -----

func.func @constant_vector(%arg0: tensor<8x8xf32>) {
  %good = sdy.constant dense<1.0> : tensor<8xf32>
  // expected-error @+1 {{expected base type 'builtin.tensor' but got 'builtin.vector'}}
  %bad = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> vector<8xf32>
  return
}

// -----

func.func @func_edge_of_dynamic(%arg0: tensor<8x8xf32>, %arg1: tensor<8x?xf32>) {
  %good = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
  // expected-error @+1 {{has a result of type tensor<8x?xf32>, expected one of static shape}}
  %bad = sdy.func_data_flow_edge %arg1 : tensor<8x?xf32>
  return
}

// -----

func.func private @g(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @func_edge_of_call(%arg0: tensor<8x8xf32>) {
  %c = call @g(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = stablehlo.negate %arg0 : tensor<8x8xf32>
  %good = sdy.func_data_flow_edge %c : tensor<8x8xf32>
  // expected-error @+1 {{has an input that is neither a function argument nor the result of a 'func.call'}}
  %bad = sdy.func_data_flow_edge %d : tensor<8x8xf32>
  return
}

// -----

func.func @edge_of_named_computation(%arg0: tensor<8x8xf32>) {
  %n = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @+1 {{defined here}}
  %b = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x8xf32>
  %good = sdy.data_flow_edge %n : tensor<8x8xf32>
  // expected-error @+1 {{has an input defined by 'sdy.propagation_barrier', which has no data-flow edges}}
  %bad = sdy.data_flow_edge %b : tensor<8x8xf32>
  return
}

// -----

func.func @edge_shape(%arg0: tensor<8x8xf32>, %arg1: !stablehlo.token) {
  %b = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %good = "sdy.data_flow_edge"(%b) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{'!stablehlo.token' does not satisfy the constraint}}
  %bad = "sdy.data_flow_edge"(%arg1) : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @func_edge_shape(%arg0: tensor<8x8xf32>, %arg1: !stablehlo.token) {
  %good = "sdy.func_data_flow_edge"(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{'!stablehlo.token' does not satisfy the constraint}}
  %bad = "sdy.func_data_flow_edge"(%arg1) : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @barrier_rank(%arg0: tensor<?xf32>, %arg1: tensor<*xf32>) {
  %good = "sdy.propagation_barrier"(%arg0) <{allowed_direction = 1 : i32}> : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected base type 'builtin.tensor' but got 'builtin.unranked_tensor'}}
  %bad = "sdy.propagation_barrier"(%arg1) <{allowed_direction = 1 : i32}> : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @barrier_number(%arg0: tensor<8x8xf32>) {
  %good = "sdy.propagation_barrier"(%arg0) <{allowed_direction = 2 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has an unknown allowed_direction, number 4}}
  %bad = "sdy.propagation_barrier"(%arg0) <{allowed_direction = 4 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @group_rank(%arg0: tensor<?xf32>, %arg1: memref<8xf32>) {
  "sdy.sharding_group"(%arg0) <{group_id = 1 : i64}> : (tensor<?xf32>) -> ()
  // expected-error @+1 {{expected base type 'builtin.tensor' but got 'builtin.memref'}}
  "sdy.sharding_group"(%arg1) <{group_id = 1 : i64}> : (memref<8xf32>) -> ()
  return
}

// -----

func.func @group_kind(%arg0: tensor<8x8xf32>) {
  "sdy.sharding_group"(%arg0) <{group_id = -9223372036854775808 : i64}> : (tensor<8x8xf32>) -> ()
  // expected-error @+1 {{expected base attribute 'builtin.integer' but got 'builtin.string'}}
  "sdy.sharding_group"(%arg0) <{group_id = "1"}> : (tensor<8x8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reshard_kind(%arg0: tensor<8x8xf32>) {
  %good = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected base attribute 'sdy.sharding' but got 'sdy.sharding_per_value'}}
  %bad = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reshard_lacks_sharding(%arg0: tensor<8x8xf32>) {
  %good = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{attribute "sharding" is expected but not provided}}
  %bad = "sdy.reshard"(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @reshard_reduction_of_parts(%arg0: tensor<8x8xf32>) {
  %r = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=max{"y":(2)2}> : tensor<8x8xf32>
  %good = sdy.reshard %r <@mesh, [{}, {}], unreduced={"y":(1)2}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes that are unreduced by max in an operand and by sum in a result}}
  %bad = sdy.reshard %r <@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @same = <["x"=2]>
sdy.mesh @reversed = <["x"=2], device_ids=[1, 0]>
func.func @reshard_reduction_on_another_order(%arg0: tensor<8x8xf32>) {
  %r = sdy.reshard %arg0 <@m, [{}, {}], unreduced=max{"x"}> : tensor<8x8xf32>
  %good = sdy.reshard %r <@reversed, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{has axes that are unreduced by max in an operand and by sum in a result}}
  %bad = sdy.reshard %r <@same, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// -----

func.func @return_ends_a_block(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %bad = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    // expected-error @+1 {{must be the last operation in the parent block}}
    sdy.return %arg1 : tensor<8x8xf32>
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

module {
  "sdy.mesh"() <{sym_name = "good", mesh = #sdy.mesh<[]>}> : () -> ()
  // expected-error @+1 {{has an attribute 'mesh' that is not 'mesh'}}
  "sdy.mesh"() <{sym_name = "bad", mesh = #sdy.sharding<@good, []>}> : () -> ()
}

// -----

module {
  // expected-note @+1 {{see existing symbol definition here}}
  sdy.mesh @good = <["x"=2]>
  func.func private @g()
  sdy.mesh @again = <["x"=2]>
  // expected-error @+1 {{redefinition of symbol named 'good'}}
  sdy.mesh @good = <["x"=2]>
}
