"""What a plan is predicted to take, summed up over a program as the steps of a device are.

The search adds up everything: all branches, and loops of which nobody knows how often they run as if they ran several
times. A step is told as it is told of the program of a device: of branches the one that takes longest, such a loop
once, and the condition of a loop if it communicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sdy.passes.auto.search.program_graph import UNKNOWN_ROUNDS
from sdy.passes.costs.program_steps import BRANCHES
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.stablehlo.idioms.trip_count import trip_count

_LOOP = "stablehlo.while"


@dataclass(frozen=True, slots=True)
class Tally:
    """Picoseconds altogether and those of computation, bytes sent."""

    total: float = 0.0
    compute: float = 0.0
    sent: float = 0.0

    def plus(self, other: Tally) -> Tally:
        """The sum of two."""
        return Tally(self.total + other.total, self.compute + other.compute, self.sent + other.sent)

    def over(self, count: float) -> Tally:
        """One of so many equal parts."""
        return Tally(self.total / count, self.compute / count, self.sent / count)


def tally(snapshot: Snapshot, parts: Iterable[tuple[int | None, Tally]]) -> Tally:
    """The sum of what ops, by number, take; None stands for what is outside of all ops."""
    own = [Tally()] * len(snapshot.names)
    outside = Tally()
    for op, part in parts:
        if op is None:
            outside = outside.plus(part)
        else:
            own[op] = own[op].plus(part)
    return outside.plus(_of_ops(snapshot, own, snapshot.regions[snapshot.main_function][0]))


def _of_ops(snapshot: Snapshot, own: Sequence[Tally], members: Iterable[int]) -> Tally:
    found = Tally()
    for op in members:
        found = found.plus(own[op])
        regions = [_of_ops(snapshot, own, inner) for inner in snapshot.regions.get(op, ())]
        if not regions:
            continue
        if snapshot.names[op] in BRANCHES:
            regions = [max(regions, key=lambda one: one.total)]
        is_unknown = snapshot.names[op] == _LOOP and trip_count(snapshot.ops[op]) is None
        if snapshot.names[op] == _LOOP and not regions[0].sent:
            del regions[0]
        for inner in regions:
            found = found.plus(inner.over(UNKNOWN_ROUNDS) if is_unknown else inner)
    return found
