"""Axis by axis, the search finds what trying all plans finds, on small programs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.axes import axes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.passes.auto.search import problem as problems
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.limited_search import LimitedSearch, search
from sdy.passes.auto.search.memory_model import MemoryModel
from sdy.passes.auto.search.problem import Problem, keeps
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine

MESH = Mesh.of(a=2, b=2)
MACHINE = Machine.parse("flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6")

PRODUCTS = """
func.func @main(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>, %v: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x64xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.tanh %0 : tensor<256x256xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  return %2 : tensor<256x64xf32>
}"""

SUMS = """
func.func @main(%x: tensor<4096x64xf32>, %y: tensor<64x4096xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<64x4096xf32>) -> tensor<4096x64xf32>
  %1 = stablehlo.add %x, %0 : tensor<4096x64xf32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0]
      : (tensor<4096x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}"""


def problem_of(text: str, mesh: Mesh = MESH) -> Problem:
    module = sdy.parse(text)
    with module.context, exclusively(module.context), ir.Location.unknown():
        return Problem(read_program(module.operation), ReshardPrices(mesh, MACHINE), [axis.name for axis in mesh.axes])


def test_of_equals_that_comes_first_which_leaves_most_room() -> None:
    """A dimension that one axis takes as a whole could not be sharded along the next one, too."""
    type_ = "tensor<2x6x512xf32>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{ %0 = stablehlo.tanh %x : {type_} return %0 : {type_} }}"
    problem = problem_of(text)
    numbers = range(len(problem.strategies))
    states, dims = problem.replicated(), []
    for number in numbers:
        options = [problem.strategies[number].options[one] for one in problem.variants(number, states[number], "a")]
        layouts = [problem.layouts[option.results[0]] for option in options if option.results]
        dims.append([next((dim for dim, axes in enumerate(layout) if axes), None) for layout in layouts])
    assert [2, 1, 0, None] in dims
    assert all(each in ([2, 1, 0, None], []) for each in dims)


def all_states(problem: Problem, number: int) -> list[int]:
    """All strategies of a variable: those that one axis after the other leads to."""
    strategies: Any = problem.strategies[number]
    found = [strategies.replicated]
    for axis in (*problem.axes, *problem.axes):
        found = list(dict.fromkeys(state for one in found for state in strategies.domain(one, axis)))
    return found


def exchanged_values(count: int = 4, *, are_multiplied: bool = False) -> str:
    """Every one of the last values depends on every one of the first, through sums of pairs, perhaps with products."""
    type_, stages = "tensor<64x64x64xf32>", count.bit_length() - 1
    lines = [f"%v0_{number} = stablehlo.tanh %x : {type_}" for number in range(count)]
    for stage, number in itertools.product(range(stages), range(count)):
        value, other = f"%v{stage}_{number}", f"%v{stage}_{number ^ (1 << stage)}"
        if are_multiplied:
            product = f"stablehlo.dot_general {value}, %w, contracting_dims = [{2 - stage % 2}] x [0]"
            value = f"%p{stage}_{number}"
            lines.append(f"{value} = {product} : ({type_}, tensor<64x64xf32>) -> {type_}")
        lines.append(f"%v{stage + 1}_{number} = stablehlo.add {value}, {other} : {type_}")
    types = ", ".join([type_] * count)
    results = ", ".join(f"%v{stages}_{number}" for number in range(count))
    body = "\n".join([*lines, f"return {results} : {types}"])
    return f"func.func @main(%x: {type_}, %w: tensor<64x64xf32>) -> ({types}) {{\n{body}\n}}"


@pytest.mark.parametrize("text", [PRODUCTS, SUMS], ids=["products", "sums"])
def test_the_best_of_all_plans_is_found(text: str) -> None:
    problem = problem_of(text)
    # With all axes at once the programs are small enough for one exact solution.
    domains = [tuple(all_states(problem, number)) for number in range(len(problem.strategies))]
    best = problem.plan(problem.solve(list(domains), problem.replicated()))
    assert search(problem, "default").best.cost == best.cost
    assert best.cost < problem.plan(problem.replicated()).cost


def test_the_exact_solution_is_that_of_trying_all() -> None:
    problem = problem_of(SUMS, Mesh.of(a=2))
    domains = [all_states(problem, number) for number in range(len(problem.strategies))]
    best = min(problem.plan(states).cost for states in itertools.product(*domains))
    assert problem.plan(problem.solve([*map(tuple, domains)], problem.replicated())).cost == best


@pytest.mark.parametrize("text", [PRODUCTS, SUMS], ids=["products", "sums"])
@pytest.mark.parametrize("factor", [0.5, 4.0, 64.0])
def test_the_best_of_all_plans_is_found_with_a_price_of_memory(text: str, factor: float) -> None:
    """In times of what the fastest plan's memory would cost if it cost what the plan does; all axes at once again."""
    problem = problem_of(text)
    found = search(problem, "default")
    memory = MemoryModel(problem.graph)
    peak = memory.peak(problem.options(found.best.states), problem.shards)
    problem.weigh(factor * found.best.cost / peak.bytes, *memory.weights([peak.at]))
    domains = [tuple(all_states(problem, number)) for number in range(len(problem.strategies))]
    best = problem.objective(problem.solve(list(domains), problem.replicated()))
    plans = [found.descend(start, problem.axes) for start in (found.best.states, problem.replicated())]
    assert min(problem.objective(plan.states) for plan in plans) == best


@pytest.mark.parametrize("text", [PRODUCTS, SUMS], ids=["products", "sums"])
def test_within_a_limit_the_best_of_all_plans_is_found(text: str) -> None:
    """Of all plans on one axis, tried one by one, the fastest that fits, for every limit at which that is another."""
    problem = problem_of(text, Mesh.of(a=2))
    memory = MemoryModel(problem.graph)
    domains = [all_states(problem, number) for number in range(len(problem.strategies))]
    every = [problem.plan(states) for states in itertools.product(*domains)]
    rows = [(plan.cost, memory.peak(problem.options(plan.states), problem.shards).bytes) for plan in every]
    limited = LimitedSearch(problem, memory, "default")
    least = float("inf")
    for cost, held in sorted(rows):
        if held < least:
            least = held
            assert limited.within(held).plans[0].cost == cost
    assert limited.within(least - 1).plans == []


def test_what_the_user_says_stays() -> None:
    given = TensorSharding("mesh", (DimensionSharding(axes("a")), DimensionSharding((), True)), replicated=axes("c"))
    assert keeps((axes("a", "b"), ()), given) and keeps((axes("a"), ()), given)
    assert not keeps((axes("b", "a"), ()), given)
    assert not keeps((axes("a"), axes("b")), given)
    assert not keeps((axes("a", "c"), ()), given)


def test_equal_ops_share_their_strategies() -> None:
    layer = "%{n} = stablehlo.tanh %{m} : tensor<64xf32>\n"
    body = "".join(layer.format(n=f"v{number + 1}", m=f"v{number}") for number in range(20))
    problem = problem_of(
        f"func.func @main(%v0: tensor<64xf32>) -> tensor<64xf32> {{\n{body}return %v20 : tensor<64xf32>\n}}"
    )
    assert len({id(one) for one in problem.strategies}) == 4


def test_what_is_too_wide_is_found_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tables must be small, what stays as it is does not keep all that depends on it."""
    best = search(problem_of(exchanged_values()), "fast").best
    monkeypatch.setattr(problems, "LIMIT", 16)
    monkeypatch.setattr(problems, "WIDE_LIMIT", 16)
    problem = problem_of(exchanged_values())
    assert search(problem, "fast").best.cost == best.cost < problem.plan(problem.replicated()).cost


@pytest.mark.parametrize("mesh", [MESH, Mesh.of(a=2, b=2, c=2)], ids=["4", "8"])
def test_the_next_axis_of_what_is_too_wide_does_as_one_before(monkeypatch: pytest.MonkeyPatch, mesh: Mesh) -> None:
    text = exchanged_values(8, are_multiplied=True)
    best = search(problem_of(text, mesh), "fast").best
    monkeypatch.setattr(problems, "LIMIT", 256)
    monkeypatch.setattr(problems, "WIDE_LIMIT", 256)
    assert search(problem_of(text, mesh), "fast").best.cost == best.cost
