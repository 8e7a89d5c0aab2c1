"""Gather, whose operand may be sharded where it is indexed (spec: partitioner, 7.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir, stablehlo
from sdy.mlir.tensor_types import i1, i32
from sdy.passes.partitioning.emit.bits import identity_of_parts
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.indices import Bounds, adjusted_index_type, index_bounds
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.partial_results import axes_left_to_reduce, merged_axes
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo import ops
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class _Numbers:
    """The parts of the dimension numbers that matter here."""

    offset_dims: list[int]
    batching_dims: list[int]
    start_index_map: list[int]
    index_vector_dim: int


@local_lowering("stablehlo.gather", partial_results=True)
def gather(op: LocalOp) -> None:
    """Gathers what the device has and zeros for what it has not; the devices sum up.

    Dimensions of which whole slices are taken, and batching dimensions, are sharded alike in operand and result.
    """
    operand = op.operand_layouts[0]
    attribute = stablehlo.GatherDimensionNumbers(op.op.attributes["dimension_numbers"])
    numbers = _Numbers(
        list(attribute.offset_dims),
        list(attribute.operand_batching_dims),
        list(attribute.start_index_map),
        attribute.index_vector_dim,
    )
    sizes = op.integers("slice_sizes")
    single = [dim for dim in operand.sharded_dims if sizes[dim] == 1 and dim not in numbers.batching_dims]
    if not operand.is_replicated:
        op.spell_out("indices_are_sorted")
    if not single:
        op.keep()
        return
    mask = _shift_indices(op, operand, numbers, single)
    op.keep()
    _mask_and_sum(op, operand, numbers, single, mask)


def _shift_indices(op: LocalOp, operand: Layout, numbers: _Numbers, single: Sequence[int]) -> ir.Value:
    """Makes the indices relative to the device's part; returns which of them lie in it, in the indices' shape.

    Where that is so for all or none of them, it is a scalar.
    """
    b = op.b
    indices = op.operands[1]
    mask = None
    if any(dim in numbers.start_index_map for dim in single):
        indices = adjusted_index_type(b, indices, operand.shape, numbers.start_index_map)
        indices = _clamped(b, indices, operand, numbers)
        lower, upper = index_bounds(
            op, operand, numbers.start_index_map, single, indices.type, numbers.index_vector_dim, Bounds.BOTH
        )
        assert upper is not None
        local = b.subtract(indices, lower)
        mask = b.and_(b.compare(indices, lower, "GE"), b.compare(indices, upper, "LE"))
        op.op.operands[1] = indices = local
    for dim in single:
        if dim not in numbers.start_index_map:
            is_here = b.compare(op.offset(operand, dim), b.constant(0, i32()), "EQ")
            if mask is not None and mask.type.shape:
                is_here = b.broadcast_in_dim(is_here, mask.type.shape)
            mask = is_here if mask is None else b.and_(mask, is_here)
    assert mask is not None
    return mask


def _clamped(b: Builder, indices: ir.Value, operand: Layout, numbers: _Numbers) -> ir.Value:
    """Indices outside of the operand, moved to its edges, as gather would do."""
    shape = indices.type.shape
    limits = [operand.shape[dim] - 1 for dim in numbers.start_index_map]
    zero = b.constant(0, indices.type)
    if len(limits) == 1:
        high = b.constant(limits[0], indices.type)
    else:
        row = b.constant(np.array(limits), indices.type.element_type)
        high = b.broadcast_in_dim(row, shape, [numbers.index_vector_dim])
    return b.clamp(zero, indices, high)


def _mask_and_sum(op: LocalOp, operand: Layout, numbers: _Numbers, single: Sequence[int], mask: ir.Value) -> None:
    """Replaces slices from elsewhere by the neutral element, and combines the devices' results."""
    assert operand.mesh is not None
    result, layout = op.op.results[0], op.result_layouts[0]
    b = Builder.after(op.op)
    if numbers.index_vector_dim < len(mask.type.shape):
        mask = _all_along(b, mask, numbers.index_vector_dim)
    dims = [dim for dim in range(layout.rank) if dim not in numbers.offset_dims] if mask.type.shape else []
    mask = b.broadcast_in_dim(mask, result.type.shape, dims)
    axes = merged_axes(operand, single)
    kind = layout.sharding.reduction if layout.sharding is not None and layout.unreduced else Reduction.SUM
    element = result.type.element_type
    neutral = b.constant(identity_of_parts(kind, element, signed_zeros=op.comm.signed_zeros), result.type)
    slots = uses_of(result)
    left = axes_left_to_reduce(op, axes, operand.mesh)
    total = b.select(mask, result, neutral)
    if left:
        total = op.comm.all_reduce(b, total, operand.mesh_ref, operand.mesh, left, ops.add)
    use_instead(slots, total)


def _all_along(b: Builder, mask: ir.Value, dim: int) -> ir.Value:
    """Whether all elements along `dim` are true; that dimension is gone."""
    return b.reduce(mask, b.constant(1, i1()), [dim], ops.and_)
