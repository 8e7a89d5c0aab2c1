"""Manual computations that leave axes free: their use inside is chosen, and takes what is predicted."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.auto.search.graph_reader import border, is_even, read_program
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.program_graph import ProgramGraph
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.auto.search.strategies import TensorSize
from sdy.passes.costs.machine import Machine

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"
X, Y = AxisRef("x"), AxisRef("y")

# Rows go round along x, three times; y is free.
RING = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%v: tensor<512x256xf32>, %w: tensor<256x256xf32>) -> tensor<512x256xf32> {
  %0 = sdy.manual_computation(%v, %w) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>]
      out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%c = %a, %i = %zero) : tensor<256x256xf32>, tensor<i32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %counter = sdy.sharding_constraint %i <@mesh, []> : tensor<i32>
      %less = stablehlo.compare LT, %counter, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.dot_general %c, %b, contracting_dims = [1] x [0]
          : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<256x256xf32>
      %4 = "stablehlo.collective_permute"(%3) <{source_target_pairs =
          dense<[[0, 4], [1, 5], [2, 6], [3, 7], [4, 0], [5, 1], [6, 2], [7, 3]]> : tensor<8x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}>
          : (tensor<256x256xf32>) -> tensor<256x256xf32>
      stablehlo.return %4, %next : tensor<256x256xf32>, tensor<i32>
    }
    sdy.return %1#0 : tensor<256x256xf32>
  } : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
  return %0 : tensor<512x256xf32>
}
"""

# The same element twice as often inside: first along x, then along y, which leaves z.
NESTED = """
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%v: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = sdy.manual_computation(%v) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>]
      manual_axes={"x"} (%a: tensor<256x512xf32>) {
    %1 = stablehlo.tanh %a : tensor<256x512xf32>
    %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{?}, {"y", ?}]>] out_shardings=[<@mesh, [{?}, {"y", ?}]>]
        manual_axes={"y"} (%b: tensor<256x256xf32>) {
      %3 = stablehlo.tanh %b : tensor<256x256xf32>
      sdy.return %3 : tensor<256x256xf32>
    } : (tensor<256x512xf32>) -> tensor<256x512xf32>
    sdy.return %2 : tensor<256x512xf32>
  } : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
"""


def graph_of(text: str) -> ProgramGraph:
    module = sdy.parse(text)
    with module.context, exclusively(module.context), ir.Location.unknown():
        return read_program(module.operation)


def test_a_border_has_a_factor_for_manual_axes_and_one_for_free_ones() -> None:
    outside, inside = TensorSize((8, 16), 4), TensorSize((4, 16), 4)
    sharding = TensorSharding.from_axes("mesh", [(X, Y), ()])
    into = border(outside, inside, sharding, {"x"}, is_entered=True)
    assert into.profile.rule.factor_sizes == (2, 4, 1, 16)
    assert into.profile.rule.operands == (((0, 1), (2, 3)),) and into.profile.rule.results == (((1,), (3,)),)
    assert into.profile.rule.need_replication == (0, 2)
    assert into.given.factors == ((X,), (Y,), (), ())
    out = border(outside, inside, sharding, {"x"}, is_entered=False)
    assert out.profile.rule.operands == into.profile.rule.results
    assert out.profile.rule.results == into.profile.rule.operands
    assert (out.profile.operands, out.profile.results) == ((inside,), (outside,))
    assert is_even(outside, inside, sharding, {"x"}, {"x": 2, "y": 4})
    assert not is_even(outside, inside, sharding, {"x"}, {"x": 2, "y": 3}), "four rows are left"
    assert not is_even(TensorSize((7, 16), 4), inside, sharding, {"x"}, {"x": 2, "y": 4}), "one device has fewer"


def test_free_axes_cut_what_is_inside() -> None:
    plan = sdy.auto.partition(RING, None, MACHINE, memory_limit=math.inf)
    assert plan.estimated is not None
    assert plan.predicted.step == pytest.approx(plan.estimated.step, rel=0.01)
    assert plan.predicted.bytes_sent == plan.estimated.bytes_sent == 3 * 64 * 256 * 4, "a quarter of 256 rows each time"
    rows = next(one.sharding for one in plan.arguments if one.shape == (512, 256))
    assert rows is not None and rows.dim_axes == ((X, Y), ())


def test_along_manual_axes_nothing_is_chosen_inside() -> None:
    """And what the user has said of operands and results stays, and so does what begins inside."""
    module = sdy.parse(RING)
    with module.context, exclusively(module.context), ir.Location.unknown():
        graph = read_program(module.operation)
        problem = Problem(graph, ReshardPrices(Mesh.of(x=2, y=4), Machine.parse(MACHINE)), ["x", "y"])
        states = problem.replicated()
        inside = [number for number, variable in enumerate(graph.variables) if variable.manual]
        assert len(inside) > 5 and all(graph.variables[number].manual == {"x"} for number in inside)
        assert all(problem.variants(number, states[number], "x") == (states[number],) for number in inside)
        assert any(len(problem.variants(number, states[number], "y")) > 1 for number in inside)
        assert problem.plan(states).cost < 1e12, "operands fit to what is inside"


@pytest.mark.parametrize("annotate", ["values", "full"])
def test_nested_computations(annotate: str) -> None:
    """The inner one sees what the outer one leaves of the value; both leave z."""
    assert [len(graph_of(NESTED).opened), len(graph_of(NESTED).manual)] == [2, 0]
    plan = sdy.auto.partition(NESTED, None, MACHINE, memory_limit=math.inf, annotate=annotate)
    assert plan.estimated is not None and plan.estimated.bytes_sent == 0
    assert plan.predicted.step == pytest.approx(plan.estimated.step, rel=0.01)
    (argument,) = plan.arguments
    assert argument.sharding is not None
    assert math.prod(argument.sharding.local_shape((512, 512), plan.mesh.axis_sizes)) == 2**15


def test_where_no_axis_is_left_it_is_as_the_user_wrote_it() -> None:
    graph = graph_of(RING.replace('manual_axes={"x"}', 'manual_axes={"x", "y"}'))
    assert not graph.opened and len(graph.manual) == 1


def test_what_plans_say_of_the_inside_is_saved(tmp_path: Path) -> None:
    plan = sdy.auto.partition(RING, None, MACHINE, memory_limit=math.inf)
    plan.save(tmp_path / "plan.json")
    assert '"block_arguments": [\n  {"op": "sdy.manual_computation"' in (tmp_path / "plan.json").read_text()
    loaded = sdy.auto.Plan.load(tmp_path / "plan.json", RING)
    assert loaded.text == plan.text and not loaded.edits
