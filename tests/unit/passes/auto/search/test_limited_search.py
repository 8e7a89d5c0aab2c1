"""A program of equal layers under limits of memory: as many layers as have to do what takes less memory, do."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.limited_search import LimitedSearch
from sdy.passes.auto.search.memory_model import MemoryModel
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine

MACHINE = Machine.parse("flops=1e14 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e12 overhead=1e-6")
LAYERS = 8
WEIGHT = "tensor<512x512xf32>"
GIVEN = '{sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}'


def layers() -> str:
    """Rows of a batch go through weights, which may be stored in parts, and then have to be gathered."""
    arguments = "".join(f", %w{number}: {WEIGHT}" for number in range(LAYERS))
    body = "".join(
        f"%y{number} = stablehlo.dot_general %{f't{number - 1}' if number else 'x'}, %w{number}, "
        f"contracting_dims = [1] x [0] : (tensor<64x512xf32>, {WEIGHT}) -> tensor<64x512xf32>\n"
        f"%t{number} = stablehlo.tanh %y{number} : tensor<64x512xf32>\n"
        for number in range(LAYERS)
    )
    return f"""sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<64x512xf32> {GIVEN}{arguments}) -> (tensor<64x512xf32> {GIVEN}) {{
      {body} return %t{LAYERS - 1} : tensor<64x512xf32>
    }}"""


@pytest.fixture(scope="module")
def search() -> LimitedSearch:
    module = sdy.parse(layers())
    with module.context, exclusively(module.context), ir.Location.unknown():
        graph = read_program(module.operation)
        problem = Problem(graph, ReshardPrices(Mesh.of(a=2), MACHINE), ["a"])
        return LimitedSearch(problem, MemoryModel(graph), "default")


def test_as_many_layers_as_have_to_take_less_memory_do(search: LimitedSearch) -> None:
    free = search.found.best
    most = search.peak(free).bytes
    weight = 512 * 512 * 4 / 2
    found = []
    for parts in (1, 3, 5):
        limit = most - parts * weight + 1000
        best = search.within(limit).plans[0]
        assert search.peak(best).bytes <= limit
        assert sum(a != b for a, b in zip(best.states, free.states, strict=True)) < len(free.states)
        found.append(best.cost - free.cost)
    # What has to be sent for a part is the same for each.
    assert found[1] == pytest.approx(3 * found[0], rel=0.4) and found[2] == pytest.approx(5 * found[0], rel=0.4)
    assert 0 < found[0] < found[1] < found[2]


def test_a_lower_limit_gives_no_faster_plan(search: LimitedSearch) -> None:
    most = search.peak(search.found.best).bytes
    costs = [search.within(share * most).plans[0].cost for share in (1.0, 0.95, 0.9, 0.85, 0.8, 0.75)]
    assert costs == sorted(costs) and costs[0] < costs[-1]
