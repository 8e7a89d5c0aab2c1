"""Gather from, and scatter into, a padded operand (spec: partitioner, 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.emit.identities import highest
from sdy.passes.partitioning.emit.with_sharding import set_sharding
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops.making.attribute_writers import i64_array


@pads("stablehlo.gather")
def gather(op: PadOp) -> None:
    """Slices of a whole dimension take the padding too, at index 0; other indices are kept from reaching into it."""
    operand = op.operand_layouts[0]
    numbers = stablehlo.GatherDimensionNumbers(op.op.attributes["dimension_numbers"])
    index_map = list(numbers.start_index_map)
    sizes = list(op.op.attributes["slice_sizes"])
    grown = op.grown_dims(0)
    if any(dim in index_map for dim in grown):
        largest = highest(op.op.operands[1].type.element_type)
        limits = [min(operand.shape[dim] - sizes[dim], largest) for dim in index_map]
        op.op.operands[1] = _limited(op, limits, numbers.index_vector_dim)
    shape = op.op.operands[0].type.shape
    single = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    for dim in grown:
        if dim not in single and sizes[dim] == operand.shape[dim]:
            sizes[dim] = shape[dim]
    op.op.attributes["slice_sizes"] = i64_array(sizes)
    op.drop_rule()
    op.grow()


def _limited(op: PadOp, limits: Sequence[int | float], index_vector_dim: int) -> ir.Value:
    """The indices, at most `limits` in each component."""
    b, indices, sharding = op.b, op.op.operands[1], op.operand_layouts[1].sharding
    type_ = indices.type
    if index_vector_dim == len(type_.shape):
        bound = b.constant(limits[0], type_)
    else:
        row = b.constant(np.array(limits), type_.element_type)
        bound = b.broadcast_in_dim(row, type_.shape, [index_vector_dim])
    smaller = b.minimum(indices, bound)
    if sharding is not None:
        set_sharding(bound, sharding)
        set_sharding(smaller, sharding)
    return smaller


@pads("stablehlo.scatter")
def scatter(op: PadOp) -> None:
    """Updates in the padding go nowhere; those that would land outside the unpadded input may land in its padding."""
    count = len(op.op.results)
    numbers = stablehlo.ScatterDimensionNumbers(op.op.attributes["scatter_dimension_numbers"])
    batch = list(numbers.scatter_indices_batching_dims)
    grown = [dim for dim in op.grown_dims(count) if dim not in batch]
    if grown and not _adds_zeros(op, count):
        index_map = list(numbers.scattered_dims_to_operand_dims)
        outside = _outside(op, count, max((op.operand_layouts[0].shape[dim] for dim in index_map), default=None))
        if outside is None:
            op.compute_unpadded()
            return
        op.mask(count, grown, outside)
    op.grow()


def _adds_zeros(op: PadOp, count: int) -> bool:
    """Whether the updates in the padding change nothing wherever they go."""
    names = combining_ops(op.op.regions[0])
    updates = op.operands[count + 1 :]
    return names is not None and set(names) == {"stablehlo.add"} and all(map(op.is_zero_padded, updates))


def _outside(op: PadOp, index: int, largest: int | None) -> ir.Value | None:
    """An index outside of all dimensions up to `largest`, if the type of the indices has one and there are indices."""
    element = op.operands[index].type.element_type
    if largest is None:
        return None
    if not element.is_unsigned:
        return op.b.constant(-1, element)
    last = (1 << element.width) - 1
    return op.b.constant(last, element) if largest <= last else None
