"""The search: one mesh axis after the other, exactly, until none helps any more; then the best mixture of all plans.

With all other axes as they are an op has a handful of strategies, and the whole program is optimised at once
(`elimination`). The next axis sees what the first one does.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sdy.passes.auto.problem import Plan, Problem, States

ORDERS = 6
"""Of the orders of the mesh axes, how many are tried."""

_SHARES = (0.1, 0.5, 2.0)
"""Prices of memory to explore at: what a plan's memory costs, in times of what it takes."""

ROUNDS = 8
"""How often all axes are gone through at most; it mostly ends after two or three."""


@dataclass(slots=True)
class PlanSearch:
    """All plans that have been found on the way, the best of which is `best`."""

    problem: Problem
    pool: list[Plan] = field(default_factory=list)

    @property
    def best(self) -> Plan:
        return min(self.pool, key=lambda plan: plan.cost)

    def descend(self, start: States, order: Sequence[str]) -> Plan:
        """Axis by axis in that order, round and round, until nothing changes."""
        problem, states = self.problem, start
        value, idle = problem.objective(states), 0
        for axis in itertools.chain.from_iterable(itertools.repeat(tuple(order), ROUNDS)):
            better, cost = problem.improve(states, axis)
            if cost < value:
                states, value, idle = better, cost, 0
            else:
                idle += 1
            if idle == len(order):
                break
        return self._found(states)

    def fuse(self, plans: Sequence[Plan]) -> Plan:
        """The best of all plans whose every state is that of one of `plans`, the first of which is the best of them."""
        domains = [tuple(dict.fromkeys(column)) for column in zip(*(plan.states for plan in plans), strict=True)]
        return self._found(self.problem.solve(domains, plans[0].states))

    def _found(self, states: States) -> Plan:
        plan = self.problem.plan(states)
        self.pool.append(plan)
        return plan


def search(problem: Problem, effort: str) -> PlanSearch:
    """Descends from everywhere replicated, and with more effort than "fast" in several orders of the axes."""
    found = PlanSearch(problem)
    start = problem.replicated()
    orders = list(_orders(problem, are_all=effort == "thorough"))
    for order in orders[: 1 if effort == "fast" else ORDERS]:
        found.descend(start, order)
    if len(found.pool) > 1:
        found.descend(found.fuse([found.best, *found.pool]).states, problem.axes)
    return found


def _orders(problem: Problem, *, are_all: bool) -> Iterator[tuple[str, ...]]:
    """Orders of the axes; of those in which only axes that are alike change places the first one, if not all."""
    kind = {axis: axis if are_all else problem.axis_kind(axis) for axis in problem.axes}
    seen = set()
    for order in itertools.permutations(problem.axes):
        kinds = tuple(kind[axis] for axis in order)
        if kinds not in seen:
            seen.add(kinds)
            yield order


def explore(found: PlanSearch, own: Sequence[tuple[float, ...]], copies: Sequence[float], peak: float) -> None:
    """Leaves the best plan by pricing memory, and comes back without: that may end in a better one."""
    problem = found.problem
    for share in _SHARES:
        problem.weigh(share * found.best.cost / peak, own, copies)
        other = found.descend(found.best.states, problem.axes)
        problem.forget_weights()
        found.descend(other.states, problem.axes)
    found.descend(found.fuse([found.best, *found.pool]).states, problem.axes)
