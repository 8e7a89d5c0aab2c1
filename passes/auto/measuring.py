"""Programs that mostly wait: of all plans that a search comes upon the one that is measured to be best.

Where ops compute next to nothing, and collectives send next to nothing, a step takes as long as there are many of them
in what the partitioner makes, which is not predicted well: some are merged, some moved, some spared. So plans are
measured that are predicted to be far slower; the same ones whatever the limit of memory is, so that no limit leads to a
faster plan than a looser one. It is so of programs of a few ops, too, where one slice more or less is much.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from sdy.passes.auto.carrying_out import CarryingOut
from sdy.passes.auto.requests import Found
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.problem import Plan

_MOSTLY = 0.9
"""The part of a step in which a program waits, for ops to start and for collectives to begin, that mostly waits."""

_FEW = 40
"""The variables of a program of a few ops."""

_PLANS = 32
"""How many plans are looked at, those first that are predicted to be faster."""

_PLANS_OF_LARGE = 4
"""The same of a program that is not small."""

_LENIENT, _LENIENT_WITH_FEW = 1.1, math.inf
"""A plan may take so much less time than predicted, but for what it waits, and so much less memory."""


def is_latency_bound(carrying_out: CarryingOut) -> bool:
    """Whether that is so of the fastest plan of a program that is small, or a program has a few ops."""
    search = carrying_out.search
    best = search.found.best
    if _has_few_ops(carrying_out) or not carrying_out.is_small:
        return carrying_out.is_small
    return search.problem.waiting(best.states) > _MOSTLY * best.cost * PICOSECOND


def best_of_all(carrying_out: CarryingOut, known: Iterable[Found]) -> Found | None:
    """The best of `known` plans and of those that were found by now, which are told where they are as fast; None if
    none fits.
    """
    search, largest = carrying_out.search, _lenient(carrying_out) * carrying_out.request.limit
    given = best = min((one for one in known if not one.excess), key=lambda one: one.step, default=None)
    plans = {plan.states: plan for plan in search.found.pool}.values()
    for plan in sorted(plans, key=lambda plan: (plan.cost, search.peak(plan).bytes))[:_PLANS]:
        is_slower = best is not None and least_seconds(carrying_out, plan) > best.step
        if is_slower or search.peak(plan).bytes > largest:
            continue
        found = carrying_out.found(plan, in_all_ways=True)
        is_as_fast = best is given and best is not None and found.step == best.step
        if not found.excess and (best is None or is_as_fast or found.step < best.step):
            best = found
    return best


def fitting_of_all(carrying_out: CarryingOut, known: Iterable[Found]) -> Found | None:
    """The best of `known` plans, and of those of least memory that were found by now, that fits as measured; or None.

    What is predicted counts more than there is: what the partitioner spares, and names of what is there already.
    """
    search = carrying_out.search
    plans = {plan.states: plan for plan in search.found.pool}.values()
    count = _PLANS if carrying_out.is_small else _PLANS_OF_LARGE
    smallest = sorted(plans, key=lambda plan: (search.peak(plan).bytes, plan.cost))[:count]
    measured = (carrying_out.found(plan, in_all_ways=True) for plan in smallest)
    fitting = (one for one in (*known, *measured) if not one.excess)
    return min(fitting, key=lambda one: one.step, default=None)


def least_seconds(carrying_out: CarryingOut, plan: Plan) -> float:
    """What a plan takes at least if nothing is left that waits."""
    waiting = carrying_out.search.problem.waiting(plan.states)
    return (plan.cost * PICOSECOND - waiting) / _lenient(carrying_out)


def _lenient(carrying_out: CarryingOut) -> float:
    return _LENIENT_WITH_FEW if _has_few_ops(carrying_out) else _LENIENT


def _has_few_ops(carrying_out: CarryingOut) -> bool:
    return len(carrying_out.search.problem.strategies) <= _FEW
