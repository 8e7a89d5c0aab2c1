"""The ops between whose tensors shardings are propagated, by the slots of the tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdy.passes.propagation.engine.op_priorities import OpProfile
from sdy.passes.propagation.engine.visits import Boundary, Visits, identity_profile
from sdy.passes.propagation.explain.propagation_trace import TracedSession


@dataclass(frozen=True, slots=True)
class VisitOfSlots:
    """An op between whose tensors, kept in `slots`, shardings are propagated."""

    op: int
    profile: OpProfile
    slots: tuple[int, ...]
    boundary: Boundary | None = None

    @property
    def num_operands(self) -> int:
        return len(self.profile.rule.operands)


class VisitsOfSlots:
    """All visits of a run by the slots that they read."""

    def __init__(self, session: TracedSession) -> None:
        self.of_slot: dict[int, list[VisitOfSlots]] = {}
        self.of_ops = found = Visits(session.store, conservative=session.options.conservative_propagation)
        for op, position in enumerate(found.profile_of):
            if position >= 0 and session.driver.is_alive(op):
                self._add(VisitOfSlots(op, found.profiles[position], found.slots[op], found.boundaries.get(op)))
        for op, slots, profile in _function_results(session):
            self._add(VisitOfSlots(op, profile, slots))

    def _add(self, visit: VisitOfSlots) -> None:
        for slot in dict.fromkeys(visit.slots):
            self.of_slot.setdefault(slot, []).append(visit)


def _function_results(session: TracedSession) -> Iterator[tuple[int, tuple[int, int], OpProfile]]:
    snapshot, store = session.snapshot, session.store
    main = snapshot.main_function
    for value, result in zip(snapshot.returned(main), store.function_results[main], strict=False):
        profile = identity_profile(snapshot.types[value])
        if profile is not None:
            yield main, (store.slot_of[value], result), profile
