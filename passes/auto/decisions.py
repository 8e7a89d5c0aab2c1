"""What a plan comes down to: which values go along which mesh axis together, and what that saves.

A decision is an axis and variables that use it and hand their values to one another without moving them: the colours of
TOAST (arXiv 2508.15010), found after the search. What it saves is what the plan costs without it, with all else solved
anew for that axis; decisions help one another, so what they save does not add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.problem import Plan, Problem, States

_MOST = 8
"""How many decisions are priced: those with the most variables."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An axis for some values.

    Attributes:
      axis: the mesh axis.
      values: how many variables of the graph use it together.
      arguments: the numbers of the arguments among them.
      products: how many products and convolutions are among them.
      saves: seconds of a step that the plan would take longer without it; `compute` and `communication` are the parts.
    """

    axis: str
    values: int
    arguments: tuple[int, ...]
    products: int
    saves: float
    compute: float
    communication: float


def decisions(problem: Problem, plan: Plan) -> tuple[Decision, ...]:
    """The decisions of a plan, those that save most first."""
    groups = [(axis, group) for axis in problem.axes for group in _groups(problem, plan.states, axis)]
    groups.sort(key=lambda pair: (-len(pair[1]), pair[0], pair[1]))
    found = [_priced(problem, plan, axis, group) for axis, group in groups[:_MOST]]
    return tuple(sorted(found, key=lambda one: -one.saves))


def _groups(problem: Problem, states: States, axis: str) -> Iterator[list[int]]:
    """Variables that use an axis, and are connected by uses without a move."""
    rows = enumerate(zip(problem.graph.variables, problem.strategies, states, strict=True))
    using = {
        number
        for number, (variable, strategies, state) in rows
        if strategies.uses(state, axis) and axis not in variable.manual
    }
    parent = {number: number for number in using}

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    moved = {(use.source, use.target, use.operand) for use, *_ in problem.moves(states)}
    for use in problem.uses:
        if use.source in using and use.target in using and (use.source, use.target, use.operand) not in moved:
            first, second = sorted((root(use.source), root(use.target)))
            parent[second] = first
    groups: dict[int, list[int]] = {}
    for number in sorted(using):
        groups.setdefault(root(number), []).append(number)
    copies = problem.graph.copies.keys()
    yield from (members for members in groups.values() if not copies >= set(members))


def _priced(problem: Problem, plan: Plan, axis: str, group: list[int]) -> Decision:
    without = {}
    for number in group:
        domain, strategies = problem.variants(number, plan.states[number], axis), problem.strategies[number]
        without[number] = tuple(state for state in domain if not strategies.uses(state, axis)) or domain
    other = problem.plan(problem.improve_with(plan.states, axis, without))
    compute = (_compute(problem, other.states) - _compute(problem, plan.states)) * PICOSECOND
    saves = (other.cost - plan.cost) * PICOSECOND
    members = set(group)
    arguments = tuple(place for place, variable in enumerate(problem.graph.arguments) if variable in members)
    products = sum(problem.graph.variables[number].profile.work.operations is not None for number in group)
    values = sum(number not in problem.graph.copies for number in group)
    return Decision(axis, values, arguments, products, saves, compute, saves - compute)


def _compute(problem: Problem, states: States) -> int:
    pairs = zip(problem.options(states), problem.graph.variables, strict=True)
    return sum(option.compute * variable.times for option, variable in pairs)


_MOST_SHAPES = 3
"""For how many shapes of arguments it is said why they are not sharded."""


@dataclass(frozen=True, slots=True)
class Unsharded:
    """Arguments of one shape that the plan leaves whole, or nearly so, and the price of doing otherwise.

    Attributes:
      arguments: their numbers.
      axis: the mesh axis to shard them by that costs least; empty if none divides a dimension.
      costs: seconds of a step that the plan would take longer.
    """

    arguments: tuple[int, ...]
    axis: str
    costs: float


def unsharded(problem: Problem, plan: Plan) -> tuple[Unsharded, ...]:
    """The largest arguments that no mesh axis shards, by shape; what the user has so said is not told."""
    graph = problem.graph
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, variable in enumerate(graph.arguments):
        tensor = graph.variables[variable].profile.results[0]
        option = problem.strategies[variable].options[plan.states[variable]]
        if graph.variables[variable].given is None and tensor.shape and problem.shards.of(option.results[0]) == 1:
            groups.setdefault(tensor.shape, []).append(place)
    sizes = {shape: len(places) * graph.variables[graph.arguments[places[0]]].profile.results[0].bytes
             for shape, places in groups.items()}  # fmt: skip
    largest = sorted(groups, key=lambda shape: (-sizes[shape], groups[shape]))[:_MOST_SHAPES]
    return tuple(_unsharded(problem, plan, groups[shape]) for shape in largest)


def _unsharded(problem: Problem, plan: Plan, places: list[int]) -> Unsharded:
    """Each axis is tried for all of them, with all else solved anew for it."""
    members = [problem.graph.arguments[place] for place in places]
    found = []
    for axis in problem.axes:
        used = {}
        for number in members:
            domain, strategies = problem.variants(number, plan.states[number], axis), problem.strategies[number]
            used[number] = tuple(state for state in domain if strategies.uses(state, axis))
        if not all(used.values()):
            continue
        other = problem.plan(problem.improve_with(plan.states, axis, used))
        found.append(((other.cost - plan.cost) * PICOSECOND, axis))
    costs, axis = min(found, default=(0.0, ""))
    return Unsharded(tuple(places), axis, costs)
