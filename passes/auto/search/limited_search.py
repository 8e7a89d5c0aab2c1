"""The search for a plan that fits into memory: a price of memory that is raised until it does, and lowered again.

At fixed points of the program memory is a sum over variables and uses, so a price for it leaves the problem as it is. A
price finds only plans that are best for some price: of a program of equal layers those in which all layers do the same.
What lies between two of them is found by a price for what is made up to some op, and another one behind it; and by
mixing plans that fit with plans that do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from sdy.passes.auto.search.descent import explore, search
from sdy.passes.auto.search.elimination import Cost
from sdy.passes.auto.search.memory_model import MemoryModel, Peak
from sdy.passes.auto.search.problem import Plan, Problem, States

_RAISES = 14
"""How often the price is doubled at most: then memory is all that counts."""

_RATIO = 1.4
"""The search for the least price that is enough ends where two prices are that close."""

_SPLITS = 8
"""How often what has the higher price is halved."""

_FULL = 0.998
"""A plan that takes that much of the limit is as large as it may be."""

_HIGH, _LOW = 1.25, 0.8
"""Prices at which all does as in the plan that fits, and as in the one that is too large, in parts of what differs."""

_CUTS = 5
"""How often it is halved once more, with a choice of all states."""

_STRICT = 2.0
"""The price there, in parts of what differs; behind it memory costs nothing."""

_BELOW = (0.5, 0.1, 0.0)
"""Shares of the price of a plan that fits, at which it is mixed with plans that do not."""

_MIXED = 3
"""With how many of these."""

_RUNGS = 6
"""For how many limits between the memory of the fastest plan and the least of all plans are found beforehand."""


@dataclass(slots=True)
class Fitting:
    """Plans by what they cost, of which those before others are better; and that of the least memory."""

    plans: list[Plan]
    least: Plan
    least_peak: Peak


class LimitedSearch:
    """Plans of one problem that take at most so many bytes on each device."""

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
        """The plans that fit, the best first; if none does, the list is empty."""
        if self.peak(self.found.best).bytes > limit:
            self._raise(limit)
            self.problem.forget_weights()
        least = min(self.found.pool, key=lambda plan: (self.peak(plan).bytes, plan.cost))
        return Fitting(self.known(limit), least, self.peak(least))

    def descend_limits(self, least: float) -> None:
        """Finds plans for limits down to `least` bytes, which are the same ones whatever limit is asked for later."""
        most = self.peak(self.found.best).bytes
        for number in range(1, _RUNGS + 1) if 0 < least < most else ():
            self.within(most * (least / most) ** (number / _RUNGS))

    def known(self, limit: float) -> list[Plan]:
        """Those of the plans that were found by now that fit, the best first."""
        plans = {plan.states: plan for plan in self.found.pool}.values()
        return sorted((plan for plan in plans if self.peak(plan).bytes <= limit), key=self._order)

    def _order(self, plan: Plan) -> tuple[Cost, float]:
        """Of plans that cost the same that of less memory comes first."""
        return plan.cost, self.peak(plan).bytes

    def _raise(self, limit: float) -> None:
        """Doubles the price until a plan fits, looks for the least price that is enough, and for what is between."""
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
        self._mix(price, points, limit)

    def _at(self, price: float, points: list[int], start: Plan) -> Plan:
        """The best plan at a price, when one begins with another one."""
        key = (price, tuple(points), start.states)
        found = self._priced.get(key)
        if found is None:
            self.problem.weigh(price / len(points), *self.memory.weights(points))
            found = self._priced[key] = self.found.descend(start.states, self.problem.axes)
        return found

    def _split(self, fits: Plan, points: list[int], limit: float) -> None:
        """Between a plan that fits and one that is too large: the first ops as in the one, the last as in the other.

        The first of them are as few as are enough; which these are says a price that is higher for what they make.
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
        """The same with states that are in neither of the plans: the last op of the first part may do otherwise."""
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
        """The plan that is too large with which one that fits would be mixed best."""
        return min(self._too_large(fits, limit), key=lambda plan: self._between(plan, fits, limit), default=None)

    def _exchanged(self, large: Plan, fits: Plan) -> float:
        """What a byte costs that is spared."""
        return (fits.cost - large.cost) / (self.peak(large).bytes - self.peak(fits).bytes)

    def _too_large(self, fits: Plan, limit: float) -> Iterator[Plan]:
        """Plans that cost less than one that fits, and do not fit."""
        return (plan for plan in self.found.pool if self.peak(plan).bytes > limit and plan.cost < fits.cost)

    def _between(self, large: Plan, fits: Plan, limit: float) -> float:
        """What a plan would cost that is as large as it may be, if it were a part of one and the rest of the other."""
        more, less = self.peak(large).bytes, self.peak(fits).bytes
        return large.cost + (fits.cost - large.cost) * (more - limit) / (more - less)

    def _mix(self, price: float, points: list[int], limit: float) -> None:
        """Closes the gap between plans that fit and plans that are fast."""
        for share in _BELOW:
            if self.found.is_over():
                return
            self.problem.weigh(share * price / len(points), *self.memory.weights(points))
            pool = {plan.states: plan for plan in self.found.pool}.values()
            fits = [plan for plan in pool if self.peak(plan).bytes <= limit]
            others = [plan for plan in pool if self.peak(plan).bytes > limit]
            first = min(fits, key=lambda plan: plan.cost)
            for other in sorted(others, key=lambda plan: self.peak(plan).bytes)[:_MIXED]:
                self.found.fuse([first, other])
