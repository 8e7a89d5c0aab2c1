"""Which collectives make a round of a loop shorter if they are sent for the next one (spec: async, 16)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sdy.dialect.walk import identity
from sdy.passes.costs.program_steps import Steps
from sdy.passes.costs.simulation import Done, Start, Step, simulate


def shortened(steps: Steps, candidates: Sequence[Any]) -> list[Any]:
    """Those of the candidates, one after the other, with which a round of these steps takes less time than without."""
    chosen: list[Any] = []
    shortest = simulate(_with_ahead(steps, ())).total
    for op in candidates:
        total = simulate(_with_ahead(steps, {identity(each) for each in (*chosen, op)})).total
        if total < shortest:
            chosen.append(op)
            shortest = total
    return chosen


def _with_ahead(steps: Steps, ahead: Collection[object]) -> list[Step]:
    """The steps of a round that starts some of its collectives, by `identity`, at once and ends them at its end."""
    starts: list[Step] = []
    between: list[Step] = []
    dones: list[Step] = []
    for item in steps.items:
        is_ahead = identity(item.op) in ahead
        if is_ahead and isinstance(item.step, Start):
            starts.append(item.step)
        elif is_ahead and isinstance(item.step, Done):
            dones.append(item.step)
        else:
            between.append(item.step)
    return [*starts, *between, *dones]
