"""The basic factor strategy: all tensors of an op get the same axes, or none (spec: propagation, 5.3)."""

from __future__ import annotations

from sdy.dialect.values.axes import AxisRef
from sdy.passes.propagation.strategies.compatible_axes import compatible_axes
from sdy.passes.propagation.strategies.factor_propagation import (
    OpFactors,
    Projection,
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
