"""Search of a schedule by list scheduling: the next unit of a mesh is the most urgent that can run and fits in memory.

Backward passes go before forward ones, and gradients of parameters fill bubbles. Ties are broken in each of a few ways,
and the fastest table is kept (spec: mpmd, 12).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.pipeline.tables import Kind, Placement, Table, Unit

F, A, W = Kind.FORWARD, Kind.INPUTS, Kind.PARAMETERS


@dataclass(frozen=True, slots=True)
class _Ways:
    """Tie-breaking rules."""

    late_forward: bool
    """Forward passes of later stages first."""
    oldest_backward: bool
    """Backward passes of earlier microbatches first, else of later stages."""
    waits: bool
    """Gradients of parameters are only begun where nothing else becomes ready before they end."""
    reserves: bool
    """A microbatch is only begun on a mesh if all its stages there fit."""
    in_turn: bool
    """A forward pass follows a backward pass where one is ready, else backward passes go first."""


def searched_table(
    placement: Placement,
    microbatches: int,
    limit: int | Mapping[str, int],
    seconds: Callable[[Unit], float] = lambda unit: 1.0,
) -> Table:
    """Return the fastest table found.

    Args:
      placement: stages of the meshes.
      microbatches: their number.
      limit: how many forward passes a mesh may hold until the gradients of their parameters are made.
      seconds: of a unit; transfers take none.

    Raises:
      ValueError: no table fits into the limits.
    """
    limits = dict.fromkeys(placement, limit) if isinstance(limit, int) else dict(limit)
    found: list[tuple[float, int, Table]] = []
    for number, choice in enumerate(itertools.product((True, False), repeat=5)):
        state = _State(placement, microbatches, limits, seconds, _Ways(*choice))
        total = state.run()
        if total is not None:
            found.append((total, number, Table({mesh: tuple(order) for mesh, order in state.orders.items()})))
    if not found:
        raise ValueError(f"no schedule holds at most {limit} forward passes a mesh")
    return min(found, key=lambda each: each[:2])[2]


@dataclass
class _State:
    """Units that have run so far."""

    placement: Placement
    microbatches: int
    limits: Mapping[str, int]
    seconds: Callable[[Unit], float]
    ways: _Ways
    ended: dict[Unit, float] = field(default_factory=dict)
    orders: dict[str, list[Unit]] = field(default_factory=dict)
    free: dict[str, float] = field(default_factory=dict)
    next_: dict[tuple[Kind, int], int] = field(default_factory=dict)

    def run(self) -> float | None:
        """Return the seconds of the step; None if memory does not suffice."""
        self.orders = {mesh: [] for mesh in self.placement}
        self.free = dict.fromkeys(self.placement, 0.0)
        self.next_ = {(kind, stage): 0 for kind in Kind for stages in self.placement.values() for stage in stages}
        left = 3 * self.microbatches * sum(map(len, self.placement.values()))
        now = 0.0
        while left:
            started = 0
            for mesh in self.placement:
                if self.free[mesh] <= now and (unit := self._chosen(mesh, now)) is not None:
                    self._start(mesh, unit, now)
                    started += 1
            left -= started
            if not started:
                later = [end for end in (*self.ended.values(), *self.free.values()) if end > now]
                if not later:
                    return None
                now = min(later)
        return max(self.ended.values(), default=0.0)

    def _start(self, mesh: str, unit: Unit, now: float) -> None:
        assert unit.stage is not None
        self.orders[mesh].append(unit)
        self.next_[unit.kind, unit.stage] += 1
        self.free[mesh] = self.ended[unit] = now + self.seconds(unit)

    def _ready_at(self, unit: Unit) -> float | None:
        """Return when a unit's inputs are complete; None if one has not started."""
        assert unit.stage is not None
        stage, number, last = unit.stage, unit.microbatch, max(map(max, self.placement.values()))
        if unit.kind is F:
            needed = [Unit(F, number, stage - 1)] if stage else []
        elif unit.kind is W:
            needed = [Unit(A, number, stage)]
        else:
            needed = [Unit(F, number, stage)] + ([Unit(A, number, stage + 1)] if stage < last else [])
        times = [self.ended.get(each) for each in needed]
        return None if None in times else max((each for each in times if each is not None), default=0.0)

    def _candidates(self, mesh: str, kind: Kind) -> Iterator[tuple[Unit, float]]:
        for stage in self.placement[mesh]:
            number = self.next_[kind, stage]
            if number < self.microbatches and (ready := self._ready_at(unit := Unit(kind, number, stage))) is not None:
                yield unit, ready

    def _fits(self, mesh: str, unit: Unit) -> bool:
        """Return whether a mesh has memory for the values of a forward pass."""
        stages = self.placement[mesh]
        made = sum(self.next_[W, stage] for stage in stages)
        if self.ways.reserves:
            begun = self.next_[F, stages[0]]
            return unit.stage != stages[0] or len(stages) * (begun + 1) - made <= self.limits[mesh]
        return sum(self.next_[F, stage] for stage in stages) - made < self.limits[mesh]

    def _chosen(self, mesh: str, now: float) -> Unit | None:
        """Return the next unit of a free mesh."""
        forward = [each for each, ready in self._candidates(mesh, F) if ready <= now and self._fits(mesh, each)]
        backward = [each for each, ready in self._candidates(mesh, A) if ready <= now]
        order = self.orders[mesh]
        if forward and (not backward or (self.ways.in_turn and order and order[-1].kind is A)):
            return min(forward, key=lambda unit: -(unit.stage or 0) if self.ways.late_forward else unit.stage or 0)
        if backward:
            oldest = self.ways.oldest_backward
            return min(backward, key=lambda u: (u.microbatch, -(u.stage or 0)) if oldest else (-(u.stage or 0), 0))
        rest = [
            each for each, _ in self._candidates(mesh, W) if self.ended[Unit(A, each.microbatch, each.stage)] <= now
        ]
        if not rest:
            return None
        unit = min(rest, key=lambda each: each.microbatch)
        if self.ways.waits:
            soon = [
                ready
                for kind in (F, A)
                for each, ready in self._candidates(mesh, kind)
                if kind is A or self._fits(mesh, each)
            ]
            if any(ready < now + self.seconds(unit) for ready in soon):
                return None
        return unit
