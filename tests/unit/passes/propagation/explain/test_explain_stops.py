"""The reasons that explanations give for stops are true: without what is said to be in the way the axes do travel.

The experiment is one visit of the op, with the shardings that propagation ends with but for what was in the way. There
may be several obstacles one behind the other, so this is repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

import sdy
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, any_overlap, difference
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.propagation.engine.strategy import Direction, FactorStrategy
from sdy.passes.propagation.engine.visit import OpKind, ProjectionCache, Visit
from sdy.passes.propagation.explain.propagation_stops import Judge, Obstacle, Reason, VisitOfSlots, VisitsOfSlots
from sdy.passes.propagation.explain.propagation_trace import TracedSession, traced_propagation
from sdy.passes.propagation.propagation_options import OpPriorityOptions
from tests.depth import seeds
from tests.generators.programs import generate
from tests.parity.case_features import EDGES, TANGLED

pytestmark = pytest.mark.slow


UNREMOVABLE = (Reason.DIVISIBILITY, Reason.MESH, Reason.MANUAL, Reason.NO_DIMENSION)
"""What an experiment would need another op for."""

MOST = 10
"""Obstacles one behind the other."""


class Experiments:
    """Tries the visits of one run again under other circumstances."""

    def __init__(self, session: TracedSession) -> None:
        self._session, self._judge = session, Judge(session)
        self._projections = ProjectionCache(session.table)

    def outcomes(self) -> Iterator[tuple[Reason, str]]:
        """Each stop's reason, and what came of the experiment: ``arrived``, ``cannot be tried``, or what is wrong."""
        listed = (visit for visits in VisitsOfSlots(self._session).of_slot.values() for visit in visits)
        for visit in {id(visit): visit for visit in listed}.values():
            # Where a tensor occurs twice, or looks different from the two sides, one cannot change it by itself.
            if visit.boundary is None and len(set(visit.slots)) == len(visit.slots):
                for source in range(len(visit.slots)):
                    others = [tensor for tensor in range(len(visit.slots)) if tensor != source]
                    for obstacle in self._judge.obstacles(visit, source, others):
                        yield obstacle.reason, self._try(visit, source, others, obstacle)

    def _try(self, visit: VisitOfSlots, source: int, others: list[int], obstacle: Obstacle) -> str:
        current = self._session.store.current
        before = list(current)
        axis, reasons = obstacle.axes[0], list[str]()
        target = obstacle.target
        try:
            for _ in range(MOST):
                reasons.append(obstacle.reason.value)
                if obstacle.reason in UNREMOVABLE:
                    return "cannot be tried"
                visit = self._without(visit, obstacle)
                targets = others if target is None else [target]
                if any(self._arrives(visit, axis, tensor) for tensor in targets):
                    return "arrived"
                if any(self._is_outrun(visit, axis, tensor) for tensor in targets):
                    return "another one arrived"
                found = self._judge.obstacles(visit, source, targets)
                rest = [one for one in found if one.axes[0].overlaps(axis) and one != obstacle]
                if not rest:
                    break
                obstacle = rest[0]
            return f"did not arrive: {', '.join(reasons)}"
        finally:
            current[:] = before

    def _arrives(self, visit: VisitOfSlots, axis: AxisRef, target: int) -> bool:
        """Whether a visit brings the axis, or a part of it, to a tensor."""
        numbers, updates = self._visited(visit)
        return target in updates and self._has(updates[target], axis) and not self._has(numbers[target], axis)

    def _is_outrun(self, visit: VisitOfSlots, axis: AxisRef, target: int) -> bool:
        """Whether a visit brings an axis of a third tensor to the target, which then cannot have this one any more."""
        numbers, updates = self._visited(visit)
        return target in updates and self._bars(updates[target], axis) and not self._bars(numbers[target], axis)

    def _visited(self, visit: VisitOfSlots) -> tuple[tuple[int, ...], dict[int, int]]:
        """The shardings around the op, and those that a visit changes, by number."""
        profile, table = visit.profile, self._session.table
        kind = OpKind(
            profile.rule,
            profile.directions(None),
            FactorStrategy.AGGRESSIVE,
            profile.is_conservative,
            profile.is_elementwise,
        )
        numbers = tuple(self._session.store.current[slot] for slot in visit.slots)
        return numbers, dict(Visit(kind, table, self._projections).updates(numbers))

    def _has(self, number: int, axis: AxisRef) -> bool:
        sharding = self._session.table.shardings[number]
        return sharding is not None and any(any_overlap((axis,), axes) for axes in sharding.dim_axes)

    def _bars(self, number: int, axis: AxisRef) -> bool:
        sharding = self._session.table.shardings[number]
        return sharding is not None and any(
            axis.prefix_without(own) != axis for axes in sharding.dim_axes for own in axes
        )

    # Taking away what is in the way --------------------------------------------------------------

    def _without(self, visit: VisitOfSlots, obstacle: Obstacle) -> VisitOfSlots:
        """The op without the obstacle, which the shardings lose, too."""
        profile = visit.profile
        if obstacle.reason is Reason.BLOCKED:
            return replace(visit, profile=replace(profile, rule=replace(profile.rule, blocked_propagation=())))
        if obstacle.reason is Reason.BARRIER:
            return replace(visit, profile=replace(profile, fixed=Direction.BOTH))
        if obstacle.cause is not None:
            tensor, dim = obstacle.cause
            slot, store, table = visit.slots[tensor], self._session.store, self._session.table
            sharding = table.shardings[store.current[slot]]
            assert sharding is not None
            sizes = table.mesh(sharding.mesh_or_ref).axis_sizes
            store.current[slot] = table.number(_changed(sharding, dim, obstacle.rival, sizes))
        return visit


def _changed(sharding: TensorSharding, dim: int | None, rival: AxisRef | None, sizes: AxisSizes) -> TensorSharding:
    """Without the rival in a dimension, or in none; if there is no rival, with the dimension open."""
    if dim is None:
        assert rival is not None
        replicated = difference(sharding.replicated, (rival,), sizes)
        return sharding.with_replicated(replicated).with_unreduced(difference(sharding.unreduced, (rival,), sizes))
    changed = sharding.dims[dim]
    changed = (
        replace(changed, is_closed=False) if rival is None else changed.with_axes(_in_front(changed.axes, rival, sizes))
    )
    return sharding.with_dims([*sharding.dims[:dim], changed, *sharding.dims[dim + 1 :]])


def _in_front(axes: AxisList, rival: AxisRef, sizes: AxisSizes) -> AxisList:
    """What is in front of the rival."""
    index = next(index for index, axis in enumerate(axes) if axis.overlaps(rival))
    parts = difference((axes[index],), (rival,), sizes)
    return (*axes[:index], *(part for part in parts if part.pre_size < rival.pre_size))


def test_reasons_are_true() -> None:
    found = Counter[tuple[Reason, str]]()
    wrong: list[str] = []
    context = sdy.make_context()
    for seed in seeds(60, 3_000):
        module = sdy.parse(generate(seed, EDGES if seed % 2 else TANGLED), context=context)
        with context, ir.Location.unknown():
            try:
                session = traced_propagation(module.operation, OpPriorityOptions())
            except DiagnosticError as error:
                assert "sharding_group" in str(error)  # with values inside and outside of a manual computation
                continue
            for reason, outcome in Experiments(session).outcomes():
                found[reason, outcome] += 1
                if outcome.startswith("did"):
                    wrong.append(f"seed {seed}, {outcome}")
    assert not wrong, "\n".join(wrong[:20])
    tried = {reason for reason, outcome in found if outcome == "arrived"}
    assert tried >= {Reason.CONFLICT, Reason.PRIORITY, Reason.CLOSED, Reason.IN_USE}, found
