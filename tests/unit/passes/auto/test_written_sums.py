"""Sums that are scattered take what the search thinks they take, however large what is summed over is."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sdy
from benchmarks.auto_partitioning.measured import MESHES, planned
from benchmarks.auto_partitioning.programs import PROGRAMS
from sdy.auto import estimate
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.annotating import Annotations, annotations_of, write
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.problem import Problem, States
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.resharding import reconsider_shardings
from tests import depth

MESH = Mesh.of(a=4, b=2)
MACHINE = Machine.parse("flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6")
FEW, MANY = (64, 8, 256), (8, 256, 64)
"""Rows, what is summed over, and columns."""


@pytest.fixture(autouse=True)
def sums_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it takes less to move a factor, which is another of the ways that the search compares."""
    monkeypatch.setattr(reconsider_shardings._Search, "run", lambda _: [])


def program(sizes: tuple[int, int, int]) -> str:
    m, k, n = sizes
    left, right, result = f"tensor<{m}x{k}xf32>", f"tensor<{k}x{n}xf32>", f"tensor<{m}x{n}xf32>"
    return f"""sdy.mesh @mesh = {MESH}
func.func @main(%x: {left}, %y: {right}) -> {result} {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({left}, {right}) -> {result}
  return %0 : {result}
}}"""


def scattered(sizes: tuple[int, int, int]) -> list[tuple[float, Annotations]]:
    """For all ways to scatter the product the seconds for what is sent, and what is written down."""
    module = sdy.parse(program(sizes))
    with module.context, exclusively(module.context), ir.Location.unknown():
        problem = Problem(read_program(module.operation), ReshardPrices(MESH, MACHINE), ["a", "b"])
        (dot,) = (variable for variable, _ in problem.graph.values.values() if variable not in problem.graph.arguments)
        strategies = problem.strategies[dot]
        along_a = strategies.domain(strategies.replicated, "a")
        states = dict.fromkeys(state for one in along_a for state in strategies.domain(one, "b"))
        some = [state for state in states if any(strategies.options[state].strategy.scattered)]
        return [alone(problem, dot, state) for state in some]


def alone(problem: Problem, dot: int, state: int) -> tuple[float, Annotations]:
    """The arguments are as the product needs them."""
    option, found = problem.strategies[dot].options[state], list(problem.replicated())
    found[dot] = state
    for argument, layout in zip(problem.graph.arguments, option.operands, strict=True):
        found[argument] = problem.strategies[argument].fixed(problem.layouts[layout])
    states: States = tuple(found)
    return (option.cost - option.compute) * PICOSECOND, annotations_of(problem, states, of_copy=True)


def seconds(sizes: tuple[int, int, int], said: Annotations) -> float:
    module = sdy.parse(program(sizes)).operation
    with module.context:
        write(module, "mesh", said, "values")
    return estimate(str(module), MACHINE).communication


@pytest.mark.parametrize("sizes", [FEW, MANY], ids=str)
def test_every_way_to_scatter_takes_what_is_predicted(sizes: tuple[int, int, int]) -> None:
    ways = scattered(sizes)
    assert len(ways) > 20
    for predicted, said in ways:
        assert seconds(sizes, said) == pytest.approx(predicted, rel=1e-6), said


@depth.deep
def test_operands_would_be_gathered_where_little_is_summed() -> None:
    """So sums are written down there, and only there."""
    assert not any(said.sums for _, said in scattered(MANY))
    written = [(predicted, said) for predicted, said in scattered(FEW) if said.sums]
    assert written
    for predicted, said in written:
        assert seconds(FEW, replace(said, sums={})) != pytest.approx(predicted, rel=1e-6)


@depth.deep
@pytest.mark.slow  # a network is planned
def test_convolutions_over_many_devices_take_what_is_predicted() -> None:
    """Whose sums are scattered behind the axis that features are split along."""
    sizes, machine = MESHES["16x16"]
    plan, _ = planned(PROGRAMS["resnet"]().text(), sizes, machine)
    assert plan.cost.step == pytest.approx(plan.predicted.step, rel=0.02)
