"""Which of two axes was where first, and whether that was for its priority."""

from __future__ import annotations

from dataclasses import replace

from sdy.dialect.values.axes import AxisRef
from sdy.passes.propagation.engine.op_priorities import LEVELS
from sdy.passes.propagation.engine.worklist import UseCounts
from sdy.passes.propagation.explain.obstacle import Obstacle, Reason
from sdy.passes.propagation.explain.propagation_trace import PropagationPhase, TracedSession
from sdy.passes.propagation.explain.visits_of_slots import VisitOfSlots
from sdy.passes.propagation.strategies.direction import Direction


class Referee:
    """Compares the times at which axes came, in one run."""

    def __init__(self, session: TracedSession) -> None:
        self._session = session
        self._uses = UseCounts(session.snapshot)

    def timed(self, obstacle: Obstacle, visit: VisitOfSlots, source: int, factor: int) -> Obstacle:
        """The obstacle to axes of tensor `source`, or that of the priority by which its rival came first."""
        assert obstacle.rival is not None and obstacle.cause is not None
        slot = visit.slots[obstacle.cause[0]]
        came, could = self._phase_of(obstacle.rival, slot), self._chance(obstacle.axes[0], visit, source, factor)
        if came is None or could is None:
            return obstacle
        given = any(own.overlaps(obstacle.rival) for own in self._session.own[slot])
        if not (came.priority < could.priority if given else came < could):
            return obstacle
        return replace(obstacle, reason=Reason.PRIORITY, rival_phase=came, phase=could)

    def _phase_of(self, axis: AxisRef, slot: int) -> PropagationPhase | None:
        """When an axis came to a slot; None if that is not known."""
        for own, priority in self._session.own[slot].items():
            if own.overlaps(axis):
                return PropagationPhase(priority, 0)
        arrivals = self._session.arrivals.get(slot, ())
        return next((arrival.phase for arrival in arrivals if arrival.axis.overlaps(axis)), None)

    def _chance(self, axis: AxisRef, visit: VisitOfSlots, source: int, factor: int) -> PropagationPhase | None:
        """From when on the op could have passed the axis on."""
        there = self._phase_of(axis, visit.slots[source])
        # What ties a function's results to what is returned ignores levels.
        is_level_free = self._session.snapshot.names[visit.op] == "func.func"
        if there is None or is_level_free or not self._session.options.run_op_priority_propagation:
            return there
        needed = Direction.FORWARD if source < visit.num_operands else Direction.BACKWARD
        only_user = self._uses.is_only_user(visit.op)
        directions = ((level, visit.profile.directions(level, is_only_user=only_user)) for level in LEVELS)
        allowed = (level for level, by_factor in directions if by_factor[factor] & needed)
        return PropagationPhase(there.priority, max(there.level, next(allowed, 0)))
