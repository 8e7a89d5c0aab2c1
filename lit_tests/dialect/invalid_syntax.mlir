// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Syntax: first what can be written, then what cannot.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @open_is_last(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x", ?}, {?}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected '}' behind '?'}}
  %bad = sdy.reshard %arg0 <@mesh, [{?, "x"}, {?}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_comma_at_the_end_of_a_dimension(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a string}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x",}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_comma_at_the_start_of_a_dimension(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{?}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a string}}
  %bad = sdy.reshard %arg0 <@mesh, [{,?}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_without_number(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}p0, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a priority such as 'p1', got 'p'}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}p, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_with_leading_zero(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"} p1, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a priority such as 'p1', got 'p01'}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}p01, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_too_large(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}p9223372036854775807, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{priority 'p9223372036854775808' does not fit into 64 bits}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}p9223372036854775808, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_negative(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}p1, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a priority such as 'p1', got 'p'}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}p-1, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @priority_of_another_letter(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}p1, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a priority such as 'p1', got 'q1'}}
  %bad = sdy.reshard %arg0 <@mesh, [{"x"}q1, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_replicated_axes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected at least one axis}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_unreduced_axes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=sum{"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected at least one axis}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_needs_an_equals_sign(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated = {"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected '='}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated{"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_needs_no_equals_sign(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced{"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected '{'}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced max{"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @replicated_twice(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"z"}, replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{'replicated' occurs twice}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}, replicated={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @unreduced_twice(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=min{"z"}, replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{'unreduced' occurs twice}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"x"}, unreduced={"z"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @another_word(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected 'replicated' or 'unreduced'}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], sharded={"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @comma_at_the_end(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected 'replicated' or 'unreduced'}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], replicated={"x"},> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @another_reduction(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=max{"x"}> : tensor<8x8xf32>
  // expected-error @+1 {{expected 'sum', 'max' or 'min'}}
  %bad = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced=prod{"x"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @nested_symbol(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a flat symbol reference}}
  %bad = sdy.reshard %arg0 <@outer::@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_mesh(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <mesh<[]>, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected 'mesh' or the name of one}}
  %bad = sdy.reshard %arg0 <[{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @axis_without_quotes(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected a string}}
  %bad = sdy.reshard %arg0 <@mesh, [{x}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @sub_axis_without_size(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{expected an integer}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(1)}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @number_too_large(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{"y":(2)2}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{integer does not fit into 64 bits}}
  %bad = sdy.reshard %arg0 <@mesh, [{"y":(2)9223372036854775808}, {}]> : tensor<8x8xf32>
  return
}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([])->([])>}
// expected-error @+1 {{expected at least one operand mapping}}
func.func private @rule_without_operands() attributes {a = #sdy.op_sharding_rule<()->([])>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([i])->([]) {i=2}>}
// expected-error @+1 {{expected at least one result mapping}}
func.func private @rule_without_results() attributes {a = #sdy.op_sharding_rule<([i])->() {i=2}>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=2, j=2}>}
// expected-error @+1 {{expected the size of factor 'i'}}
func.func private @rule_sizes_in_order() attributes {a = #sdy.op_sharding_rule<([i, j])->([i, j]) {j=2, i=2}>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=2, j=2}>}
// expected-error @+1 {{expected the size of factor 'j'}}
func.func private @rule_sizes_without_gap() attributes {a = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=2, k=2}>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([i, j])->([]) {i=2, j=2} reduction={i} permutation={j}>}
// expected-error @+1 {{expected '>'}}
func.func private @rule_groups_in_order() attributes {a = #sdy.op_sharding_rule<([i, j])->([]) {i=2, j=2} permutation={j} reduction={i}>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([i])->([]) {i=2} reduction={i}, custom>}
// expected-error @+1 {{expected '>'}}
func.func private @rule_ends_with_custom() attributes {a = #sdy.op_sharding_rule<([i])->([]) {i=2}, custom reduction={i}>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([z])->([])>}
// expected-error @+1 {{'h' is not a factor symbol}}
func.func private @factor_letter() attributes {a = #sdy.op_sharding_rule<([h])->([])>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([zz_1])->([])>}
// expected-error @+1 {{'z_' is not a factor symbol}}
func.func private @factor_without_number() attributes {a = #sdy.op_sharding_rule<([z_])->([])>}

// -----

func.func private @good() attributes {a = #sdy.op_sharding_rule<([z_10])->([])>}
// expected-error @+1 {{'z_01' is not a factor symbol}}
func.func private @factor_with_leading_zero() attributes {a = #sdy.op_sharding_rule<([z_01])->([])>}

// -----

func.func private @good() attributes {a = #sdy<all_to_all_param {"x"}: 0->1>}
// expected-error @+1 {{expected at least one axis}}
func.func private @move_without_axes() attributes {a = #sdy<all_to_all_param {}: 0->1>}

// -----

func.func private @good() attributes {a = #sdy<edge_value_ref result-0>}
// expected-error @+1 {{expected 'operand-N' or 'result-N'}}
func.func private @edge_of_another_kind() attributes {a = #sdy<edge_value_ref block-0>}

// -----

func.func private @good() attributes {a = #sdy.sharding_per_value<[]>}
// expected-error @+1 {{expected the name of an sdy attribute, got 'shardings'}}
func.func private @unknown_attribute() attributes {a = #sdy.shardings<[]>}

// -----

func.func private @good() attributes {a = #sdy.mesh< // [a]
  []>}
// expected-error @+1 {{unbalanced '[' character in pretty dialect name}}
func.func private @brackets_in_comments_count_in_attributes() attributes {a = #sdy.mesh< // [a
  []>}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @barrier_direction(%arg0: tensor<8x8xf32>) {
  %good = sdy.propagation_barrier %arg0 allowed_direction="FORWARD" : tensor<8x8xf32>
  // expected-error @+1 {{expected one of NONE, FORWARD, BACKWARD, BOTH}}
  %bad = sdy.propagation_barrier %arg0 allowed_direction=forward : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @group_without_id(%arg0: tensor<8x8xf32>) {
  sdy.sharding_group %arg0 group_id=0x10 : tensor<8x8xf32>
  // expected-error @+1 {{expected an integer}}
  sdy.sharding_group %arg0 group_id= : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @group_rank(%arg0: tensor<?xf32>, %arg1: tensor<*xf32>) {
  sdy.sharding_group %arg0 group_id=1 : tensor<?xf32>
  // expected-error @+1 {{expected a ranked tensor type}}
  sdy.sharding_group %arg1 group_id=1 : tensor<*xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @order_of_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"n">(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected '('}}
  %bad = sdy.named_computation<"n">(%arg0) out_shardings=[<@mesh, [{}, {}]>] in_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_computation_needs_shardings(%arg0: tensor<8x8xf32>) {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  // expected-error @+1 {{expected 'in_shardings'}}
  sdy.manual_computation() out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_such_op(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{unknown op 'sdy.resharded'}}
  %bad = sdy.resharded %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @no_mesh_at_the_end_of_a_line(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{expected 'mesh' or the name of one}}
  %bad = sdy.reshard %arg0 <
    }, [{"x"}, {}]> : tensor<8x8xf32>
  return
}

// -----

func.func @location_of_an_argument_is_not_closed(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{expected '"' in string literal}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32> loc("{sdy.return}
    )) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @location_of_an_argument_with_braces_is_not_closed(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{expected ')'}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32> {sdy.x = 1} {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// Upstream's error comes first.
func.func @body_is_not_closed(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    // expected-note @-1 {{prior use here}}
    // expected-error @+1 {{use of value '%arg1' expects different type than prior uses}}
    sdy.return %arg1 : tensor<8xf32>
  return %bad : tensor<8x8xf32>
}

// -----

func.func @alias_in_properties(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{undefined symbol alias id 'nowhere'}}
  %bad = "sdy.named_computation"(%arg0) <{name = "f", in_shardings = #nowhere}> ({
  ^bb0(%arg1: tensor<8xf32>):
    "sdy.return"(%arg1) : (tensor<8xf32>) -> ()
  }) {tag = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Of mhlo, which modules that XLA dumps have, copies are read, as unknown ops; all others have to be in generic form.
func.func @ops_of_mhlo(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'mhlo.add' is of the dialect mhlo, of which 'mhlo.copy' alone is read: convert the module to StableHLO, or write the op in generic form}}
  %bad = mhlo.add %arg0, %arg0 : tensor<8xf32>
  return %bad : tensor<8xf32>
}

// -----

func.func @copies_are_unknown_ops(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{operation being parsed with an unregistered dialect}}
  %bad = mhlo.copy %arg0 : tensor<8xf32>
  return %bad : tensor<8xf32>
}

// -----

func.func @copies_have_an_operand(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected an SSA value}}
  %bad = mhlo.copy {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
  return %bad : tensor<8xf32>
}
