"""Which collectives make a round of a loop shorter if they are sent for the next one (spec: async, 16)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.passes.costs.program_steps import Steps
from sdy.passes.costs.simulation import Done, Start, Step, simulate


def shortened(steps: Steps, candidates: Sequence[ir.Operation], *, early: bool) -> list[ir.Operation]:
    """The candidates, without those that a round of these steps does not get longer without, from the last one on.

    Those that are not sent ahead are started where they are, or if `early` at the beginning of the round.
    """
    first = set(map(identity, candidates)) if early else set[object]()
    chosen = list(candidates)
    shortest = _seconds(steps, chosen, first)
    for op in reversed(candidates):
        others = [each for each in chosen if each is not op]
        total = _seconds(steps, others, first)
        if total <= shortest:
            chosen, shortest = others, total
    return chosen


def _seconds(steps: Steps, ahead: Sequence[ir.Operation], first: Collection[object]) -> float:
    return simulate(_with_ahead(steps, set(map(identity, ahead)), first)).total


def _with_ahead(steps: Steps, ahead: Collection[object], first: Collection[object]) -> list[Step]:
    """The steps of a round that starts some of its collectives, by `identity`, at once and ends them at its end.

    Those of `first` that are not among them are started at once as well, before the others.
    """
    urgent: list[Step] = []
    starts: list[Step] = []
    between: list[Step] = []
    dones: list[Step] = []
    for item in steps.items:
        is_ahead = identity(item.op) in ahead
        if not is_ahead and identity(item.op) in first and isinstance(item.step, Start):
            urgent.append(item.step)
        elif is_ahead and isinstance(item.step, Start):
            starts.append(item.step)
        elif is_ahead and isinstance(item.step, Done):
            dones.append(item.step)
        else:
            between.append(item.step)
    return [*urgent, *starts, *between, *dones]
