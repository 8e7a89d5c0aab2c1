"""Valid modules that between them hold every attribute and op of the dialect, in all their spellings.

To those written here come the modules of `lit_tests/dialect`, whose invalid ops come off.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

_LIT_TESTS = Path(__file__).parents[2] / "lit_tests" / "dialect"
_INVALID = re.compile(r"^[ ]*// expected-[^\n]*@\+1[^\n]*\n[^\n]*\n", re.MULTILINE)
_COMMENT = re.compile(r"^ *//[^\n]*\n", re.MULTILINE)

WRITTEN = [
    # Meshes of all kinds; shardings on arguments, results, ops of other dialects.
    """\
sdy.mesh @m = <["a"=2, "b"=4, "c"=1, "d"=8]>
sdy.mesh @ids = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @empty = <[]> {sym_visibility = "private"}
sdy.mesh @maximal = <[], device_ids=[3]>
sdy.mesh @"two words" = <["x y"=2]>
func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"d":(4)2, "d":(2)2}, {"d":(1)2, ?}p2]>}, %y: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {?}p0], replicated={"a"}>}, %t: tuple<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}, %e: memref<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@maximal, []>}) {
  %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b":(1)2}], replicated={"b":(2)2}, unreduced={"d"}>]>} : tensor<8x8xf32>
  %1 = stablehlo.custom_call @g(%0) {sdy.sharding = #sdy.sharding_per_value<[<@maximal, []>]>, other = #sdy.sharding<@"two words", [{"x y"}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  stablehlo.custom_call @g(%1) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal, []>]>} : (tensor<8x8xf32>) -> ()
  %2:2 = stablehlo.custom_call @h(%1) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>, <@ids, [{"b"}]>]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  return {sdy.sharding = #sdy.sharding_per_value<[]>} %2#0 : tensor<8x8xf32>
}
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@ids, [{"b", "a"}]>})
""",
    # Constraints and reshards, unreduced axes that come, stay and go, through barriers.
    """\
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
sdy.mesh @r = <["x"=2, "y"=4, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"z"}, {}], unreduced=max{"x"}>}, %t: !stablehlo.token) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %x <@m, [{}, {"y":(1)2, ?}], unreduced=max{"x"}> : tensor<8x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@m, [{}, {"y":(1)2}], unreduced=max{"x", "z"}> : tensor<8x8xf32>
  %3 = sdy.reshard %2 <@m, [{"y"}, {}], replicated={"z"}> {tag} : tensor<8x8xf32>
  %4 = sdy.reshard %3 <@r, [{"y"}, {}], unreduced={"x"}> : tensor<8x8xf32>
  %5 = sdy.reshard %4 <@m, [{"y"}, {}], unreduced=min{"x"}> : tensor<8x8xf32>
  %6 = sdy.sharding_constraint %t <@m, []> : !stablehlo.token
  %7 = sdy.propagation_barrier %5 allowed_direction=NONE : tensor<8x8xf32>
  %8 = sdy.propagation_barrier %7 allowed_direction="BACKWARD" {tag = 1} : tensor<8x8xf32>
  sdy.sharding_group %8 group_id=-12 {tag} : tensor<8x8xf32>
  sdy.sharding_group %x group_id=0 : tensor<8x8xf32>
  return %8 : tensor<8x8xf32>
}
""",
    # Constants.
    """\
func.func @f() -> tensor<2xi32> {
  %0 = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
  %1 = sdy.constant {tag = "t", sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>]>} dense<[1, 2]> : tensor<2xi32>
  %2 = sdy.constant() <{value = dense<3> : tensor<4xi8>}> : () -> tensor<4xi8>
  %3 = sdy.constant() {value = dense<3> : tensor<4xi8>} : () -> tensor<4xi8>
  %4 = "sdy.constant"() <{value = dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>}> {tag} : () -> tensor<1xcomplex<f32>>
  %5 = sdy.constant sparse<[[0, 0]], 1.0> : tensor<2x2xf32>
  %6 = sdy.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  return %1 : tensor<2xi32>
}
""",
    # Data-flow edges of computations, loops and barriers; of function arguments and calls.
    """\
sdy.mesh @m = <["a"=2, "b"=4]>
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {
  %e = sdy.func_data_flow_edge %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a", ?}]>]>} : tensor<8xf32>
  %0 = sdy.named_computation<"g">(%e) in_shardings=[<@m, [{?}]>] out_shardings=[<@m, [{"a"}]>] (%p: tensor<8xf32>) {
    %1 = sdy.data_flow_edge %p sharding=<@m, [{"a"}]> : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } {tag = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.data_flow_edge %0 {tag} : tensor<8xf32>
  %3:2 = stablehlo.optimization_barrier %2, %y : tensor<8xf32>, tensor<8xf32>
  %4 = sdy.data_flow_edge %3#1 sharding=<@m, [{"b":(2)2, ?}]> : tensor<8xf32>
  %5 = call @g(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = sdy.func_data_flow_edge %5 : tensor<8xf32>
  return %6 : tensor<8xf32>
}
func.func private @g(tensor<8xf32>) -> tensor<8xf32>
""",
    # Named computations without anything, without shardings, with one list of them, nested.
    """\
sdy.mesh @m = <["a"=2, "b"=4]>
func.func @f(%x: tensor<8xf32>, %y: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>) {
  sdy.named_computation<"q">() () {
    sdy.return
  } : () -> ()
  %0:2 = sdy.named_computation<"swap">(%x, %y) (%p: tensor<8xf32>, %q: tensor<4x4xi32>) {
    %1 = sdy.named_computation<"inner">(%p) out_shardings=[<@m, [{"b"}]>] (%r: tensor<8xf32>) {
      %2 = sdy.sharding_constraint %r <@m, [{"a"}]> : tensor<8xf32>
      sdy.return %2 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return {tag} %q, %1 : tensor<4x4xi32>, tensor<8xf32>
  } {tag = "}"} : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<4x4xi32>, tensor<8xf32>
}
""",
    # Manual computations: nested, with free axes, dynamic dimensions, tokens, nothing.
    """\
sdy.mesh @m = <["a"=2, "b"=4, "c"=2]>
func.func @f(%x: tensor<16x32xf32>, %d: tensor<?x8xf32>, %t: !stablehlo.token) -> (tensor<16x32xf32>, !stablehlo.token) {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  %0:2 = sdy.manual_computation(%x, %t) in_shardings=[<@m, [{"a", ?}, {"b"}], replicated={"c"}>, <@m, []>] out_shardings=[<@m, [{"a"}, {"c"}]>, <@m, []>] manual_axes={"a"} (%p: tensor<8x32xf32>, %u: !stablehlo.token) {
    %1 = sdy.manual_computation(%p) in_shardings=[<@m, [{}, {"b", ?}]>] out_shardings=[<@m, [{}, {"b"}]>] manual_axes={"b"} (%q: tensor<8x8xf32>) {
      %2 = sdy.sharding_constraint %q <@m, [{"c"}, {}]> : tensor<8x8xf32>
      sdy.return %2 : tensor<8x8xf32>
    } : (tensor<8x32xf32>) -> tensor<8x32xf32>
    sdy.return %1, %u : tensor<8x32xf32>, !stablehlo.token
  } {sdy.sharding_origin_name = "mc_0"} : (tensor<16x32xf32>, !stablehlo.token) -> (tensor<16x32xf32>, !stablehlo.token)
  %3 = sdy.manual_computation(%d) in_shardings=[<@m, [{"c"}, {"a"}]>] out_shardings=[<@m, [{"c"}, {"a"}]>] manual_axes={"a", "c"} (%p: tensor<?x4xf32>) {
    sdy.return %p : tensor<?x4xf32>
  } : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0#0, %0#1 : tensor<16x32xf32>, !stablehlo.token
}
""",
    # Collectives.
    """\
sdy.mesh @m = <["a"=2, "b"=4, "c"=2]>
sdy.mesh @reversed = <["a"=2, "b"=4, "c"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
func.func @f(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) -> tensor<16x16xf32> {
  %0 = sdy.all_gather [{}, {"b":(2)2}] %x out_sharding=<@m, [{"a"}, {"b":(1)2}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{}, {"b":(2)2, "c"}] %0 out_sharding=<@m, [{"a"}, {"b", "c"}]> {tag} : tensor<16x16xf32>
  %2 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@m, [{}, {"b", "c", "a"}]> : tensor<16x16xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {"a", "b", "c"}]> : tensor<16x16xf32>
  %4 = sdy.collective_permute %3 out_sharding=<@reversed, [{}, {"a", "b", "c"}]> : tensor<16x16xf32>
  return %4 : tensor<16x16xf32>
}
""",
    """\
sdy.mesh @m = <["a"=2, "b"=4, "c"=2, "d"=2]>
func.func @f(%x: tensor<16x16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}, {"b":(1)2}]>}, %y: tensor<16xf32>) -> tensor<16x16x16xf32> {
  %0 = sdy.sharded_to_unreduced [{"a"}, {}, {}] %x out_sharding=<@m, [{}, {}, {"b":(1)2}], unreduced={"a"}> : tensor<16x16x16xf32>
  %1 = sdy.replicated_to_unreduced {"c"} %0 out_sharding=<@m, [{}, {}, {"b":(1)2}], unreduced={"a", "c"}> : tensor<16x16x16xf32>
  %2 = sdy.reduce_scatter [{}, {"c"}, {}] %1 out_sharding=<@m, [{}, {"c"}, {"b":(1)2}], unreduced={"a"}> : tensor<16x16x16xf32>
  %3 = sdy.all_reduce {"a"} %2 out_sharding=<@m, [{}, {"c"}, {"b":(1)2}]> : tensor<16x16x16xf32>
  %4 = sdy.replicated_to_unreduced {"a", "b":(2)2} %3 out_sharding=<@m, [{}, {"c"}, {"b":(1)2}], unreduced=max{"a", "b":(2)2}> : tensor<16x16x16xf32>
  %5 = sdy.all_reduce max {"b":(2)2} %4 out_sharding=<@m, [{}, {"c"}, {"b":(1)2}], unreduced=max{"a"}> : tensor<16x16x16xf32>
  %6 = sdy.reduce_scatter max [{"a"}, {}, {}] %5 out_sharding=<@m, [{"a"}, {"c"}, {"b":(1)2}]> : tensor<16x16x16xf32>
  %7 = sdy.all_to_all [{"a"}: 0->1] %6 out_sharding=<@m, [{}, {"c", "a"}, {"b":(1)2}]> : tensor<16x16x16xf32>
  %8 = sdy.all_slice [{"c"}] %y out_sharding=<@m, [{"c", ?}p1]> : tensor<16xf32>
  %9 = sdy.all_reduce {} %y out_sharding=<@m, [{?}]> : tensor<16xf32>
  %10 = sdy.reduce_scatter min [{"d"}] %y out_sharding=<@m, [{"d"}]> : tensor<16xf32>
  return %7 : tensor<16x16x16xf32>
}
""",
    # Sharding rules and propagation edges.
    """\
sdy.mesh @m = <["a"=2, "b"=4]>
func.func @f(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.dot %x, %y {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k} blocked_propagation={i, j}, custom>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %1 = stablehlo.reshape %x {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=4, k=4} need_replication={j} permutation={k}>} : (tensor<8x4xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.custom_call @c() {sdy.sharding = #sdy.sharding_per_value<[<@m, []>]>} : () -> tensor<f32>
  %3 = stablehlo.custom_call @d(%2) {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([]), custom>} : (tensor<f32>) -> tensor<f32>
  %4 = stablehlo.add %x, %x {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [operand-1, result-0]}, {"b":(1)2 = result-0 -> [operand-0]}]}, {step-3 = [{"b" = operand-1 -> [result-0]}]}]>} : tensor<8x4xf32>
  %5 = stablehlo.while(%i = %x) : tensor<8x4xf32> attributes {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>], sdy.result_propagation_edges = []}
  cond {
    %6 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = sdy.data_flow_edge %i sharding=<@m, [{?}, {?}]> : tensor<8x4xf32>
    stablehlo.return %6 : tensor<8x4xf32>
  }
  return %0 : tensor<8x2xf32>
}
""",
    # Records of propagation on the edges of a loop, a barrier, a computation and a function argument.
    """\
sdy.mesh @m = <["a"=2, "b"=4]>
func.func @f(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"b":(1)2}]>}, %c: tensor<i32>) -> tensor<8x4xf32> {
  %a = sdy.func_data_flow_edge %y {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-3]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"b":(1)2}]>]>} : tensor<8x4xf32>
  %0 = stablehlo.while(%i = %x) : tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>}
  cond {
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %i : tensor<8x4xf32>
  }
  %2 = sdy.data_flow_edge %0 sharding=<@m, [{"a"}, {?}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [operand-1, result-0]}]}]>} : tensor<8x4xf32>
  %3:2 = stablehlo.optimization_barrier %2, %a : tensor<8x4xf32>, tensor<8x4xf32>
  %4 = sdy.data_flow_edge %3#1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"b":(1)2 = operand-0 -> [result-0]}]}]>} : tensor<8x4xf32>
  %5 = sdy.named_computation<"g">(%4) (%p: tensor<8x4xf32>) {
    %6 = sdy.data_flow_edge %p sharding=<@m, [{?}, {"b"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"b" = operand-0 -> [result-0]}]}]>} : tensor<8x4xf32>
    sdy.return %6 : tensor<8x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %7 = "stablehlo.case"(%c) ({
    stablehlo.return %x : tensor<8x4xf32>
  }) {sdy.result_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>]} : (tensor<i32>) -> tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}
""",
    # Text that looks like sdy in strings and comments, odd names and layout.
    """\
// sdy.reshard %x <@m, [{}]> : "
sdy.mesh @"sdy.mesh" = <["#sdy.sharding<"=2, "\\22}"=4]> {note = "sdy.reshard %0 <@m, [{}]>"}  sdy.mesh @z$.0 = <["\u00e9"=2]>
func.func @"sdy.f"(%x$.-1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@"sdy.mesh", [{"#sdy.sharding<"}]>, sdy.unit}) -> tensor<8xf32> attributes {sdy.a = "// sdy", sdy.b = #sdy.sharding_per_value<[]>} { %0 = sdy.reshard %x$.-1 <@z$.0, [{"\u00e9", ?}]> {a = "//", sdy.c} : tensor<8xf32>   %1 = stablehlo.negate %0 {x = [#sdy<axis_ref "\\22}":(1)2>, {y = @"sdy.mesh"}]} : tensor<8xf32>
  %2 = sdy.named_computation<"sdy.return }">(%1)
      (%arg0: tensor<8xf32> loc("sdy.reshard":1:2)) { // sdy.return }
    sdy.return %arg0 : tensor<8xf32> } : (tensor<8xf32>) -> tensor<8xf32> loc(fused<#sdy.mesh<["a"=2]>>["sdy", "b":3:4])
  sdy.sharding_group %2 group_id=0x10 : tensor<8xf32>
  return %2 : tensor<8xf32> }
""",
    # Attributes that stand alone, aliases, nested modules with meshes of their own, locations.
    """\
#s = #sdy.sharding<@m, [{"a", ?}]>
#list = #sdy<axis_ref_list {"a", "b":(1)2}>
module @outer attributes {sdy.x = #sdy.mesh<["a"=2], device_ids=[1, 0]>, sdy.y = [#sdy<mesh_axis "a"=2>, #sdy<sub_axis_info (1)2>, #list], sdy.z = {k = #sdy<dimension_sharding {"a", ?}p1>}} {
  sdy.mesh @m = <["a"=2, "b"=4]>
  module @inner {
    sdy.mesh @m = <["a"=4]>
    func.func @f(%x: tensor<8xf32> {sdy.sharding = #s}) -> tensor<8xf32> attributes {a = #sdy<manual_axes{"a", "b"}>, b = #sdy<list_of_axis_ref_lists[{}, {"a"}]>, c = #sdy<all_to_all_param {"a"}: 0->1>, d = #sdy<all_to_all_param_list[{"a"}: 0->1, {"b"}: 2->3]>, sdy.original_func_name = "g", sdy.func_manual_axes = #sdy<manual_axes{"a"}>} {
      %0 = "sdy.reshard"(%x) <{sharding = #s}> {y = #sdy<tensor_mapping[ij, z_1]>} : (tensor<8xf32>) -> tensor<8xf32> loc("a b":3:4)
      %1 = "sdy.propagation_barrier"(%0) <{allowed_direction = 1 : i32}> {w = #sdy<axis_to_propagation_details{"a" = operand-0 -> [result-0]}>} : (tensor<8xf32>) -> tensor<8xf32>
      %2 = "sdy.all_reduce"(%1) <{out_sharding = #sdy.sharding<@m, [{?}]>, reduction_axes = #sdy<axis_ref_list{}>}> {v = #sdy<propagation_one_step{step-1 = [{"a" = operand-0 -> [result-0]}]}>} : (tensor<8xf32>) -> tensor<8xf32>
      %3 = "sdy.named_computation"(%2) <{in_shardings = #sdy.sharding_per_value<[<@m, [{"a"}]>]>, name = "n"}> ({
      ^bb0(%p: tensor<8xf32>):
        "sdy.return"(%p) : (tensor<8xf32>) -> ()
      }) : (tensor<8xf32>) -> tensor<8xf32>
      %4 = "sdy.manual_computation"(%3) <{in_shardings = #sdy.sharding_per_value<[<@m, [{"a"}]>]>, manual_axes = #sdy<manual_axes{"a"}>, out_shardings = #sdy.sharding_per_value<[<@m, [{"a"}]>]>}> ({
      ^bb0(%p: tensor<2xf32>):
        "sdy.return"(%p) : (tensor<2xf32>) -> ()
      }) : (tensor<8xf32>) -> tensor<8xf32>
      return %4 : tensor<8xf32>
    }
    "sdy.mesh"() <{mesh = #sdy.mesh<["k"=3]>, sym_name = "k"}> : () -> ()
  }
}
""",
]
"""Valid modules."""


@functools.cache
def valid() -> tuple[str, ...]:
    """The seed modules, without the invalid ops of the lit tests."""
    return (*WRITTEN, *[_without_invalid(part) for part in _parts()])


def _without_invalid(part: str) -> str:
    """A part of a lit test without the op that is said to be invalid, and what hangs on it."""
    lines: list[str] = []
    rest = iter(part.split("\n"))
    for line in rest:
        if "expected-error" not in line:
            lines.append(line)
            continue
        wrong = next(rest)
        indent = wrong[: len(wrong) - len(wrong.lstrip())]
        if wrong.endswith("{"):
            # The body ends with the brace of the op, or of the function whose argument it is.
            next((line for line in rest if re.match(f" {{0,{len(indent)}}}}}", line)), None)
    return "\n".join(lines)


@functools.cache
def invalid() -> tuple[str, ...]:
    """The parts of the lit tests with an invalid op."""
    return tuple(part for part in _parts() if _INVALID.search(part))


def _parts() -> list[str]:
    """The parts of all lit tests that are not too long."""
    parts = [part for path in sorted(_LIT_TESTS.glob("*.mlir")) for part in path.read_text().split("// -----\n")]
    return [part for part in parts if re.search(r"sdy[.<]", part) and len(part) < 6000]


def without_comments(text: str) -> str:
    return _COMMENT.sub("", text)
