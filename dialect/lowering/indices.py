"""Indices of gather and scatter into a sharded operand (spec: partitioner, 7.11 and 7.12)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.ir_builders.devices import index_type
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.stablehlo.ops import Builder


class Bounds(Enum):
    """Which bounds of a device's part are wanted."""

    LOWER = 0
    BOTH = 1


def adjusted_index_type(b: Builder, indices: ir.Value, shape: Sequence[int], index_map: Sequence[int]) -> ir.Value:
    """The indices in a type that can hold the offset of any part of an operand of `shape`."""
    element = indices.type.element_type
    largest = max((shape[dim] for dim in index_map), default=0)
    bits = element.width if element.is_unsigned else element.width - 1
    return indices if largest < 1 << bits else b.convert(indices, index_type(largest))


def index_bounds(
    op: LocalOp,
    operand: Layout,
    index_map: Sequence[int],
    sharded: Sequence[int],
    type_: ir.RankedTensorType,
    index_vector_dim: int,
    wanted: Bounds,
) -> tuple[ir.Value, ir.Value | None]:
    """The first and the last index of the device's part of `operand`, as tensors of the indices' type `type_`.

    Component i of the index is one of dimension `index_map[i]`; only those in `sharded` are bounded by the part, the
    others by the operand.
    """
    b = op.b
    element = type_.element_type
    lows: list[ir.Value] = []
    highs: list[ir.Value] = []
    for dim in index_map:
        if dim in sharded:
            lows.append(b.convert(op.offset(operand, dim), element))
            if wanted is Bounds.BOTH:
                highs.append(b.add(lows[-1], b.constant(operand.local_shape[dim] - 1, element)))
        else:
            lows.append(b.constant(0, element))
            if wanted is Bounds.BOTH:
                highs.append(b.constant(operand.shape[dim] - 1, element))
    lower = _spread(b, lows, type_, index_vector_dim, operand)
    return lower, _spread(b, highs, type_, index_vector_dim, operand) if highs else None


def _spread(
    b: Builder, numbers: Sequence[ir.Value], type_: ir.RankedTensorType, index_vector_dim: int, operand: Layout
) -> ir.Value:
    """One number per component of the index, repeated for all indices."""
    if len(numbers) == 1:
        spread = b.broadcast_in_dim(numbers[0], type_.shape)
    else:
        row = b.concatenate([b.reshape(number, [1]) for number in numbers], 0)
        spread = b.broadcast_in_dim(row, type_.shape, [index_vector_dim])
    replicated = TensorSharding.closed(operand.mesh_ref, len(type_.shape))
    spread.owner.operation.attributes[SHARDING] = attr_of(ShardingPerValue((replicated,)))
    return spread
