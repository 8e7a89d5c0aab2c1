"""Why axes do not travel from one tensor of an op to another, given the shardings at the end of propagation.

What the strategies refuse they say themselves; here it is said of dimensions instead of factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, any_overlap, behind, common_prefix, is_strict_prefix
from sdy.dialect.values.factors import FactorSharding, is_full
from sdy.dialect.values.rule import contains_factor
from sdy.passes.propagation.engine.visit import OpKind, ProjectionCache, Visit
from sdy.passes.propagation.explain.obstacle import Obstacle, Reason
from sdy.passes.propagation.explain.propagation_trace import TracedSession
from sdy.passes.propagation.explain.visits_of_slots import VisitOfSlots
from sdy.passes.propagation.explain.who_came_first import Referee
from sdy.passes.propagation.strategies.compatible_axes import contradiction
from sdy.passes.propagation.strategies.direction import Direction
from sdy.passes.propagation.strategies.factor_propagation import OpFactors, Projection, refusal
from sdy.passes.propagation.strategies.refusal import RefusalKind


class Judge:
    """Says for one visit after the other what stops where."""

    def __init__(self, session: TracedSession) -> None:
        self._session = session
        self._projections = ProjectionCache(session.table)
        self._referee = Referee(session)

    def obstacles(self, visit: VisitOfSlots, source: int, targets: Sequence[int]) -> list[Obstacle]:
        """What keeps axes of tensor `source` from some of the other tensors, in the order of dimensions."""
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
        """Whether the direction of the factor lets axes of the source tensor go on."""
        needed = Direction.FORWARD if self._source < self._visit.num_operands else Direction.BACKWARD
        return bool(self._op.directions[factor] & needed)

    # Conflicts -----------------------------------------------------------------------------------

    def _conflict(self, factor: int, axes: AxisList, missing: AxisList, target: int) -> Obstacle | None:
        """The tensor, the target first, that has other axes from the first one on that is missing."""
        others = [other for other in range(len(self._tensors)) if other not in (self._source, target)]
        for other in (target, *others):
            found = contradiction(axes, self._tensors[other].axes(factor), self._op.sizes)
            if found is not None and len(found.first) >= len(missing):
                cause = (other, self._dim_of(other, factor))
                return self._timed(factor, Obstacle(missing, target, Reason.CONFLICT, cause, found.second[0]))
        return None

    # One tensor refuses --------------------------------------------------------------------------

    def _refusal(self, factor: int, axes: AxisList, missing: AxisList, target: int) -> Obstacle:
        """The tensor, the target first, that does not take one of the axes up to the first one that is missing."""
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
        """Why the tensor `at` does not take `axis`, with which the missing ones would get to `target`."""
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
        """The factor's dimension of the tensor `at` takes no more axes: it is closed, or does not go with them."""
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
        """Whether a factor before this one in its dimension is not full."""
        factors = self._rule.tensors[at][self._dim_of(at, factor)]
        before = ((f, self._tensors[at].factors[f]) for f in factors[: factors.index(factor)])
        return any(s is None or not is_full(s, self._rule.factor_sizes[f], self._op.sizes) for f, s in before)

    def _dim_of(self, tensor: int, factor: int) -> int:
        return next(dim for dim, factors in enumerate(self._rule.tensors[tensor]) if factor in factors)

    def _timed(self, factor: int, obstacle: Obstacle) -> Obstacle:
        return self._referee.timed(obstacle, self._visit, self._source, factor)
