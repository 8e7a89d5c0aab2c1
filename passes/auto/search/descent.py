"""The search: one mesh axis after the other, exactly, until none helps any more; then the best mixture of all plans.

With all other axes as they are an op has a handful of strategies, and the whole program is optimised at once
(`elimination`). The next axis sees what the first one does.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sdy.passes.auto.search.elimination import NEVER, Cost
from sdy.passes.auto.search.problem import Plan, Problem, States

ORDERS = 6
"""Of the orders of the mesh axes, how many are tried."""

PERTURBED = 3
"""How many times a thorough search starts from a plan that is drawn."""

_SEED = 19
"""Of what is drawn; the same in every process."""

WINDOW = 64
"""How many variables in a row a thorough search solves for along two axes at a time."""

_SHARES = (0.1, 0.5, 2.0)
"""Prices of memory to explore at: what a plan's memory costs, in times of what it takes."""

_FAR = 1.0
"""From where such a price leads far away,"""

_MANY = 1000
"""which is not tried with so many variables if what is nearer has not led to a better plan."""

_WORTH = 1.0001
"""A plan that costs so much more than it was believed to is worth another look."""

ROUNDS = 8
"""How often all axes are gone through at most; it mostly ends after two or three."""


@dataclass(slots=True)
class PlanSearch:
    """All plans that have been found on the way, the best of which is `best`.

    `ends_at` is the time (`time.monotonic`) after which nothing new is begun; then `is_complete` is false. `least` is
    what the best plan was said to cost when it was found, perhaps while sums were believed to be scattered.
    """

    problem: Problem
    pool: list[Plan] = field(default_factory=list)
    ends_at: float = math.inf
    is_complete: bool = True
    least: Cost = NEVER

    def is_over(self) -> bool:
        """Whether there is a plan, and no time for another one."""
        if self.pool and time.monotonic() >= self.ends_at:
            self.is_complete = False
        return not self.is_complete

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
            if idle == len(order) or self.is_over():
                break
        self.least = min(self.least, value)
        return self.keep(states)

    def fuse(self, plans: Sequence[Plan]) -> Plan:
        """The best of all plans whose every state is that of one of `plans`, the first of which is the best of them."""
        domains = [tuple(dict.fromkeys(column)) for column in zip(*(plan.states for plan in plans), strict=True)]
        return self.keep(self.problem.solve(domains, plans[0].states))

    def keep(self, states: States) -> Plan:
        """Adds a plan to the pool."""
        plan = self.problem.plan(states)
        self.pool.append(plan)
        return plan


def search(problem: Problem, effort: str, ends_at: float = math.inf) -> PlanSearch:
    """Descends from everywhere replicated, and with more effort than "fast" in several orders of the axes.

    Sums are believed to be scattered as strategies say first: with their true prices one axis seldom gets past what two
    would together. Where the plan that is found so costs more than it was believed to, the search goes on from there.
    """
    found = PlanSearch(problem, ends_at=ends_at)
    orders = list(_orders(problem, are_all=effort == "thorough"))[: 1 if effort == "fast" else ORDERS]
    problem.believe(True)
    for order in orders:
        if not found.is_over():
            found.descend(problem.replicated(), order)
    _mix(found)
    problem.believe(False)
    if found.best.cost > _WORTH * found.least and not found.is_over():
        found.descend(found.best.states, problem.axes)
        _mix(found)
    if effort == "thorough":
        _perturb(found)
        _polish(found)
        _mix(found)
    return found


def _mix(found: PlanSearch) -> None:
    """Goes on from the best mixture of all plans."""
    if len(found.pool) > 1 and not found.is_over():
        found.descend(found.fuse([found.best, *found.pool]).states, found.problem.axes)


def _perturb(found: PlanSearch) -> None:
    """Descends from plans in which arguments and what is computed of them do what is drawn, along each axis."""
    problem, draw = found.problem, random.Random(_SEED)
    for _ in range(PERTURBED):
        states = problem.replicated()
        for axis in problem.axes:
            states = tuple(draw.choice(problem.variants(number, state, axis)) for number, state in enumerate(states))
        if not found.is_over():
            found.descend(states, problem.axes)


def _polish(found: PlanSearch) -> None:
    """Solves for two axes at a time, on windows of the program that overlap, all else as in the best plan."""
    problem = found.problem
    for first, second in itertools.combinations(problem.axes, 2):
        for begin in range(0, len(problem.strategies), WINDOW // 2):
            if found.is_over():
                return
            states = found.best.states
            domains: list[tuple[int, ...]] = [(state,) for state in states]
            for number in range(begin, min(begin + WINDOW, len(states))):
                both = (
                    other
                    for one in problem.variants(number, states[number], first)
                    for other in problem.variants(number, one, second)
                )
                domains[number] = tuple(dict.fromkeys(both))
            better = problem.solve(domains, states)
            if better != states:
                found.keep(better)


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
    problem, start = found.problem, found.best.cost
    for share in _SHARES:
        if found.is_over():
            return
        if share > _FAR and len(problem.strategies) > _MANY and found.best.cost == start:
            break
        problem.weigh(share * found.best.cost / peak, own, copies)
        other = found.descend(found.best.states, problem.axes)
        problem.forget_weights()
        found.descend(other.states, problem.axes)
    _mix(found)
