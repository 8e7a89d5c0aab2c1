"""The dialect in tools that know nothing but its IRDL file: what we print in IRDL's form loads and verifies there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sdy.dialect.assembly import PrintOptions, parse, print_module
from sdy.dialect.builders import OPS
from sdy.mlir.declared_dialects import TooManyTypes
from sdy.mlir.diagnostics import DiagnosticErrors

IRDL_FILE = Path(__file__).parents[3] / "dialect" / "sdy.irdl.mlir"

PROGRAM = """\
sdy.mesh @m = <["a"=2, "b"=4, "c"=2]>
sdy.mesh @reversed = <["a"=2, "b"=4, "c"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @maximal = <[], device_ids=[3]> {sym_visibility = "private"}
func.func @ops(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}p1, {}], replicated={"b":(1)2}, unreduced=max{"c"}>}) -> tensor<16x16xf32> {
  %0 = arith.addf %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=16, j=16} need_replication={j}, custom>} : tensor<16x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}, {"b":(1)2, ?}]> {tag} : tensor<16x16xf32>
  %2 = sdy.reshard %1 <mesh<["d"=2]>, [{"d"}, {}]> : tensor<16x16xf32>
  sdy.sharding_group %2 group_id=-3 : tensor<16x16xf32>
  %3 = sdy.constant {tag} dense<1.0> : tensor<8xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=FORWARD : tensor<8xf32>
  %5 = tensor.empty() : tensor<8xf32>
  %6 = sdy.data_flow_edge %5 sharding=<@m, [{"a"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  %7 = func.call @f(%6) : (tensor<8xf32>) -> tensor<8xf32>
  %8 = sdy.func_data_flow_edge %7 : tensor<8xf32>
  return %2 : tensor<16x16xf32>
}
func.func private @f(tensor<8xf32>) -> tensor<8xf32>
func.func @collectives(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) {
  %0 = sdy.all_gather [{}, {"b":(2)2}] %x out_sharding=<@m, [{"a"}, {"b":(1)2}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{}, {"b":(2)2}] %0 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %2 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@m, [{}, {"b", "a"}]> : tensor<16x16xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {"a", "b"}]> : tensor<16x16xf32>
  %4 = sdy.sharded_to_unreduced [{}, {"b"}] %3 out_sharding=<@m, [{}, {"a"}], unreduced={"b"}> : tensor<16x16xf32>
  %5 = sdy.all_reduce {"b"} %4 out_sharding=<@m, [{}, {"a"}]> : tensor<16x16xf32>
  %6 = sdy.replicated_to_unreduced {"b"} %5 out_sharding=<@m, [{}, {"a"}], unreduced=max{"b"}> : tensor<16x16xf32>
  %7 = sdy.reduce_scatter max [{"b"}, {}] %6 out_sharding=<@m, [{"b"}, {"a"}]> : tensor<16x16xf32>
  return
}
"""

COMPUTATIONS = """\
sdy.mesh @m = <["a"=2]>
func.func @computations(%x: tensor<8xf32>, %y: tensor<4x4xi32>, %z: index) -> (tensor<4x4xi32>, tensor<8xf32>) attributes {k = #sdy<axis_ref_list{"a"}>} {
  %0:2 = sdy.named_computation<"swap">(%x, %y) (%p: tensor<8xf32>, %q: tensor<4x4xi32>) {
    sdy.return %q, %p : tensor<4x4xi32>, tensor<8xf32>
  } : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  sdy.named_computation<"none">() () {
    sdy.return
  } : () -> ()
  %1:2 = sdy.manual_computation(%x, %y) in_shardings=[<@m, [{"a"}]>, <@m, [{}, {"a"}]>] out_shardings=[<@m, [{}, {"a"}]>, <@m, [{"a"}]>] manual_axes={"a"} (%p: tensor<4xf32>, %q: tensor<4x2xi32>) {
    sdy.return %q, %p : tensor<4x2xi32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  return %0#0, %1#1 : tensor<4x4xi32>, tensor<8xf32>
}
"""


def _mlir_opt() -> str | None:
    names = ["mlir-opt", *(f"mlir-opt-{version}" for version in range(30, 20, -1))]
    return next(filter(None, map(shutil.which, names)), None)


needs_mlir_opt = pytest.mark.skipif(_mlir_opt() is None, reason="no mlir-opt (Debian: mlir-22-tools) on this machine")


def _load(text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [str(_mlir_opt()), f"--irdl-file={IRDL_FILE}", "-", *flags]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def irdl(text: str) -> str:
    return print_module(parse(text), PrintOptions(irdl=True))


def test_the_programs_have_every_op() -> None:
    assert [name for name in OPS if name not in PROGRAM + COMPUTATIONS] == []


@needs_mlir_opt
def test_a_stock_mlir_opt_reads_what_we_print() -> None:
    printed = irdl(PROGRAM)
    run = _load(printed)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("sdy.") == printed.count("sdy.")


@needs_mlir_opt
def test_computations_verify_but_for_their_terminator() -> None:
    """IRDL has no way to say that an op is a terminator, so that stock tools read computations unverified only."""
    printed = irdl(COMPUTATIONS)
    run = _load(printed, "--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=false")
    assert run.returncode == 0, run.stderr
    refused = _load(printed)
    assert refused.returncode == 1
    assert 'block with no terminator, has "sdy.return"' in refused.stderr


VIOLATIONS = [
    # Parameters of attributes.
    ('#sdy.mesh_axis<"a", 2 : i64>', '#sdy.mesh_axis<2 : i64, "a">'),
    ("2 : i64>], array<i64>>", "2 : i64>], 3 : i32>"),
    ("#sdy.sub_axis_info<1 : i64, 2 : i64>", '#sdy.sub_axis_info<"1", 2 : i64>'),
    ('#sdy.axis_ref<"a", unit>', "#sdy.axis_ref<@a, unit>"),
    ('#sdy.axis_ref<"a", unit>', '#sdy.axis_ref<"a", 1 : i64>'),
    ("], false, 1 : i64>", "], 2 : i64, 1 : i64>"),
    ("], false, 1 : i64>", '], false, "p1">'),
    ("#sdy.sharding<@m, ", '#sdy.sharding<"m", '),
    ('[#sdy.axis_ref<"c", unit>], 1 : i64>', '[#sdy.axis_ref<"c", unit>], 3 : i64>'),
    ("#sdy.dim_mapping<array<i64: 0>>", "#sdy.dim_mapping<[0]>"),
    ("array<i64>, true>}", "array<i64>, 2 : i64>}"),
    ("#sdy.edge_value_ref<0 : i64, 0 : i64>", "#sdy.edge_value_ref<2 : i64, 0 : i64>"),
    ('#sdy.axis_to_propagation_details<#sdy.axis_ref<"a", unit>', '#sdy.axis_to_propagation_details<"a"'),
    ("#sdy.propagation_one_step<0 : i64", '#sdy.propagation_one_step<"0"'),
    ("], 0 : i64, 1 : i64>]>", '], "0", 1 : i64>]>'),
    ("#sdy.all_to_all_param_list<[", "#sdy.all_to_all_param_list<unit, ["),
    # Attributes, operands and results of ops.
    ("allowed_direction = 1 : i32", 'allowed_direction = "FORWARD"'),
    ("allowed_direction = 1 : i32", "allowed_direction = 4 : i32"),
    ("allowed_direction = 1 : i32", "allowed_direction = 1 : i64"),
    ("group_id = -3 : i64", "other = 3 : i64"),
    ("reduction_axes = #sdy.axis_ref_list<", "reduction_axes = #sdy.list_of_axis_ref_lists<"),
    ("{out_sharding = #sdy.sharding<", "{out_sharding = #sdy.manual_axes<[]>, rest = #sdy.sharding<"),
    (": (tensor<16x16xf32>) -> tensor<16x16xf32>", ": (tensor<16x16xf32>) -> tensor<16x8xf32>"),
    ("(%10) {group_id = -3 : i64} : (tensor", "(%10, %10) {group_id = -3 : i64} : (tensor<16x16xf32>, tensor"),
    ("(%11) {allowed_direction = 1 : i32} : (tensor<8xf32>)", "() {allowed_direction = 1 : i32} : ()"),
    ('"sdy.constant"() {tag, value', '"sdy.constant"() {tag, other'),
    ("value = dense<1.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>", "value = 1 : i32} : () -> i32"),
]
"""What a part of the program can be replaced by so that IRDL can tell that it is wrong."""


@needs_mlir_opt
@pytest.mark.parametrize(("before", "after"), VIOLATIONS)
def test_a_stock_mlir_opt_refuses_what_irdl_can_tell(before: str, after: str) -> None:
    printed = irdl(PROGRAM)
    assert before in printed
    run = _load(printed.replace(before, after, 1))
    assert run.returncode == 1
    assert re.search("satisfy the constraint|expected|expects|missing|but got", run.stderr), run.stderr


def test_computations_have_one_block() -> None:
    text = COMPUTATIONS.replace("    sdy.return\n", "    sdy.return\n  ^more:\n    sdy.return\n")
    assert text != COMPUTATIONS
    with pytest.raises(DiagnosticErrors, match="block"):
        parse(text)


def test_an_op_of_too_many_types_does_not_fit_the_file() -> None:
    types = [f"tensor<{size}xf32>" for size in range(1, 18)]
    arguments = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(types))
    names = ", ".join(f"%a{index}" for index in range(17))
    text = (
        f"func.func @f({arguments}) {{\n"
        f'  sdy.named_computation<"g">({names}) ({arguments.replace("%a", "%b")}) {{\n    sdy.return\n'
        f"  }} : ({', '.join(types)}) -> ()\n  return\n}}"
    )
    with pytest.raises(TooManyTypes):
        irdl(text)
