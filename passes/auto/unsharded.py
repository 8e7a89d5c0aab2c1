"""What a plan leaves whole, and what it would cost to shard it."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes.auto.search.problem import Plan, Problem
from sdy.passes.auto.search.tables import PICOSECOND

MOST = 3
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
    largest = sorted(groups, key=lambda shape: (-sizes[shape], groups[shape]))[:MOST]
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
