"""Propagation with a record of the step and op at which each axis reached each value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sdy.dialect.data_flow import EDGE
from sdy.dialect.debug_info import EDGES
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.rule import EdgeNode, EdgeValueRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.manager import run_pipeline
from sdy.passes.propagation.engine.driver import GROUP, ShardingGroups
from sdy.passes.propagation.engine.recorder import Recorder, movements_of_visit
from sdy.passes.propagation.engine.session import Session, bring_in, set_aside
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.strategy import FactorStrategy
from sdy.passes.propagation.engine.visit import Visit
from sdy.passes.propagation.propagation_options import OpPriorityOptions
from sdy.passes.propagation.propagation_pipeline import Options, propagation_pipeline
from sdy.passes.registry import expand
from sdy.passes.steps import Step


@dataclass(frozen=True, slots=True, order=True)
class PropagationPhase:
    """One part of a run: propagation of user priority `priority` at op-priority level `level`."""

    priority: int
    level: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """`axis` came from tensor `source_tensor` to tensor `target_tensor` of `op` (a number in the snapshot).

    The tensors are in `slots`: operands, then results. Between members of a sharding group, the source first, an axis
    moves without an op.
    """

    axis: AxisRef
    op: int | None
    slots: tuple[int, ...]
    source_tensor: int
    target_tensor: int
    step: int
    phase: PropagationPhase

    @property
    def source(self) -> int:
        return self.slots[self.source_tensor]

    @property
    def target(self) -> int:
        return self.slots[self.target_tensor]


class TracedSession(Session):
    """A run of user-priority propagation on an imported module, which it changes and which is useless afterwards.

    `arrivals[slot]` lists the axes that arrived at a slot, in order; `own[slot]` has its axes from before the run, with
    their user priorities. `priority` and `level` are the present phase of the run.
    """

    options: OpPriorityOptions

    def __init__(self, module: ir.Operation, options: OpPriorityOptions) -> None:
        self.priority, self.level = 0, 0
        super().__init__(module, options, _Trace)
        self.groups = ShardingGroups(self.snapshot)
        self.arrivals: dict[int, list[Arrival]] = {}
        assert isinstance(self._recorder, _Trace)
        self._recorder.attach(self)
        self.own: list[dict[AxisRef, int]] = [self._own_axes(slot) for slot in range(len(self.store.current))]

    def sweep(self, strategy: FactorStrategy, level: int | None = None) -> None:
        self.level = level or 0
        super().sweep(strategy, level)

    def run(self) -> None:
        """Propagates everything."""
        options = self.options
        waiting = set_aside(self.store, self.driver, self.mesh_of)
        self.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)
        for priority in waiting:
            self.priority = priority
            bring_in(self.store, self.driver, priority, waiting)
            self.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)

    def _own_axes(self, slot: int) -> dict[AxisRef, int]:
        sharding = self.store.sharding(slot)
        come = {arrival.axis for arrival in self.arrivals.get(slot, ())}
        dims = () if sharding is None else sharding.dims
        return {axis: dim.priority_or_default for dim in dims for axis in dim.axes if axis not in come}

    def add(self, arrival: Arrival) -> None:
        self.arrivals.setdefault(arrival.target, []).append(arrival)

    @property
    def phase(self) -> PropagationPhase:
        return PropagationPhase(self.priority, self.level)


def traced_propagation(module: ir.Operation, options: OpPriorityOptions) -> TracedSession:
    """Import and propagate `module`, which is consumed."""
    run_pipeline(module, _import_steps(has_edges=bool(ops_named(module, EDGE))), verify=False)
    session = TracedSession(module, options)
    session.run()
    return session


def _import_steps(*, has_edges: bool) -> list[Step]:
    """Return the steps of the propagation pipeline before propagation; a module with edges needs none."""
    options = Options(debug_sharding_origins=True, debug_propagation_edge_sharding=True)
    steps = propagation_pipeline(options).until("propagating")
    return [step for step in expand([*steps]) if not (has_edges and step.name == "sdy-add-data-flow-edges")]


class _Trace(Recorder):
    """Reports the moves of each visit to a session. Steps continue from those recorded by the import."""

    def __init__(self, module: ir.Operation) -> None:
        super().__init__(module, origins=False, edges=False)
        records = ((op, attributes.get(op, EDGES)) for op in ops_named(module, "sdy.sharding_constraint"))
        self._early = [(op.results[0], step) for op, edges in records if edges is not None for step in edges]
        self._step = 1 + max((step.step_index for _, step in self._early), default=-1)
        inputs = (op.operands[0] for op in ops_named(module, GROUP))
        self._sharded_before = {value for value in inputs if _has_axes(get_sharding(value))}

    def start(self, snapshot: Snapshot) -> None:
        """Do nothing: the recorder keeps no state of its own."""

    def attach(self, session: TracedSession) -> None:
        """Add the moves of the import and the groups to `session`, and from now on those of its visits."""
        self._session, self._store = session, session.store
        for constraint, step in self._early:
            op = session.snapshot.definers[session.snapshot.number_of(constraint)]
            slots = (session.store.slot_of[session.snapshot.operands[op][0]], session.snapshot.results[op].start)
            for entry in step.axis_entries:
                for target in entry.targets:
                    self._add(entry.axis, op, slots, _tensor(entry.source), _tensor(target), step.step_index)
        self._add_group_starts()

    def observe(self, op: int, slots: tuple[int, ...], visit: Visit, numbers: tuple[int, ...]) -> None:
        for movement in movements_of_visit(visit, numbers):
            target = slots[movement.target]
            # A tensor may take an axis by factor that no dimension of it can hold.
            if any(axis.overlaps(movement.axis) for axis in self._axes(target)):
                self._add(movement.axis, op, slots, movement.source, movement.target, self._step)
                for member in self._session.groups.others(target):
                    self._add_in_group(movement.axis, target, self._store.slot_of[member], self._step)
        self._step += 1

    def forget(self, ops: Iterable[int]) -> None:
        """Values that were erased are never queried."""

    def _axes(self, slot: int) -> AxisList:
        sharding = self._store.sharding(slot)
        return () if sharding is None else tuple(axis for axes in sharding.dim_axes for axis in axes)

    def _add(self, axis: AxisRef, op: int, slots: tuple[int, ...], source: int, target: int, step: int) -> None:
        self._session.add(Arrival(axis, op, slots, source, target, step, self._session.phase))

    def _add_in_group(self, axis: AxisRef, source: int, target: int, step: int) -> None:
        self._session.add(Arrival(axis, None, (source, target), 0, 1, step, self._session.phase))

    def _add_group_starts(self) -> None:
        """Members without axes before the groups were unified got theirs from the first member that had some."""
        snapshot, store = self._session.snapshot, self._store
        sources = {store.slot_of[snapshot.number_of(value)] for value in self._sharded_before}
        for op, name in enumerate(snapshot.names):
            slot = snapshot.operands[op][0] if name == GROUP else -1
            if slot < 0 or slot in sources:
                continue
            others = (store.slot_of[other] for other in self._session.groups.others(slot))
            source = next((other for other in others if other in sources), None)
            if source is not None:
                for axis in self._axes(slot):
                    self._add_in_group(axis, source, slot, self._step)


def _has_axes(sharding: TensorSharding | None) -> bool:
    return sharding is not None and not sharding.is_fully_replicated


def _tensor(reference: EdgeValueRef) -> int:
    """Return the number of the only operand or result of a constraint among its tensors."""
    return 0 if reference.node is EdgeNode.OPERAND else 1
