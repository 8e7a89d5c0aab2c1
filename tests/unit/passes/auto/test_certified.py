"""Plans are optimal: an integer program, solved by HiGHS over all strategies along all axes at once, finds none better.

The first descent must be so on one axis, where it is exact; on two axes the search as a whole is, with loops too, and
where memory is limited.
"""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from scipy.optimize import Bounds, milp
from scipy.sparse import csr_array

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.limited_search import LimitedSearch, search
from sdy.passes.auto.search.memory_model import MemoryModel
from sdy.passes.auto.search.problem import Problem, keeps
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.auto.written_plans import without_calls
from sdy.passes.costs.machine import Machine
from tests import depth
from tests.unit.auto.test_partition import FREE
from tests.unit.passes.auto.search.test_descent import all_states
from tests.unit.passes.auto.search.test_hiding import LAYERS
from tests.unit.passes.auto.search.test_limited_search import MACHINE as LAYERS_MACHINE
from tests.unit.passes.auto.search.test_limited_search import layers

GENERIC = "generic efficiency=1 directions=1 bandwidth=1e11"


def problem_of(text: str, mesh: Mesh, machine: str) -> Problem:
    module = sdy.parse(text)
    with module.context, exclusively(module.context), ir.Location.unknown():
        graph = read_program(without_calls(module.operation))
        return Problem(graph, ReshardPrices(mesh, Machine.parse(machine)), [axis.name for axis in mesh.axes])


def allowed_states(problem: Problem, number: int) -> list[int]:
    """All strategies of a variable that are as the user has said."""
    found, given = all_states(problem, number), problem.graph.variables[number].given
    if given is None:
        return found
    results = [problem.strategies[number].options[state].results[0] for state in found]
    return [state for state, layout in zip(found, results, strict=True) if keeps(problem.layouts[layout], given)]


def least_cost(problem: Problem, memory: MemoryModel | None = None, limit: float = np.inf) -> float:
    """Seconds of the best plan: binary variables choose states, and flows between them are paid on edges.

    With a `limit` what is there at each op may not take more bytes, every use counted that needs a copy.
    """
    own = [allowed_states(problem, number) for number in range(len(problem.strategies))]
    starts = np.cumsum([0, *map(len, own)])
    costs = [
        problem.strategies[number].options[state].cost * variable.times * PICOSECOND
        for number, variable in enumerate(problem.graph.variables)
        for state in own[number]
    ]
    rows: list[tuple[int, int, float]] = []
    sides = [1.0] * len(own)
    holders: list[tuple[int, int, int]] = []  # a column, a use, and the layout of the copy that it stands for
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
            if layouts[0] != layouts[1] and not problem.shards.are_parts(*layouts):
                holders.append((len(costs), place, layouts[1]))
            costs.append(problem._tables.delivery(place, have, layouts[1]).cost * use.times * PICOSECOND)
    least = list(sides)
    for point in range(memory.end if memory is not None and limit < np.inf else 0):
        assert memory is not None
        kept, copied = memory.weights([point])
        copied = [weight for weight, use in zip(copied, problem.graph.uses, strict=True) if use.times]
        for variable, weights in enumerate(kept):
            for at, state in enumerate(own[variable]):
                option = problem.strategies[variable].options[state]
                tensors = zip(problem.strategies[variable].profile.results, option.results, weights, strict=False)
                size = sum(tensor.bytes / problem.shards.of(layout) * weight for tensor, layout, weight in tensors)
                rows.append((len(sides), int(starts[variable]) + at, (size + option.held * weights[-1]) / limit))
        for at, place, layout in holders:
            size = copied[place] * problem.uses[place].tensor.bytes / problem.shards.of(layout)
            rows.append((len(sides), at, size / limit))
        least.append(-np.inf)
        sides.append(1.0)
    number, column, value = zip(*rows, strict=True)
    matrix = csr_array((value, (number, column)), shape=(len(sides), len(costs)))
    integrality = np.arange(len(costs)) < starts[-1]
    scale = max(costs)
    found = milp(
        np.array(costs) / scale,
        integrality=integrality,
        bounds=Bounds(0, 1),
        constraints=(matrix, np.array(least), np.array(sides)),
        options={"mip_rel_gap": 1e-9, "time_limit": 600},
    )
    assert found.success, found.message
    return float(found.fun) * scale


def test_a_step_on_two_axes() -> None:
    machine = "flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6"
    problem = problem_of(FREE, Mesh.of(a=2, b=2), machine)
    best = search(problem, "default").best
    assert best.cost * PICOSECOND == pytest.approx(least_cost(problem), rel=1e-6)


@pytest.mark.slow
def test_a_loop_on_two_axes() -> None:
    """What a loop carries and computes is paid in each round."""
    machine = "flops=1e11 bandwidth=1e9 latency=1e-8 memory_bandwidth=1e11 overhead=1e-8"
    text = re.sub(r"(?<=[<x])8(?=x)", "256", LAYERS).replace("[1, 8, 8]", "[1, 256, 256]")
    problem = problem_of(text, Mesh.of(a=2, b=2), machine)
    with problem.graph.snapshot.ops[0].context, ir.Location.unknown():
        best = search(problem, "default").best
        assert best.cost < problem.plan(problem.replicated()).cost
        assert best.cost * PICOSECOND == pytest.approx(least_cost(problem), rel=1e-6)


@pytest.mark.parametrize("share", [0.99, 0.95, 0.9, 0.85, 0.8, 0.75])
def test_limits_of_memory(share: float) -> None:
    """A share of what the fastest plan takes; the search may count less, as equal copies are one."""
    problem = problem_of(layers(), Mesh.of(a=2), str(LAYERS_MACHINE))
    memory = MemoryModel(problem.graph)
    limited = LimitedSearch(problem, memory, "default")
    limit = share * limited.peak(limited.found.best).bytes
    best = limited.within(limit).plans[0]
    assert limited.peak(best).bytes <= limit
    assert best.cost * PICOSECOND <= (1 + 1e-6) * least_cost(problem, memory, limit)


@pytest.mark.skipif(not depth.ALL, reason="integer programs of real steps; SDY_TESTS=all")
@pytest.mark.parametrize(
    ("name", "mesh"),
    [
        *((name, Mesh.of(data=8)) for name in ("mlp", "moe", "cnn", "transformer_2")),
        *((name, Mesh.of(data=4, model=2)) for name in ("mlp", "cnn")),
    ],
)
def test_real_steps(name: str, mesh: Mesh) -> None:
    from benchmarks.auto_partitioning.programs import PROGRAMS

    problem = problem_of(PROGRAMS[name]().lowered().as_text(), mesh, GENERIC)
    with problem.graph.snapshot.ops[0].context, ir.Location.unknown():  # what is exchanged is read when it is asked for
        best = search(problem, "default" if len(mesh.axes) > 1 else "fast").best
        assert best.cost * PICOSECOND == pytest.approx(least_cost(problem), rel=1e-5)
