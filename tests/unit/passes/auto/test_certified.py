"""Plans are optimal: an integer program, solved by HiGHS over all strategies along all axes at once, finds none better.

The first descent must be so on one axis, where it is exact; on two axes the search as a whole is.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import Bounds, milp
from scipy.sparse import csr_array

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.descent import search
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.program_graph import read_program
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.auto.search.tables import PICOSECOND
from sdy.passes.auto.written_plans import without_calls
from sdy.passes.costs.machine import Machine
from tests import depth
from tests.unit.auto.test_partition import FREE
from tests.unit.passes.auto.search.test_descent import all_states

GENERIC = "generic efficiency=1 directions=1 bandwidth=1e11"


def problem_of(text: str, mesh: Mesh, machine: str) -> Problem:
    module = sdy.parse(text)
    with module.context, exclusively(module.context), ir.Location.unknown():
        graph = read_program(without_calls(module.operation))
        return Problem(graph, ReshardPrices(mesh, Machine.parse(machine)), [axis.name for axis in mesh.axes])


def least_cost(problem: Problem) -> float:
    """Seconds of the best plan: binary variables choose states, and flows between them are paid on edges."""
    own = [all_states(problem, number) for number in range(len(problem.strategies))]
    starts = np.cumsum([0, *map(len, own)])
    costs = [
        problem.strategies[number].options[state].cost * variable.times * PICOSECOND
        for number, variable in enumerate(problem.graph.variables)
        for state in own[number]
    ]
    rows: list[tuple[int, int, float]] = []
    sides = [1.0] * len(own)
    for number, states in enumerate(own):
        rows += [(number, int(starts[number]) + place, 1.0) for place in range(len(states))]
    for place, use in enumerate(problem.uses):
        source, target = own[use.source], own[use.target]
        first, second = len(sides), len(sides) + len(source)
        sides += [0.0] * (len(source) + len(target))
        rows += [(first + at, int(starts[use.source]) + at, -1.0) for at in range(len(source))]
        rows += [(second + at, int(starts[use.target]) + at, -1.0) for at in range(len(target))]
        for (at, have), (to, want) in product(enumerate(source), enumerate(target)):
            layouts = (
                problem.strategies[use.source].options[have].results[use.result],
                problem.strategies[use.target].options[want].operands[use.operand],
            )
            rows += [(first + at, len(costs), 1.0), (second + to, len(costs), 1.0)]
            costs.append(problem._tables.move_cost(place, *layouts) * use.times * PICOSECOND)
    number, column, value = zip(*rows, strict=True)
    matrix = csr_array((value, (number, column)), shape=(len(sides), len(costs)))
    integrality = np.arange(len(costs)) < starts[-1]
    scale = max(costs)
    found = milp(
        np.array(costs) / scale,
        integrality=integrality,
        bounds=Bounds(0, 1),
        constraints=(matrix, np.array(sides), np.array(sides)),
        options={"mip_rel_gap": 1e-9, "time_limit": 600},
    )
    assert found.success, found.message
    return float(found.fun) * scale


def test_a_step_on_two_axes() -> None:
    machine = "flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6"
    problem = problem_of(FREE, Mesh.of(a=2, b=2), machine)
    best = search(problem, "default").best
    assert best.cost * PICOSECOND == pytest.approx(least_cost(problem), rel=1e-6)


@pytest.mark.skipif(not depth.ALL, reason="integer programs of real steps; SDY_TESTS=all")
@pytest.mark.parametrize(
    ("name", "mesh"),
    [
        *((name, Mesh.of(data=8)) for name in ("mlp", "moe", "cnn", "transformer_2")),
        *((name, Mesh.of(data=4, model=2)) for name in ("mlp", "cnn")),
    ],
)
def test_real_steps(name: str, mesh: Mesh) -> None:
    from benchmarks.auto_partitioning_programs import PROGRAMS

    problem = problem_of(PROGRAMS[name]().lowered().as_text(), mesh, GENERIC)
    best = search(problem, "default" if len(mesh.axes) > 1 else "fast").best
    assert best.cost * PICOSECOND == pytest.approx(least_cost(problem), rel=1e-5)
