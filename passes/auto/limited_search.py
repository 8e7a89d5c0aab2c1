"""The search for a plan that fits into memory: a price of memory that is raised until it does, and lowered again.

At fixed points of the program memory is a sum over variables and uses, so a price for it leaves the problem as it is. A
price finds only plans that are best for some price; what lies between them is found by mixing plans that fit with plans
that do not, at prices below that of the plan that fits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sdy.passes.auto.descent import explore, search
from sdy.passes.auto.memory_model import MemoryModel, Peak
from sdy.passes.auto.problem import Plan, Problem, States

_RAISES = 14
"""How often the price is doubled at most: then memory is all that counts."""

_RATIO = 1.1
"""The search for the least price that is enough ends where two prices are that close."""

_BELOW = (0.75, 0.5, 0.25, 0.1, 0.0)
"""Shares of the price of a plan that fits, at which it is mixed with plans that do not."""


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
        plans = {plan.states: plan for plan in self.found.pool}.values()
        fitting = sorted((plan for plan in plans if self.peak(plan).bytes <= limit), key=lambda plan: plan.cost)
        least = min(plans, key=lambda plan: (self.peak(plan).bytes, plan.cost))
        return Fitting(fitting, least, self.peak(least))

    def _raise(self, limit: float) -> None:
        """Doubles the price until a plan fits, looks for the least price that is enough, and mixes."""
        best = self.found.best
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
        while price > _RATIO * below and below > 0 and not self.found.is_over():
            middle = (below * price) ** 0.5
            plan = self._at(middle, points, plan)
            if self.peak(plan).bytes <= limit:
                price = middle
            else:
                below = middle
        self._mix(price, points, limit)

    def _at(self, price: float, points: list[int], start: Plan) -> Plan:
        """The best plan at a price, when one begins with another one."""
        key = (price, tuple(points), start.states)
        found = self._priced.get(key)
        if found is None:
            self.problem.weigh(price / len(points), *self.memory.weights(points))
            found = self._priced[key] = self.found.descend(start.states, self.problem.axes)
        return found

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
            for other in sorted(others, key=lambda plan: self.peak(plan).bytes)[:4]:
                self.found.fuse([first, other])
