"""Why axes do not travel from one tensor of an op to another: read off the shardings at the end of propagation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from sdy.dialect.values.axes import (
    AxisList,
    AxisRef,
    AxisSizes,
    any_overlap,
    common_prefix,
    difference,
    is_strict_prefix,
    product,
)
from sdy.dialect.values.factors import FactorSharding
from sdy.dialect.values.rule import contains_factor
from sdy.passes.propagation.engine.op_priorities import LEVELS, OpProfile
from sdy.passes.propagation.engine.use_counts import UseCounts
from sdy.passes.propagation.engine.visit import OpKind, OpStep, ProjectionCache
from sdy.passes.propagation.engine.visits import Boundary, OpReader, identity_profile
from sdy.passes.propagation.explain.propagation_trace import PropagationPhase, TracedSession
from sdy.passes.propagation.strategies.direction import Direction
from sdy.passes.propagation.strategies.factor_propagation import Projection, TensorProjection
from sdy.passes.propagation.strategies.strategy import FactorStrategy


class Reason(Enum):
    """What keeps an axis from travelling across an op."""

    CONFLICT = "conflict"
    """Another tensor of the op has another axis there."""
    PRIORITY = "priority"
    """The same or the next one, and the other axis was there first because what it came by has a higher priority."""
    IN_USE = "axis in use"
    """The other tensor already uses the axis for something else."""
    CLOSED = "closed dimension"
    BLOCKED = "blocked factor"
    """The sharding rule does not let anything through there."""
    NO_RULE = "no sharding rule"
    NO_DIMENSION = "no such dimension"
    """No other tensor of the op has that dimension."""
    DIVISIBILITY = "divisibility"
    """The sizes of dimensions and axes do not go together."""
    BARRIER = "propagation barrier"
    MANUAL = "manual axis"
    """The other side of the computation's border does not see it."""
    MESH = "different meshes"
    ORDER = "order of visits"
    """It could travel, but the op was not visited again after it had come."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """`axes` do not get to tensor number `target` of an op (None: not across the op); operands count from 0, results
    follow.

    `cause` is what is in the way: a dimension of a tensor, with the dimension None for axes that the sharding names as
    replicated or unreduced. `rival` is the axis there, `factor_size` that of the factor that is too small. If it was
    decided by who came first, `rival_phase` says when the rival came, and `phase` when `axes` could.
    """

    axes: AxisList
    target: int | None
    reason: Reason
    cause: tuple[int, int | None] | None = None
    rival: AxisRef | None = None
    rival_phase: PropagationPhase | None = None
    phase: PropagationPhase | None = None
    factor_size: int | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """An op between whose tensors, kept in `slots`, shardings are propagated."""

    op: int
    profile: OpProfile
    slots: tuple[int, ...]
    boundary: Boundary | None = None

    @property
    def num_operands(self) -> int:
        return len(self.profile.rule.operands)


class Visits:
    """All visits of a run by the slots that they read."""

    def __init__(self, session: TracedSession) -> None:
        self.of_slot: dict[int, list[Visit]] = {}
        self.reader = reader = OpReader(session.store, conservative=session.options.conservative_propagation)
        for op, position in enumerate(reader.profile_of):
            if position >= 0 and session.driver.is_alive(op):
                self._add(Visit(op, reader.profiles[position], reader.slots[op], reader.boundaries.get(op)))
        for op, slots, profile in _function_results(session):
            self._add(Visit(op, profile, slots))

    def _add(self, visit: Visit) -> None:
        for slot in dict.fromkeys(visit.slots):
            self.of_slot.setdefault(slot, []).append(visit)


def _function_results(session: TracedSession) -> Iterator[tuple[int, tuple[int, int], OpProfile]]:
    snapshot, store = session.snapshot, session.store
    main = snapshot.main_function
    for value, result in zip(snapshot.returned(main), store.function_results[main], strict=False):
        profile = identity_profile(snapshot.types[value])
        if profile is not None:
            yield main, (store.slot_of[value], result), profile


class Judge:
    """Says for one visit after the other what stops where."""

    def __init__(self, session: TracedSession) -> None:
        self._session = session
        self._projections = ProjectionCache(session.table)
        self._uses = UseCounts(session.snapshot)

    def obstacles(self, visit: Visit, source: int, targets: Sequence[int]) -> list[Obstacle]:
        """What keeps axes of tensor `source` from some of the other tensors, in the order of dimensions."""
        return list(_Case(self._session, self._uses, self._projections, visit, source).obstacles(targets))


class _Case:
    """One visit, seen from the tensor `source`."""

    def __init__(
        self, session: TracedSession, uses: UseCounts, projections: ProjectionCache, visit: Visit, source: int
    ) -> None:
        self._session, self._uses, self._visit, self._source = session, uses, visit, source
        self._name = session.snapshot.names[visit.op]
        profile = visit.profile
        self._rule = rule = profile.rule
        self._directions = profile.directions(None)
        current = session.store.current
        own_numbers = tuple(current[slot] for slot in visit.slots)
        numbers = own_numbers
        if visit.boundary is not None:
            numbers = (*numbers[:-1], visit.boundary.at_sources(numbers[-1]))
        self._shardings = [session.table.shardings[number] for number in numbers]
        self._own = session.table.shardings[own_numbers[source]]
        self._is_elementwise = profile.is_elementwise
        strategies = session.options.propagation_strategy.sweeps
        self._is_basic = FactorStrategy.AGGRESSIVE not in strategies
        self._mesh = session.table.common_mesh(numbers)
        self._sizes: AxisSizes = {} if self._mesh is None else session.table.mesh(self._mesh).axis_sizes
        kind = OpKind(rule, self._directions, strategies[-1], profile.is_conservative, profile.is_elementwise)
        self._projection: Projection | None = None
        if self._mesh is not None:
            self._projection = OpStep(kind, session.table, projections).projection(numbers)

    def obstacles(self, targets: Sequence[int]) -> Iterator[Obstacle]:
        sharding = self._shardings[self._source]
        hidden = self._hidden_axes()
        if hidden:
            yield Obstacle(hidden, None, Reason.MANUAL)
        if sharding is None or sharding.is_fully_replicated:
            return
        if self._projection is None:
            axes = tuple(axis for dim in sharding.dim_axes for axis in dim)
            yield Obstacle(axes, None, Reason.MESH)
            return
        tensors = self._projection.tensors
        for dim in self._rule.tensors[self._source]:
            for factor in dim:
                projected = tensors[self._source].factors[factor]
                if projected is not None:
                    yield from self._of_factor(factor, projected, tensors, targets)

    def _hidden_axes(self) -> AxisList:
        """Axes of the edge of a manual computation that its sources do not see."""
        if self._visit.boundary is None or self._source != len(self._shardings) - 1 or self._own is None:
            return ()
        seen = self._shardings[self._source]
        visible = () if seen is None else tuple(axis for dim in seen.dim_axes for axis in dim)
        return tuple(axis for dim in self._own.dim_axes for axis in dim if not any_overlap((axis,), visible))

    def _of_factor(
        self, factor: int, projected: FactorSharding, tensors: Sequence[TensorProjection], targets: Sequence[int]
    ) -> Iterator[Obstacle]:
        if projected.overflow:
            size = self._rule.factor_sizes[factor]
            yield Obstacle(projected.overflow, None, Reason.DIVISIBILITY, factor_size=size)
        if not projected.axes:
            return
        mapped = [t for t in range(len(tensors)) if contains_factor(self._rule.tensors[t], factor)]
        if mapped == [self._source] and len(targets) == len(tensors) - 1:
            yield Obstacle(projected.axes, None, Reason.NO_DIMENSION)
        for target in targets:
            if target in mapped and target != self._source:
                yield from self._of_target(factor, projected.axes, tensors, target)

    def _of_target(
        self, factor: int, axes: AxisList, tensors: Sequence[TensorProjection], target: int
    ) -> Iterator[Obstacle]:
        has = tensors[target].axes(factor)
        if has == axes or is_strict_prefix(axes, has):
            return
        missing = _behind(axes, common_prefix(axes, has), self._sizes)
        if factor in self._rule.blocked_propagation:
            yield Obstacle(missing, None, Reason.BLOCKED)
        elif not self._is_open(factor, target):
            yield Obstacle(missing, target, Reason.BARRIER)
        else:
            conflict = self._conflict(factor, axes, missing, tensors, target)
            yield conflict or self._refusal(factor, axes, missing, tensors, target)

    def _is_open(self, factor: int, target: int) -> bool:
        """Whether the direction of the factor lets axes of the source tensor go on."""
        forward = self._source < self._visit.num_operands
        needed = Direction.FORWARD if forward else Direction.BACKWARD
        return bool(self._directions[factor] & needed)

    # Conflicts -----------------------------------------------------------------------------------

    def _conflict(
        self, factor: int, axes: AxisList, missing: AxisList, tensors: Sequence[TensorProjection], target: int
    ) -> Obstacle | None:
        """The tensor, the target first, that has other axes from the first one on that is missing."""
        others = [other for other in range(len(tensors)) if other not in (self._source, target)]
        for other in (target, *others):
            has = tensors[other].axes(factor)
            shared = common_prefix(axes, has)
            rest, theirs = _behind(axes, shared, self._sizes), _behind(has, shared, self._sizes)
            if rest and theirs and len(rest) >= len(missing):
                cause = (other, self._dim_of(other, factor))
                return self._timed(factor, Obstacle(missing, target, Reason.CONFLICT, cause, theirs[0]))
        return None

    def _dim_of(self, tensor: int, factor: int) -> int:
        return next(d for d, factors in enumerate(self._rule.tensors[tensor]) if factor in factors)

    # One tensor refuses --------------------------------------------------------------------------

    def _refusal(
        self, factor: int, axes: AxisList, missing: AxisList, tensors: Sequence[TensorProjection], target: int
    ) -> Obstacle:
        """The tensor, the target first, that does not take one of the axes up to the first one that is missing."""
        for at in (target, *self._holding_back(factor, tensors, target)):
            for axis in _behind(axes, common_prefix(axes, tensors[at].axes(factor)), self._sizes):
                found = self._refused_by(factor, axis, missing, tensors, target, at)
                if found is not None:
                    return found
                if axis.overlaps(missing[0]):
                    break
        return Obstacle(missing, target, Reason.ORDER)

    def _holding_back(self, factor: int, tensors: Sequence[TensorProjection], target: int) -> list[int]:
        """The tensors without which the target takes no axes: all of them in the basic strategy; in the aggressive one
        the results of an elementwise op for its operands."""
        others = [other for other in range(len(tensors)) if other not in (self._source, target)]
        if self._is_basic:
            return others
        num_operands = self._visit.num_operands
        if not self._is_elementwise or target >= num_operands:
            return []
        return [other for other in others if other >= num_operands and tensors[other].factors[factor] is not None]

    def _refused_by(
        self,
        factor: int,
        axis: AxisRef,
        missing: AxisList,
        tensors: Sequence[TensorProjection],
        target: int,
        at: int,
    ) -> Obstacle | None:
        """Why the tensor `at` does not take `axis`, with which the missing ones would get to `target`."""
        tensor = tensors[at]
        taken = next((own for own in tensor.blocked if _bars(own, axis)), None)
        if taken is not None:
            return self._timed(factor, Obstacle(missing, target, Reason.IN_USE, (at, None), taken))
        if contains_factor(self._rule.tensors[at], factor):
            refusal = self._refused_by_dim(factor, axis, missing, tensor, target, at)
            if refusal is not None:
                return refusal
        used = self._used(tensor, factor, axis)
        if used is not None:
            own, other = used
            cause = (at, self._dim_of(at, other))
            return self._timed(factor, Obstacle(missing, target, Reason.IN_USE, cause, own))
        is_part = axis.sub_axis is not None and self._visit.profile.is_conservative
        if is_part or (contains_factor(self._rule.tensors[at], factor) and self._is_strided(factor, tensor, at)):
            return self._indivisible(factor, missing, target, at)
        return None

    def _refused_by_dim(
        self, factor: int, axis: AxisRef, missing: AxisList, tensor: TensorProjection, target: int, at: int
    ) -> Obstacle | None:
        """Why the factor's own dimension of the tensor `at` does not take `axis`."""
        own, sharding, dim = tensor.factors[factor], self._shardings[at], self._dim_of(at, factor)
        if sharding is not None and sharding.dims[dim].is_closed:
            return Obstacle(missing, target, Reason.CLOSED, (at, dim))
        if own is None or own.is_closed or own.overflow or not self._fits(factor, own, axis):
            return self._indivisible(factor, missing, target, at)
        return None

    def _indivisible(self, factor: int, missing: AxisList, target: int, at: int) -> Obstacle:
        dim = self._dim_of(at, factor) if contains_factor(self._rule.tensors[at], factor) else None
        size = self._rule.factor_sizes[factor]
        return Obstacle(missing, target, Reason.DIVISIBILITY, (at, dim), factor_size=size)

    def _fits(self, factor: int, own: FactorSharding, axis: AxisRef) -> bool:
        """Whether the factor, if not the last one of its dimension, can be split further by some of the axis."""
        size, shards = self._rule.factor_sizes[factor], product(own.axes, self._sizes)
        if own.is_minor_most:
            return True
        return size % shards == 0 and math.gcd(size // shards, axis.size(self._sizes)) > 1

    def _is_strided(self, factor: int, tensor: TensorProjection, at: int) -> bool:
        """Whether a factor before this one in its dimension is not fully sharded."""
        factors = self._rule.tensors[at][self._dim_of(at, factor)]
        before = factors[: factors.index(factor)]
        return any(product(tensor.axes(f), self._sizes) < self._rule.factor_sizes[f] for f in before)

    def _used(self, tensor: TensorProjection, factor: int, axis: AxisRef) -> tuple[AxisRef, int] | None:
        """An axis of another factor of the tensor that keeps `axis` out, and the factor."""
        for other, sharding in enumerate(tensor.factors):
            if other != factor and sharding is not None:
                found = next((one for one in sharding.all_axes if _bars(one, axis)), None)
                if found is not None:
                    return found, other
        return None

    # Who came first ------------------------------------------------------------------------------

    def _timed(self, factor: int, obstacle: Obstacle) -> Obstacle:
        """The obstacle, or that of the priority by which its rival came first."""
        assert obstacle.rival is not None and obstacle.cause is not None
        slot = self._visit.slots[obstacle.cause[0]]
        came, could = self._phase_of(obstacle.rival, slot), self._chance(factor, obstacle.axes[0])
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

    def _chance(self, factor: int, axis: AxisRef) -> PropagationPhase | None:
        """From when on the op could have passed the axis on."""
        there = self._phase_of(axis, self._visit.slots[self._source])
        # What ties a function's results to what is returned ignores levels.
        has_levels = self._session.options.run_op_priority_propagation and self._name != "func.func"
        if there is None or not has_levels:
            return there
        profile = self._visit.profile
        only_user = self._uses.is_only_user(self._visit.op)
        forward = self._source < self._visit.num_operands
        needed = Direction.FORWARD if forward else Direction.BACKWARD
        allowed = (p for p in LEVELS if profile.directions(p, is_only_user=only_user)[factor] & needed)
        return PropagationPhase(there.priority, max(there.level, next(allowed, 0)))


def _behind(axes: AxisList, prefix: AxisList, sizes: AxisSizes) -> AxisList:
    """What follows `prefix` in `axes`."""
    if not prefix:
        return axes
    last = len(prefix) - 1
    return (*difference((axes[last],), (prefix[last],), sizes), *axes[last + 1 :])


def _bars(own: AxisRef, axis: AxisRef) -> bool:
    """Whether a tensor that has `own` cannot have all of `axis` as well."""
    return axis.prefix_without(own) != axis
