"""Dimensions along which slices, pads and updates need no data of other devices (spec: partitioner, 3.2 and 3.5)."""

from __future__ import annotations

from sdy.dialect.lowering.layout import Layout
from sdy.mlir import ir
from sdy.passes.partitioning.facts.halo_plan import source_shards
from sdy.stablehlo.constants import splat_integer


def is_free_slice(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """A prefix of the dimension whose parts are as large as those of the operand. `layout` is that of the operand."""
    attributes = op.attributes
    start, stride = list(attributes["start_indices"])[dim], list(attributes["strides"])[dim]
    size, count = layout.shape[dim], layout.shards[dim]
    result = op.results[0].type.shape[dim]
    if size < 0 or result < 0:
        return False
    return start == 0 and stride == 1 and -(-size // count) == -(-result // count)


def is_free_pad(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """The elements of each part of the operand are in the part of the result on the same device."""
    attributes = op.attributes
    low, interior = list(attributes["edge_padding_low"])[dim], list(attributes["interior_padding"])[dim]
    size, result = layout.shape[dim], op.results[0].type.shape[dim]
    if interior or size < 0 or result < 0:
        return False
    return all(
        shards is None or shards == (position, position)
        for position, shards in enumerate(source_shards(size, result, layout.shards[dim], low))
    )


def is_free_update(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """The update lies within one part of the operand."""
    size, update = layout.shape[dim], op.operands[1].type.shape[dim]
    if size < 0 or update < 0:
        return False
    if update == 1:
        return True
    start = splat_integer(op.operands[2 + dim])
    if start is None:
        return False
    start = max(0, min(start, size - update))
    part = max(1, -(-size // layout.shards[dim]))
    return start // part == (start + update - 1) // part
