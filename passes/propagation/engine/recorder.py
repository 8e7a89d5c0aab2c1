"""Records of the axes that move in a run of a propagate pass, for the options that ask for them."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.debug_info import AxisMovement, PropagationRecords, ShardingOrigins, axis_movements
from sdy.mlir import ir
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.visit import Visit


class Recorder:
    """Watches a run. Create it before anything is changed; `observe` receives each visit that changes something."""

    def __init__(self, module: ir.Operation, *, origins: bool, edges: bool) -> None:
        self._origins = ShardingOrigins(module) if origins else None
        self._records = PropagationRecords(module) if edges else None
        self._snapshot: Snapshot | None = None
        self._known: dict[tuple[Visit, tuple[int, ...]], list[AxisMovement]] = {}

    def start(self, snapshot: Snapshot) -> None:
        """Start from `snapshot`: later ops and slots refer to it."""
        self._snapshot = snapshot

    def observe(self, op: int, slots: tuple[int, ...], visit: Visit, numbers: tuple[int, ...]) -> None:
        assert self._snapshot is not None
        key = (visit, numbers)
        movements = self._known.get(key)
        if movements is None:
            movements = self._known[key] = movements_of_visit(visit, numbers)
        if self._records is not None:
            self._records.record(self._snapshot.ops[op], movements, len(visit.kind.rule.operands))
        if self._origins is not None:
            if self._snapshot.names[op] == "func.func":
                # A function result is the value that is returned for it.
                slots = (slots[0], slots[0])
            for movement in movements:
                target, source = (self._snapshot.value(slots[t]) for t in (movement.target, movement.source))
                self._origins.inherit(target, movement.axis, source)

    def forget(self, ops: Iterable[int]) -> None:
        """Drop the records of ops that are about to be erased, and of their nested ops."""
        assert self._snapshot is not None
        for dead in (dead for op in ops for dead in range(op, self._snapshot.ends[op])):
            operation = self._snapshot.ops[dead]
            if self._origins is not None:
                self._origins.forget(operation.results)
            if self._records is not None and len(operation.results):
                self._records.forget([operation])

    def write(self) -> None:
        """Puts the records into the IR."""
        if self._origins is not None:
            self._origins.write()
        if self._records is not None:
            self._records.write()


def movements_of_visit(visit: Visit, numbers: tuple[int, ...]) -> list[AxisMovement]:
    """Return the movements in a visit of an op whose tensors have the shardings with these numbers."""
    outcome = visit.outcome(numbers)
    if outcome is None:
        return []
    before, (after, sizes) = visit.projection(numbers), outcome
    old, new = ([tuple(tensor.factors) for tensor in each.tensors] for each in (before, after))
    return axis_movements(visit.kind.rule, old, new, sizes)
