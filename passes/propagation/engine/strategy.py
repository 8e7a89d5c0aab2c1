"""The factor strategies, basic and aggressive, and the strategies that combine them (spec: propagation, 5.3, 5.4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, IntFlag, auto

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, behind, is_strict_prefix, prefix_without_all, product
from sdy.dialect.values.rule import FactorSharding
from sdy.lazy_dataclass import dataclass


class Direction(IntFlag):
    """From operands to results, from results to operands, or both.

    The union of two directions is ``|`` and their intersection ``&``; the numbers are those of
    `sdy.propagation_barrier`'s `allowed_direction`.
    """

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    BOTH = 3


class RefusalKind(Enum):
    """Reason that keeps an axis out of a factor of a tensor."""

    NAMED = auto()
    """The tensor's sharding has it as replicated or unreduced."""
    USED = auto()
    """Another factor of the tensor has it."""
    CLOSED = auto()
    """The factor takes no more axes."""
    NO_ROOM = auto()
    """The factor has axes that do not divide it, or the axis does not divide what is left of it."""
    PART = auto()
    """It is a sub-axis, and the op is conservative."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a factor does not get an axis: the conflicting axis `rival`, and the factor with it."""

    kind: RefusalKind
    rival: AxisRef | None = None
    rival_factor: int | None = None


Refusals = list[Refusal]
"""List that collects the reasons of refusals, in order."""


@dataclass(slots=True)
class TensorProjection:
    """One tensor of an op, by factor; None for a factor that the tensor lacks.

    `blocked` holds the tensor's replicated, then its unreduced axes, which no factor may take.
    """

    factors: list[FactorSharding | None]
    blocked: AxisList = ()
    is_touched: bool = False

    def axes(self, factor: int) -> AxisList:
        """Return the axes of `factor`; none for a factor that the tensor lacks."""
        sharding = self.factors[factor]
        return () if sharding is None else sharding.axes

    def expand(self, factor: int, axes: AxisList) -> None:
        """Give `factor` the axes `axes`, if they extend its own (section 4.3)."""
        sharding = self.factors[factor]
        if sharding is not None and is_strict_prefix(sharding.axes, axes):
            self.factors[factor] = sharding.expanded(axes)
            self.is_touched = True


@dataclass(slots=True)
class Projection:
    """All tensors of an op, by factor."""

    operands: list[TensorProjection]
    results: list[TensorProjection]

    @property
    def tensors(self) -> list[TensorProjection]:
        """The operands, then the results."""
        return self.operands + self.results


@dataclass(frozen=True, slots=True)
class OpFactors:
    """Facts of an op that the strategies use besides its shardings.

    `directions` has one entry per factor; that of a blocked factor is NONE. `sizes` are the axis sizes of the mesh.
    """

    factor_sizes: Sequence[int]
    directions: Sequence[Direction]
    sizes: AxisSizes
    is_conservative: bool = False
    is_elementwise: bool = False


Filter = Callable[[AxisRef, int], AxisRef | None]
"""Filter that returns the usable part of an axis, given the shards before it in its factor; None if nothing."""


def truncate(axes: AxisList, op: OpFactors, allowed: Filter) -> AxisList:
    """Return the front of `axes` that `allowed` accepts; the last element may be a prefix returned by it.

    A conservative op takes no sub-axes.
    """
    out: list[AxisRef] = []
    shards = 1
    for axis in axes:
        rest = allowed(axis, shards)
        if rest is None or _is_refused_part(rest, op):
            break
        out.append(rest)
        if rest != axis:
            break
        shards *= rest.size(op.sizes)
    return tuple(out)


def _is_refused_part(axis: AxisRef, op: OpFactors) -> bool:
    return op.is_conservative and axis.sub_axis is not None


def free_of_other_factors(
    axis: AxisRef | None, tensor: TensorProjection, factor: int, refusals: Refusals | None = None
) -> AxisRef | None:
    """Return the prefix of `axis` that no factor of `tensor` other than `factor` uses.

    Reasons for the rest go to `refusals`.
    """
    for other, sharding in enumerate(tensor.factors):
        if axis is None:
            return None
        if other != factor and sharding is not None:
            if refusals is not None:
                _add_rival(axis, sharding.all_axes, RefusalKind.USED, other, refusals)
            if sharding.overflow:
                axis = prefix_without_all(axis, sharding.overflow)
            if sharding.axes and axis is not None:
                axis = prefix_without_all(axis, sharding.axes)
    return axis


def _add_rival(axis: AxisRef, taken: AxisList, kind: RefusalKind, factor: int | None, refusals: Refusals) -> None:
    """Add the first of the axes `taken` that overlaps `axis`, if there is one."""
    rival = next((one for one in taken if axis.prefix_without(one) != axis), None)
    if rival is not None:
        refusals.append(Refusal(kind, rival, factor))


def fitting(
    axis: AxisRef | None,
    tensor: TensorProjection,
    factor: int,
    shards: int,
    op: OpFactors,
    refusals: Refusals | None = None,
) -> AxisRef | None:
    """The prefix of `axis` that `factor` of `tensor` can hold behind `shards` shards; why not more, to `refusals`.

    A closed factor, or one with overflow, keeps its axes. A factor that is not the last of its dimension takes only
    axes that divide its size, so that the axes of the next factor stay contiguous.
    """
    if axis is not None and refusals is not None:
        _add_rival(axis, tensor.blocked, RefusalKind.NAMED, None, refusals)
    if axis is None or (axis := prefix_without_all(axis, tensor.blocked)) is None:
        return None
    sharding = tensor.factors[factor]
    assert sharding is not None
    if any(current.contains(axis) for current in sharding.axes):
        return axis
    if not sharding.is_closed and not sharding.overflow:
        if sharding.is_minor_most:
            return axis
        size = op.factor_sizes[factor]
        if size % shards == 0:
            axis_size = axis.size(op.sizes)
            common = math.gcd(size // shards, axis_size)
            if common == axis_size:
                return axis
            if common != 1:
                return AxisRef.sub(axis.name, axis.pre_size, common)
    if refusals is not None:
        refusals.append(Refusal(RefusalKind.CLOSED if sharding.is_closed else RefusalKind.NO_ROOM))
    last = sharding.axes[-1] if sharding.axes else None
    return last if last is not None and last.is_prefix_of(axis) else None


def refusal(axis: AxisRef, tensor: TensorProjection, factor: int, op: OpFactors) -> Refusal | None:
    """Return why `factor` of `tensor` does not take `axis` behind its present axes; None if nothing prevents it.

    For a tensor without the factor, return why another one does not take the axis in the strategy that gives all
    tensors the same axes. These are the limits of both strategies.
    """
    found: Refusals = []
    sharding = tensor.factors[factor]
    if sharding is not None:
        fitting(axis, tensor, factor, product(sharding.axes, op.sizes), op, found)
    free_of_other_factors(axis, tensor, factor, found)
    if _is_refused_part(axis, op):
        found.append(Refusal(RefusalKind.PART))
    return found[0] if found else None


def compatible_axes(projection: Projection, factor: int, direction: Direction) -> AxisList:
    """The longest axis list that extends one tensor without contradicting another.

    The tensors on the side that `direction` starts from may extend the list; the other side only shortens it, unless
    the direction is BOTH. After a disagreement the list only gets shorter.
    """
    if direction == Direction.NONE:
        return ()
    first, second = projection.operands, projection.results
    if direction == Direction.BACKWARD:
        first, second = second, first
    axes, can_grow = _fold((), True, first, factor)
    return _fold(axes, can_grow and direction == Direction.BOTH, second, factor)[0]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The axes of two tensors from where on they disagree: neither list is empty."""

    first: AxisList
    second: AxisList


def contradiction(first: AxisList, second: AxisList, sizes: AxisSizes) -> Contradiction | None:
    """Return the position where two tensors disagree on the axes of a factor; None if one list extends the other."""
    agreed, do_agree = _join(first, second, True)
    return None if do_agree else Contradiction(behind(first, agreed, sizes), behind(second, agreed, sizes))


def _fold(axes: AxisList, can_grow: bool, tensors: Iterable[TensorProjection], factor: int) -> tuple[AxisList, bool]:
    for tensor in tensors:
        sharding = tensor.factors[factor]
        if sharding is not None and (sharding.axes or axes):
            axes, can_grow = _join(axes, sharding.axes, can_grow)
    return axes, can_grow


def _join(old: AxisList, new: AxisList, can_grow: bool) -> tuple[AxisList, bool]:
    """Return `old` and `new` as one list, up to their disagreement; and whether later tensors may still extend it."""
    out: list[AxisRef] = []
    common = min(len(old), len(new))
    for position in range(common):
        o, n = old[position], new[position]
        if o == n:
            out.append(o)
        elif n.is_prefix_of(o):
            if position + 1 < len(new):
                return (*out, n), False
            out.append(o)
        elif o.is_prefix_of(n):
            if not can_grow or position + 1 < len(old):
                return (*out, o), False
            out.append(n)
        else:
            return tuple(out), False
    out += old[common:]
    if can_grow:
        out += new[common:]
    return tuple(out), can_grow


def propagate_basic(projection: Projection, op: OpFactors) -> None:
    """Expands each factor, in index order, to the compatible axes that fit every tensor. Changes `projection`."""
    tensors = projection.tensors
    for factor, direction in enumerate(op.directions):
        axes = compatible_axes(projection, factor, direction)

        def fits_everywhere(axis: AxisRef | None, shards: int, factor: int = factor) -> AxisRef | None:
            for tensor in tensors:
                axis = free_of_other_factors(axis, tensor, factor)
                if axis is not None and tensor.factors[factor] is not None:
                    axis = fitting(axis, tensor, factor, shards, op)
                if axis is None:
                    return None
            return axis

        if axes:
            axes = truncate(axes, op, fits_everywhere)
        if axes:
            for tensor in tensors:
                tensor.expand(factor, axes)


def propagate_aggressive(projection: Projection, op: OpFactors) -> None:
    """Expands the factors of each result, then of each operand, to as many compatible axes as fit this tensor.

    Where two factors need the same axis, the one from the larger tensor comes first; on an elementwise op, where all
    have one size, the one with more shards. Changes `projection`.
    """
    wanted = [compatible_axes(projection, factor, direction) for factor, direction in enumerate(op.directions)]
    order = _by_importance(projection, wanted, op)
    for tensor in projection.results:
        for factor in order:
            _expand(tensor, factor, wanted[factor], op)
    stops = limits_of_operands(projection, op)
    for tensor in projection.operands:
        for factor in order:
            _expand(tensor, factor, wanted[factor], op, stops)


def limits_of_operands(projection: Projection, op: OpFactors) -> Sequence[TensorProjection]:
    """The results that operands must not get ahead of."""
    return projection.results if op.is_elementwise else ()


def _by_importance(projection: Projection, wanted: Sequence[AxisList], op: OpFactors) -> list[int]:
    """Return the factors that need axes, by precedence."""
    active = [factor for factor, axes in enumerate(wanted) if axes]
    if len(active) < 2:
        return active
    tensors = projection.tensors
    sizes = [_size(tensor, op) for tensor in tensors]

    def key(factor: int) -> tuple[int, int, int, int]:
        source_size, source = -1, -1
        for number, tensor in enumerate(tensors):
            sharding = tensor.factors[factor]
            if sharding is None or sizes[number] <= source_size:
                continue
            if sharding.axes == wanted[factor] or is_strict_prefix(wanted[factor], sharding.axes):
                source_size, source = sizes[number], number
        shards = product(wanted[factor], op.sizes) if op.is_elementwise else 0
        return (-source_size, -shards, source, factor)

    return sorted(active, key=key)


def _size(tensor: TensorProjection, op: OpFactors) -> int:
    """Return the number of elements covered by factors."""
    present = (size for size, sharding in zip(op.factor_sizes, tensor.factors, strict=True) if sharding is not None)
    return math.prod(present)


def _expand(
    tensor: TensorProjection, factor: int, wanted: AxisList, op: OpFactors, stops: Sequence[TensorProjection] = ()
) -> None:
    """Expand one factor of one tensor. `stops` are results that an operand must not exceed."""
    sharding = tensor.factors[factor]
    if sharding is None:
        return
    axes = truncate(wanted, op, lambda axis, shards: fitting(axis, tensor, factor, shards, op))
    if not is_strict_prefix(sharding.axes, axes):
        return
    axes = truncate(axes, op, lambda axis, _: free_of_other_factors(axis, tensor, factor))
    if not axes:
        return
    for stop in stops:
        limit = stop.factors[factor]
        if limit is not None and is_strict_prefix(limit.axes, axes):
            axes = limit.axes
    tensor.expand(factor, axes)


class FactorStrategy(Enum):
    """Strategy that resolves conflicts between the tensors of one op."""

    BASIC = "basic"
    AGGRESSIVE = "aggressive"

    __hash__ = object.__hash__  # Enum's own is written in Python

    def propagate(self, projection: Projection, op: OpFactors) -> None:
        """Expands the factors of `projection` in place."""
        if self is FactorStrategy.BASIC:
            propagate_basic(projection, op)
        else:
            propagate_aggressive(projection, op)

    def limits_of(self, target: int, factor: int, projection: Projection, op: OpFactors) -> list[int]:
        """Return the numbers of the other tensors that prevent `target` from taking axes for `factor`."""
        if self is FactorStrategy.BASIC:
            return [number for number in range(len(projection.tensors)) if number != target]
        num_operands = len(projection.operands)
        limits = limits_of_operands(projection, op) if target < num_operands else ()
        return [number for number, limit in enumerate(limits, num_operands) if limit.factors[factor] is not None]


class PropagationStrategy(Enum):
    """The option `propagation-strategy`: which factor strategies run, one complete sweep after the other."""

    BASIC = "basic"
    AGGRESSIVE = "aggressive"
    BASIC_THEN_AGGRESSIVE = "basic-then-aggressive"

    @property
    def sweeps(self) -> tuple[FactorStrategy, ...]:
        if self is PropagationStrategy.BASIC_THEN_AGGRESSIVE:
            return (FactorStrategy.BASIC, FactorStrategy.AGGRESSIVE)
        return (FactorStrategy(self.value),)
