"""The search for a plan that fits into memory: raises a price of memory until it does, and lowers it again.

At fixed points of the program memory is a sum over variables and uses, so a price for it does not change the structure
of the problem. A price finds only plans that are best for some price: in a program of equal layers all layers do the
same. Two prices, for values made before and behind some op, find plans in between.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.elimination import Cost
from sdy.passes.auto.search.memory_model import MemoryModel, Peak
from sdy.passes.auto.search.problem import Plan, Problem, States

# The search: one mesh axis after the other, exactly, until none helps any more; then the best mixture of all plans.
#
# With all other axes as they are an op has a handful of strategies, and the whole program is optimised at once
# (`elimination`). The next axis sees what the first one does.


ORDERS = 6
"""Number of orders of the mesh axes that are tried."""

_SHARES = (0.1, 0.5, 2.0)
"""Prices of memory to explore at: what a plan's memory costs, in times of what it takes."""

_FAR = 1.0
"""From where such a price leads far away,"""

_MANY = 1000
"""which is not tried with so many variables if what is nearer has not led to a better plan."""

ROUNDS = 8
"""Maximum number of rounds over all axes; two or three mostly suffice."""


@dataclass(slots=True)
class PlanSearch:
    """Plans found during a search; `best` is the best of them.

    `ends_at` is the time (`time.monotonic`) after which no new search begins; then `is_complete` is false.
    """

    problem: Problem
    pool: list[Plan] = field(default_factory=list)
    ends_at: float = math.inf
    is_complete: bool = True

    def is_over(self) -> bool:
        """Return whether there is a plan and the time is over."""
        if self.pool and time.monotonic() >= self.ends_at:
            self.is_complete = False
        return not self.is_complete

    @property
    def best(self) -> Plan:
        return min(self.pool, key=lambda plan: plan.cost)

    def descend(self, start: States, order: Sequence[str]) -> Plan:
        """Descend axis by axis in that order, repeatedly, until nothing changes."""
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
        return self.keep(states)

    def fuse(self, plans: Sequence[Plan]) -> Plan:
        """Return the best plan in which every state is that of one of `plans`; the first of `plans` is the best."""
        domains = [tuple(dict.fromkeys(column)) for column in zip(*(plan.states for plan in plans), strict=True)]
        return self.keep(self.problem.solve(domains, plans[0].states))

    def keep(self, states: States) -> Plan:
        """Adds a plan to the pool."""
        plan = self.problem.plan(states)
        self.pool.append(plan)
        return plan


def search(problem: Problem, effort: str, ends_at: float = math.inf) -> PlanSearch:
    """Descends from everywhere replicated, and with more effort than "fast" in several orders of the axes."""
    found = PlanSearch(problem, ends_at=ends_at)
    orders = list(_orders(problem))[: 1 if effort == "fast" else ORDERS]
    for order in orders:
        if not found.is_over():
            found.descend(problem.replicated(), order)
    _mix(found)
    return found


def _mix(found: PlanSearch) -> None:
    """Continue from the best combination of all plans."""
    if len(found.pool) > 1 and not found.is_over():
        found.descend(found.fuse([found.best, *found.pool]).states, found.problem.axes)


def _orders(problem: Problem) -> Iterator[tuple[str, ...]]:
    """Return orders of the axes. Of orders that only swap equal axes, the first one counts."""
    kind = {axis: problem.axis_kind(axis) for axis in problem.axes}
    seen = set()
    for order in itertools.permutations(problem.axes):
        kinds = tuple(kind[axis] for axis in order)
        if kinds not in seen:
            seen.add(kinds)
            yield order


def explore(found: PlanSearch, own: Sequence[tuple[float, ...]], copies: Sequence[float], peak: float) -> None:
    """Leaves the best plan by pricing memory, and descends again without the price, possibly to a better plan."""
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


_RAISES = 14
"""Maximum number of times the price is doubled; at the end only memory counts."""

_RATIO = 1.4
"""The search for the least price that is enough ends where two prices are that close."""

_SPLITS = 8
"""Number of times the range of the higher price is halved."""

_FULL = 0.998
"""A plan that takes that much of the limit is as large as it may be."""

_HIGH, _LOW = 1.25, 0.8
"""Prices at which all does as in the plan that fits, and as in the one that is too large, in parts of what differs."""

_CUTS = 5
"""Number of further halvings, with a choice of all states."""

_STRICT = 2.0
"""The price there, in parts of what differs; behind it memory costs nothing."""

_RUNGS = 6
"""For how many limits between the memory of the fastest plan and the least of all plans are found beforehand."""


@dataclass(slots=True)
class Fitting:
    """Non-dominated plans by cost; and the plan of least memory."""

    plans: list[Plan]
    least: Plan
    least_peak: Peak


class LimitedSearch:
    """Plans of one problem under a limit of bytes on each device."""

    def __init__(self, problem: Problem, memory: MemoryModel, effort: str, ends_at: float = math.inf) -> None:
        self.problem = problem
        self.memory = memory
        self.found = search(problem, effort, ends_at)
        self._peaks: dict[States, Peak] = {}
        self._priced: dict[tuple[float, tuple[int, ...], States], Plan] = {}
        if effort != "fast":
            peak = self.peak(self.found.best)
            if peak.bytes:
                explore(self.found, *memory.weights([peak.at]), peak.bytes)

    def peak(self, plan: Plan) -> Peak:
        """The memory of a plan."""
        found = self._peaks.get(plan.states)
        if found is None:
            options = self.problem.options(plan.states)
            found = self._peaks[plan.states] = self.memory.peak(options, self.problem.shards)
        return found

    def within(self, limit: float) -> Fitting:
        """Return the plans that fit, the best first; if none does, the list is empty."""
        if self.peak(self.found.best).bytes > limit:
            self._raise(limit)
            self.problem.forget_weights()
        least = min(self.found.pool, key=lambda plan: (self.peak(plan).bytes, plan.cost))
        return Fitting(self.known(limit), least, self.peak(least))

    def descend_limits(self, least: float) -> None:
        """Find plans for limits down to `least` bytes; the plans do not depend on the limits asked for later."""
        most = self.peak(self.found.best).bytes
        for number in range(1, _RUNGS + 1) if 0 < least < most else ():
            self.within(most * (least / most) ** (number / _RUNGS))

    def known(self, limit: float) -> list[Plan]:
        """Return the plans found so far that fit, best first."""
        plans = {plan.states: plan for plan in self.found.pool}.values()
        return sorted((plan for plan in plans if self.peak(plan).bytes <= limit), key=self._order)

    def _order(self, plan: Plan) -> tuple[Cost, float]:
        """Return the sort key of a plan: its cost, then its peak memory."""
        return plan.cost, self.peak(plan).bytes

    def _raise(self, limit: float) -> None:
        """Double the price until a plan fits, then search for the least sufficient price and the plans in between."""
        best = self.found.best
        if not self.peak(best).bytes:
            return
        points = [self.peak(best).at]
        price = best.cost / self.peak(best).bytes / 64
        plan, below = best, 0.0
        for _ in range(_RAISES):
            if self.found.is_over():
                return
            plan = self._at(price, points, plan)
            if self.peak(plan).bytes <= limit:
                break
            if self.peak(plan).at not in points:
                points.append(self.peak(plan).at)
            below, price = price, 2 * price
        else:
            return
        fits = plan
        while price > _RATIO * below and below > 0 and not self.found.is_over():
            middle = (below * price) ** 0.5
            plan = self._at(middle, points, plan)
            if self.peak(plan).bytes <= limit:
                price, fits = middle, plan
            else:
                below = middle
        self._split(fits, points, limit)
        self._cut(points, limit)

    def _at(self, price: float, points: list[int], start: Plan) -> Plan:
        """Return the best plan at a price, starting from another plan."""
        key = (price, tuple(points), start.states)
        found = self._priced.get(key)
        if found is None:
            self.problem.weigh(price / len(points), *self.memory.weights(points))
            found = self._priced[key] = self.found.descend(start.states, self.problem.axes)
        return found

    def _split(self, fits: Plan, points: list[int], limit: float) -> None:
        """Combine a plan that fits with one that is too large: the first ops from one, the last from the other.

        The fewest first ops that suffice are chosen by a higher price for their results.
        """
        large = self._nearest(fits, limit)
        if large is None:
            return
        price = self._exchanged(large, fits)
        least, most = 0, self.memory.end
        for _ in range(_SPLITS):
            if self.found.is_over() or self.peak(fits).bytes > _FULL * limit:
                return
            middle = (least + most) // 2
            weights = self.memory.weights(points, middle, _LOW / _HIGH)
            self.problem.weigh(_HIGH * price / len(points), *weights)
            plan = self.found.fuse([fits, large])
            if self.peak(plan).bytes <= limit:
                most, fits = middle, plan
            else:
                least = middle

    def _cut(self, points: list[int], limit: float) -> None:
        """Search for a plan between two, with states of neither, cut at `points`."""
        fits = self.known(limit)[0]
        large = self._nearest(fits, limit)
        if large is None or self.peak(fits).bytes > _FULL * limit:
            return
        price = self._exchanged(large, fits)
        least, most = 0, self.memory.end
        for _ in range(_CUTS):
            if self.found.is_over():
                return
            middle = (least + most) // 2
            self.problem.weigh(_STRICT * price / len(points), *self.memory.weights(points, middle, 0.0))
            plan = self.found.descend(large.states, self.problem.axes)
            if self.peak(plan).bytes <= limit:
                most = middle
            else:
                least = middle

    def _nearest(self, fits: Plan, limit: float) -> Plan | None:
        """Return the too large plan that mixes best with one that fits."""
        return min(self._too_large(fits, limit), key=lambda plan: self._between(plan, fits, limit), default=None)

    def _exchanged(self, large: Plan, fits: Plan) -> float:
        """Return the cost of each byte saved by `fits` in place of `large`."""
        return (fits.cost - large.cost) / (self.peak(large).bytes - self.peak(fits).bytes)

    def _too_large(self, fits: Plan, limit: float) -> Iterator[Plan]:
        """Return plans that cost less than one that fits, but do not fit."""
        return (plan for plan in self.found.pool if self.peak(plan).bytes > limit and plan.cost < fits.cost)

    def _between(self, large: Plan, fits: Plan, limit: float) -> float:
        """Return the cost of a mix of two plans that uses exactly the memory limit."""
        more, less = self.peak(large).bytes, self.peak(fits).bytes
        return large.cost + (fits.cost - large.cost) * (more - limit) / (more - less)
