"""The factor strategies, basic and aggressive, and the strategies that combine them (spec: propagation, 5.3, 5.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from sdy.dialect.values.axes import AxisList, AxisRef, is_strict_prefix, product
from sdy.passes.propagation.strategies.factor_propagation import (
    OpFactors,
    Projection,
    TensorProjection,
    compatible_axes,
    fitting,
    free_of_other_factors,
    truncate,
)


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
