"""Gather from a padded operand (spec: partitioner, 4)."""

from __future__ import annotations

import numpy as np

from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.marking import set_sharding
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.passes.partitioning.stablehlo_builder import i64_array


@pads("stablehlo.gather")
def gather(op: PadOp) -> None:
    """Whole slices take the padding too; indices are kept from reaching into it."""
    operand = op.operand_layouts[0]
    numbers = stablehlo.GatherDimensionNumbers(op.op.attributes["dimension_numbers"])
    index_map = list(numbers.start_index_map)
    sizes = list(op.op.attributes["slice_sizes"])
    grown = op.grown_dims(0)
    if any(dim in index_map for dim in grown):
        limits = [operand.shape[dim] - sizes[dim] for dim in index_map]
        op.op.operands[1] = _limited(op, limits, numbers.index_vector_dim)
    shape = op.op.operands[0].type.shape
    single = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    for dim in grown:
        if dim not in index_map and dim not in single and sizes[dim] == operand.shape[dim]:
            sizes[dim] = shape[dim]
    op.op.attributes["slice_sizes"] = i64_array(sizes)
    op.drop_attributes()
    op.grow()


def _limited(op: PadOp, limits: list[int], index_vector_dim: int) -> ir.Value:
    """The indices, at most `limits` in each component."""
    b, indices, sharding = op.b, op.op.operands[1], op.operand_layouts[1].sharding
    type_ = indices.type
    if index_vector_dim == len(type_.shape):
        bound = b.splat(type_, limits[0])
    else:
        row = b.table(np.array(limits), type_.element_type)
        bound = b.broadcast_in_dim(row, type_.shape, [index_vector_dim])
    smaller = b.minimum(indices, bound)
    if sharding is not None:
        set_sharding(bound, sharding)
        set_sharding(smaller, sharding)
    return smaller


@pads("stablehlo.scatter")
def scatter(op: PadOp) -> None:
    """Updates that would land outside the unpadded input may land in its padding."""
    op.grow()
