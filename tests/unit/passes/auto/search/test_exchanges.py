"""What ops along whose windows devices exchange data are expected to cost is what they cost when partitioned."""

from __future__ import annotations

import pytest

import sdy
from sdy.auto import estimate, partition
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine

MESH = Mesh.of(x=4, y=2)
MACHINE = Machine.parse("flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6")
DECLARED = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
NHWC = "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
GROUPS = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"

CONVOLUTION = f"""func.func @main(%x: tensor<2x64x64x8xf32>, %k: tensor<3x3x8x16xf32>) -> tensor<2x64x64x16xf32> {{
  %0 = stablehlo.convolution(%x, %k) {NHWC}, window = {{pad = [[1, 1], [1, 1]]}} {GROUPS}
      : (tensor<2x64x64x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x64x64x16xf32>
  return %0 : tensor<2x64x64x16xf32>
}}"""

STRIDED = f"""func.func @main(%x: tensor<2x64x64x8xf32>, %k: tensor<3x3x8x16xf32>) -> tensor<2x32x32x16xf32> {{
  %0 = stablehlo.convolution(%x, %k) {NHWC}, window = {{stride = [2, 2], pad = [[0, 1], [0, 1]]}} {GROUPS}
      : (tensor<2x64x64x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x32x32x16xf32>
  return %0 : tensor<2x32x32x16xf32>
}}"""

POINTWISE = f"""func.func @main(%x: tensor<2x64x64x8xf32>, %k: tensor<1x1x8x16xf32>) -> tensor<2x64x64x16xf32> {{
  %0 = stablehlo.convolution(%x, %k) {NHWC}, window = {{}} {GROUPS}
      : (tensor<2x64x64x8xf32>, tensor<1x1x8x16xf32>) -> tensor<2x64x64x16xf32>
  return %0 : tensor<2x64x64x16xf32>
}}"""

POOLING = """func.func @main(%x: tensor<2x64x64x8xf32>, %i: tensor<f32>) -> tensor<2x64x64x8xf32> {
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>,
      window_dimensions = array<i64: 1, 3, 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x64x64x8xf32>, tensor<f32>) -> tensor<2x64x64x8xf32>
  return %0 : tensor<2x64x64x8xf32>
}"""

# The program, and the dimensions of the result that are tried: of the first with x alone, of the second with both axes.
CASES = {
    "convolution": (CONVOLUTION, (1, 2)),
    "strided": (STRIDED, (1, 2)),
    "pointwise": (POINTWISE, (1, 2)),
    "pooling": (POOLING, (1, 2)),
}


def problem_of(text: str) -> Problem:
    module = sdy.parse(text)
    with module.context, exclusively(module.context), ir.Location.unknown():
        return Problem(read_program(module.operation), ReshardPrices(MESH, MACHINE), ["x", "y"])


def annotated(text: str, axes: tuple[tuple[str, ...], ...]) -> str:
    """The program with argument and result sharded along these axes."""
    dims = ", ".join("{" + ", ".join(f'"{axis}"' for axis in listed) + "}" for listed in axes)
    of = f"{{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}"
    head, body = text.split(" {\n", 1)
    arguments, result = head.rsplit(" -> ", 1)
    first, rest = arguments.split("xf32>", 1)
    return f"{DECLARED}{first}xf32> {of}{rest} -> ({result} {of}) {{\n{body}"


@pytest.mark.parametrize("name", CASES)
def test_the_price_of_an_exchange_is_that_of_the_partitioned_op(name: str) -> None:
    text, dims = CASES[name]
    problem = problem_of(text)
    number = next(n for n, one in enumerate(problem.graph.variables) if one.op is not None)
    strategies = problem.strategies[number]
    rank = len(strategies.profile.results[0].shape)
    with problem.graph.snapshot.ops[0].context, ir.Location.unknown():
        along_x = strategies.domain(strategies.replicated, "x")
        both = [state for one in along_x for state in strategies.domain(one, "y")]
    asked = [
        tuple(("x",) if dim == dims[0] else () for dim in range(rank)),
        tuple(("x",) if dim == dims[0] else ("y",) if dim == dims[1] else () for dim in range(rank)),
    ]
    by_layout = {
        tuple(tuple(axis.name for axis in axes) for axes in problem.layouts[option.results[0]]): option
        for option in (strategies.options[state] for state in (*along_x, *both))
        if option.operands[0] == option.results[0]
    }
    for axes in asked:
        option, found = by_layout[axes], estimate(annotated(text, axes), MACHINE)
        assert option.sent == found.bytes_sent
        assert option.cost * PICOSECOND == pytest.approx(found.step, rel=0.02)
        # Only what has windows of one element needs nothing of others.
        assert bool(option.sent) == (name != "pointwise")


def test_a_convolution_of_one_image_is_sharded_along_the_image() -> None:
    """There is no batch, and features are few and odd: neighbours exchange rows."""
    image = CONVOLUTION.replace("2x64x64x", "1x512x512x").replace("x16x", "x15x")
    plan = partition(image, {"x": 4}, MACHINE)
    assert plan.results[0].sharding is not None
    assert [bool(dim.axes) for dim in plan.results[0].sharding.dims][1:3] in ([True, False], [False, True])
    assert plan.parts is not None and [one.kind for one in plan.parts.collectives] == ["collective_permute"]
    assert plan.cost.step < 0.4 * plan.replicated.step
    assert plan.cost.step == pytest.approx(plan.predicted.step, rel=0.02)
    assert plan.cost.memory == pytest.approx(plan.predicted.memory, rel=0.05)


def test_parts_that_would_not_be_equal_are_not_made() -> None:
    """Windows that fit 62 times into 64 elements: only along batch and features."""
    valid = CONVOLUTION.replace("window = {pad = [[1, 1], [1, 1]]}", "window = {}").replace("2x64x64x16", "2x62x62x16")
    problem = problem_of(valid)
    number = next(n for n, one in enumerate(problem.graph.variables) if one.op is not None)
    strategies = problem.strategies[number]
    with problem.graph.snapshot.ops[0].context, ir.Location.unknown():
        options = [strategies.options[state] for state in strategies.domain(strategies.replicated, "x")]
    assert all(not problem.layouts[one.operands[0]][1] and not problem.layouts[one.operands[0]][2] for one in options)
    assert len(options) > 2


UPDATE = """func.func @main(%x: tensor<4096x64xf32>, %u: tensor<ROWSx64xf32>, %i: tensor<i32>, %j: tensor<i32>)
      -> tensor<4096x64xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j
      : (tensor<4096x64xf32>, tensor<ROWSx64xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}"""


@pytest.mark.parametrize("rows", [1, 8])
def test_an_update_of_a_sharded_dimension_costs_what_finding_its_place_does(rows: int) -> None:
    """Nothing is sent, but each device goes through all of its part."""
    text = UPDATE.replace("ROWS", str(rows))
    problem = problem_of(text)
    number = next(n for n, one in enumerate(problem.graph.variables) if one.op is not None)
    strategies = problem.strategies[number]
    with problem.graph.snapshot.ops[0].context, ir.Location.unknown():
        options = [strategies.options[state] for state in strategies.domain(strategies.replicated, "x")]
    rows_on_x = next(one for one in options if [len(axes) for axes in problem.layouts[one.results[0]]] == [1, 0])
    found = estimate(annotated(text.replace("\n      ->", " ->"), (("x",), ())), MACHINE)
    assert rows_on_x.sent == found.bytes_sent == 0
    assert rows_on_x.cost * PICOSECOND == pytest.approx(found.step, rel=0.02)
    whole = strategies.options[strategies.replicated]
    assert rows_on_x.cost > 5 * whole.cost
