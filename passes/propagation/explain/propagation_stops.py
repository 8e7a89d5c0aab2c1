"""Stops of axes, their reasons and first causes, for explanations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Self

from sdy.dialect.values.axes import AxisList, AxisRef, any_overlap, behind, common_prefix, is_strict_prefix
from sdy.dialect.values.rule import FactorSharding, contains_factor, is_full
from sdy.lazy_dataclass import dataclass
from sdy.passes.propagation.engine.driver import UseCounts
from sdy.passes.propagation.engine.strategy import (
    Direction,
    OpFactors,
    Projection,
    RefusalKind,
    contradiction,
    refusal,
)
from sdy.passes.propagation.engine.visit import OpKind, ProjectionCache, Visit
from sdy.passes.propagation.engine.visits import LEVELS, Boundary, OpProfile, Visits, identity_profile
from sdy.passes.propagation.explain.propagation_trace import PropagationPhase, TracedSession


class Reason(Enum):
    """Reason that stops an axis at an op; the value is its keyword.

    Attributes:
      detail: the explaining sentence, for reasons with a fixed one.
    """

    detail: str

    def __new__(cls, word: str, detail: str = "") -> Self:
        reason = object.__new__(cls)
        reason._value_ = word
        reason.detail = detail
        return reason

    CONFLICT = "conflict"
    """Another tensor of the op has another axis there."""
    PRIORITY = "priority"
    """A conflict won by an axis whose propagation has a higher priority."""
    IN_USE = "axis in use"
    """The other tensor already uses the axis for something else."""
    CLOSED = "closed dimension"
    BLOCKED = "blocked factor", "the sharding rule blocks this dimension"
    NO_RULE = "no sharding rule", "the correspondence of dimensions in operands and results is unknown"
    NO_DIMENSION = "no such dimension", "no other operand or result of the op has this dimension"
    DIVISIBILITY = "divisibility"
    """The sizes of dimensions and axes do not go together."""
    BARRIER = "propagation barrier", "the barrier does not let it through in this direction"
    MANUAL = "manual axis", "it is not visible outside of the computation"
    MESH = "different meshes", "the tensors of the op are on different meshes"
    ORDER = "order of visits", "it fits, but the op was not visited again after it arrived"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """`axes` do not reach tensor number `target` of an op (None: do not cross the op).

    Operands count from 0, results follow.

    `cause` is the obstacle: a dimension of a tensor, with the dimension None for axes that the sharding lists as
    replicated or unreduced. `rival` is the axis there, `factor_size` the size of the factor that is too small. If the
    first one won, `rival_phase` is when the rival arrived, and `phase` when `axes` could have.
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


class Referee:
    """Compares the arrival times of axes in one run."""

    def __init__(self, session: TracedSession) -> None:
        self._session = session
        self._uses = UseCounts(session.snapshot)

    def timed(self, obstacle: Obstacle, visit: VisitOfSlots, source: int, factor: int) -> Obstacle:
        """Return the obstacle to axes of tensor `source`, or the priority by which its rival came first."""
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
        """Return when an axis arrived at a slot; None if unknown."""
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


class Judge:
    """Finds the reasons why axes do not propagate, for one visit after the other."""

    def __init__(self, session: TracedSession) -> None:
        self._session = session
        self._projections = ProjectionCache(session.table)
        self._referee = Referee(session)

    def obstacles(self, visit: VisitOfSlots, source: int, targets: Sequence[int]) -> list[Obstacle]:
        """Return the obstacles to axes of tensor `source`, in the order of dimensions."""
        own = self._session.store.current[visit.slots[source]]
        numbers = [self._session.store.current[slot] for slot in visit.slots]
        if visit.boundary is not None:
            numbers[-1] = visit.boundary.at_sources(numbers[-1])
        return [*self._hidden(own, numbers[source]), *self._visible(visit, tuple(numbers), source, targets)]

    def _hidden(self, own: int, seen: int) -> Iterator[Obstacle]:
        """Axes of the edge of a manual computation that its sources do not see."""
        visible = self._axes(seen)
        hidden = tuple(axis for axis in self._axes(own) if not any_overlap((axis,), visible))
        if own != seen and hidden:
            yield Obstacle(hidden, None, Reason.MANUAL)

    def _visible(
        self, visit: VisitOfSlots, numbers: tuple[int, ...], source: int, targets: Sequence[int]
    ) -> Iterator[Obstacle]:
        axes, table = self._axes(numbers[source]), self._session.table
        if not axes:
            return
        mesh = table.common_mesh(numbers)
        if mesh is None:
            yield Obstacle(axes, None, Reason.MESH)
            return
        profile, strategy = visit.profile, self._session.options.propagation_strategy.sweeps[-1]
        kind = OpKind(profile.rule, profile.directions(None), strategy, profile.is_conservative, profile.is_elementwise)
        again = Visit(kind, table, self._projections)
        yield from _Case(
            visit, again.projection(numbers), again.op_factors(mesh), kind, source, self._referee
        ).obstacles(targets)

    def _axes(self, number: int) -> AxisList:
        sharding = self._session.table.shardings[number]
        return () if sharding is None else tuple(axis for dim in sharding.dim_axes for axis in dim)


class _Case:
    """One visit, seen from the tensor `source`."""

    def __init__(
        self, visit: VisitOfSlots, projection: Projection, op: OpFactors, kind: OpKind, source: int, referee: Referee
    ) -> None:
        self._visit, self._source, self._referee = visit, source, referee
        self._projection, self._tensors, self._op = projection, projection.tensors, op
        self._rule, self._strategy = kind.rule, kind.strategy

    def obstacles(self, targets: Sequence[int]) -> Iterator[Obstacle]:
        for dim in self._rule.tensors[self._source]:
            for factor in dim:
                projected = self._tensors[self._source].factors[factor]
                if projected is not None:
                    yield from self._of_factor(factor, projected, targets)

    def _of_factor(self, factor: int, projected: FactorSharding, targets: Sequence[int]) -> Iterator[Obstacle]:
        if projected.overflow:
            size = self._rule.factor_sizes[factor]
            yield Obstacle(projected.overflow, None, Reason.DIVISIBILITY, factor_size=size)
        if not projected.axes:
            return
        mapped = [t for t, mapping in enumerate(self._rule.tensors) if contains_factor(mapping, factor)]
        if mapped == [self._source] and len(targets) == len(self._tensors) - 1:
            yield Obstacle(projected.axes, None, Reason.NO_DIMENSION)
        for target in targets:
            if target in mapped and target != self._source:
                yield from self._of_target(factor, projected.axes, target)

    def _of_target(self, factor: int, axes: AxisList, target: int) -> Iterator[Obstacle]:
        has = self._tensors[target].axes(factor)
        if has == axes or is_strict_prefix(axes, has):
            return
        missing = behind(axes, common_prefix(axes, has), self._op.sizes)
        if factor in self._rule.blocked_propagation:
            yield Obstacle(missing, None, Reason.BLOCKED)
        elif not self._is_open(factor):
            yield Obstacle(missing, target, Reason.BARRIER)
        else:
            yield self._conflict(factor, axes, missing, target) or self._refusal(factor, axes, missing, target)

    def _is_open(self, factor: int) -> bool:
        """Return whether the direction of the factor lets axes of the source tensor go on."""
        needed = Direction.FORWARD if self._source < self._visit.num_operands else Direction.BACKWARD
        return bool(self._op.directions[factor] & needed)

    # Conflicts -----------------------------------------------------------------------------------

    def _conflict(self, factor: int, axes: AxisList, missing: AxisList, target: int) -> Obstacle | None:
        """Return the tensor, the target first, with other axes from the first missing one on."""
        others = [other for other in range(len(self._tensors)) if other not in (self._source, target)]
        for other in (target, *others):
            found = contradiction(axes, self._tensors[other].axes(factor), self._op.sizes)
            if found is not None and len(found.first) >= len(missing):
                cause = (other, self._dim_of(other, factor))
                return self._timed(factor, Obstacle(missing, target, Reason.CONFLICT, cause, found.second[0]))
        return None

    # One tensor refuses --------------------------------------------------------------------------

    def _refusal(self, factor: int, axes: AxisList, missing: AxisList, target: int) -> Obstacle:
        """Return the tensor, targets first, that refuses one of the axes up to the first missing one."""
        limits = self._strategy.limits_of(target, factor, self._projection, self._op)
        for at in (target, *(limit for limit in limits if limit != self._source)):
            for axis in behind(axes, common_prefix(axes, self._tensors[at].axes(factor)), self._op.sizes):
                found = self._refused_by(at, factor, axis, missing, target)
                if found is not None:
                    return found
                if axis.overlaps(missing[0]):
                    break
        return Obstacle(missing, target, Reason.ORDER)

    def _refused_by(self, at: int, factor: int, axis: AxisRef, missing: AxisList, target: int) -> Obstacle | None:
        """Return why the tensor `at` refuses `axis`, which would bring the missing axes to `target`."""
        tensor = self._tensors[at]
        if at == target and tensor.factors[factor] is None:
            return self._without_room(at, factor, missing, target)
        found = refusal(axis, tensor, factor, self._op)
        if found is None:
            is_lost = at == target and self._is_strided(factor, at)
            return self._indivisible(at, factor, missing, target) if is_lost else None
        if found.kind in (RefusalKind.NAMED, RefusalKind.USED):
            dim = None if found.rival_factor is None else self._dim_of(at, found.rival_factor)
            return self._timed(factor, Obstacle(missing, target, Reason.IN_USE, (at, dim), found.rival))
        if found.kind is RefusalKind.PART:
            return self._indivisible(at, factor, missing, target)
        return self._without_room(at, factor, missing, target)

    def _without_room(self, at: int, factor: int, missing: AxisList, target: int) -> Obstacle:
        """Return why the factor's dimension of tensor `at` takes no more axes: it is closed, or they do not fit."""
        dim = self._dim_of(at, factor)
        first = self._tensors[at].factors[self._rule.tensors[at][dim][0]]
        if first is not None and first.is_closed:
            return Obstacle(missing, target, Reason.CLOSED, (at, dim))
        return self._indivisible(at, factor, missing, target)

    def _indivisible(self, at: int, factor: int, missing: AxisList, target: int) -> Obstacle:
        dim = self._dim_of(at, factor) if contains_factor(self._rule.tensors[at], factor) else None
        size = self._rule.factor_sizes[factor]
        return Obstacle(missing, target, Reason.DIVISIBILITY, (at, dim), factor_size=size)

    def _is_strided(self, factor: int, at: int) -> bool:
        """Return whether a factor before this one in its dimension is not full."""
        factors = self._rule.tensors[at][self._dim_of(at, factor)]
        before = ((f, self._tensors[at].factors[f]) for f in factors[: factors.index(factor)])
        return any(s is None or not is_full(s, self._rule.factor_sizes[f], self._op.sizes) for f, s in before)

    def _dim_of(self, tensor: int, factor: int) -> int:
        return next(dim for dim, factors in enumerate(self._rule.tensors[tensor]) if factor in factors)

    def _timed(self, factor: int, obstacle: Obstacle) -> Obstacle:
        return self._referee.timed(obstacle, self._visit, self._source, factor)
