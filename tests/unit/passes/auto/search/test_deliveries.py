"""What it costs to bring a sum to where it is needed is what the partitioned program takes."""

from __future__ import annotations

import pytest

import sdy
from benchmarks.auto_partitioning.images import resnet
from benchmarks.auto_partitioning.measured import MESHES, planned
from sdy.auto import estimate
from sdy.dialect.context import exclusively
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes
from tests import depth

MESH = Mesh.of(x=4, y=2)
MACHINE = Machine.parse("flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6")
SIZE = 256 * 4
X, Y = AxisRef("x"), AxisRef("y")
WHOLE: DimAxes = ((),)
PARTS: DimAxes = ((Y,),)
WIDE, ROW, TABLE = "tensor<64x256xf32>", "tensor<256xf32>", "tensor<256x256xf32>"

# What uses a sum: the first needs all of it, the others do with a part.
PRODUCT, POWER, TANH = "dot_general", "multiply", "tanh"


def program(uses: tuple[str, ...], *, annotated: bool) -> str:
    """A sum over rows that both axes shard, scattered along y, and what uses it; as it is sharded or not."""

    def of(*axes: str) -> str:
        dims = ", ".join(f'"{axis}"' for axis in axes)
        return f"{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{{dims}}}]>]>}}" if annotated else ""

    body = []
    for number, use in enumerate(uses):
        if use == PRODUCT:
            whole = f"%c{number} = sdy.sharding_constraint %s <@mesh, [{{}}]> : {ROW}" if annotated else ""
            operand, type_ = f"%c{number}" if annotated else "%s", f"({ROW}, {TABLE}) -> {ROW}"
            product = f"stablehlo.dot_general {operand}, %t, contracting_dims = [0] x [0] {of()} : {type_}"
            body.append(f"{whole}\n  %{number} = {product}")
        else:
            body.append(f"%{number} = stablehlo.{use} {'%s, %s' if use == POWER else '%s'} {of('y')} : {ROW}")
    rows = '{sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}' if annotated else ""
    types, lines = ", ".join([ROW] * len(uses)), "\n  ".join(body)
    return f"""sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%v: {WIDE} {rows}, %t: {TABLE}) -> ({types}) {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] {of("y")}
      : ({WIDE}, tensor<f32>) -> {ROW}
  {lines}
  return {", ".join(f"%{number}" for number in range(len(uses)))} : {types}
}}"""


def measured(*uses: str) -> float:
    """Seconds of all that is sent."""
    return estimate(program(uses, annotated=True), MACHINE).communication


def predicted(copy: DimAxes, *uses: str) -> float:
    """The same, where the copy that several uses share is in that layout."""
    module = sdy.parse(program(uses, annotated=False))
    with module.context, exclusively(module.context), ir.Location.unknown():
        problem = Problem(read_program(module.operation), ReshardPrices(MESH, MACHINE), ["x", "y"])
        graph, states = problem.graph, list(problem.replicated())
        states[graph.arguments[0]] = problem.strategies[graph.arguments[0]].fixed(((X, Y), ()))
        for number in graph.copies:
            if problem.strategies[number].profile.results[0].shape == (256,):
                states[number] = problem.strategies[number].fixed(copy)
        for number, variable in enumerate(graph.variables):
            name = None if variable.op is None or number in graph.copies else graph.snapshot.names[variable.op]
            if name == "stablehlo.reduce":
                states[number] = state_of(problem, number, ((X, Y), ()))
            elif name in (f"stablehlo.{POWER}", f"stablehlo.{TANH}"):
                states[number] = state_of(problem, number, PARTS)
        computed = sum(option.compute for option in problem.options(states))
        return (problem.plan(states).cost - computed) * PICOSECOND


def state_of(problem: Problem, number: int, operand: DimAxes) -> int:
    """What a variable does that takes the operand so, and returns parts."""
    strategies, of_layout = problem.strategies[number], problem.layouts.of
    along_x = strategies.domain(strategies.replicated, "x")
    return next(
        state
        for one in along_x
        for state in strategies.domain(one, "y")
        if strategies.options[state].operands[0] == of_layout(operand)
        and strategies.options[state].results[0] == of_layout(PARTS)
    )


@pytest.mark.parametrize("uses", [(PRODUCT,), (PRODUCT, PRODUCT), (PRODUCT, POWER)], ids=" ".join)
def test_a_sum_that_is_needed_whole_is_added_up_at_once(uses: tuple[str, ...]) -> None:
    """Although it is said to be scattered; who needs a part takes it."""
    found = predicted(WHOLE, *uses)
    assert found == pytest.approx(measured(*uses), rel=0.01)
    assert found == pytest.approx(MACHINE.collective_seconds("all_reduce", 8, SIZE), rel=0.01)
    apart = [("reduce_scatter", 2, SIZE), ("all_reduce", 4, SIZE / 2), ("all_gather", 2, SIZE / 2)]
    assert found > sum(MACHINE.collective_seconds(*one) for one in apart) + 4e-6, "it does not go by what takes least"


@pytest.mark.parametrize("uses", [(PRODUCT, PRODUCT), (PRODUCT, POWER)], ids=" ".join)
def test_to_gather_from_a_copy_of_a_sum_is_no_way_out(uses: tuple[str, ...]) -> None:
    assert predicted(PARTS, *uses) >= predicted(WHOLE, *uses) * 0.99


def test_a_sum_that_all_need_in_parts_is_scattered() -> None:
    uses = POWER, TANH
    assert predicted(PARTS, *uses) == pytest.approx(measured(*uses))
    apart = [("reduce_scatter", 2, SIZE), ("all_reduce", 4, SIZE / 2)]
    assert measured(*uses) == pytest.approx(sum(MACHINE.collective_seconds(*one) for one in apart))


@depth.deep
@pytest.mark.slow  # a network is planned
def test_statistics_of_each_channel_take_what_is_predicted() -> None:
    """They are many small sums over the whole batch, which take longer at once than one axis after the other."""
    sizes, machine = MESHES["4x2"]
    plan, _ = planned(resnet(batch=256, size=112, blocks=(1, 1, 1)).text(), sizes, machine)
    assert plan.cost.step == pytest.approx(plan.predicted.step, rel=0.01)
    sums = [one.axes for one in estimate(plan.text, machine).collectives if one.kind == "all_reduce"]
    assert sums
    assert not [axes for axes in sums if "data" in axes and "model" in axes]
