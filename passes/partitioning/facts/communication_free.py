"""Dimensions along which slices, pads and updates need no data of other devices (spec: partitioner, 3.2 and 3.5)."""

from __future__ import annotations

from sdy.dialect.lowering.layout import Layout
from sdy.mlir import ir
from sdy.passes.partitioning.facts.halo_plan import source_shards
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer


def is_free_slice(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """A prefix of the dimension whose parts are as large as those of the operand. `layout` is that of the operand."""
    cut = views.Slice(op)
    start, stride = cut.start_indices[dim], cut.strides[dim]
    size, count = layout.shape[dim], layout.shards[dim]
    result = op.results[0].type.shape[dim]
    if size < 0 or result < 0:
        return False
    return start == 0 and stride == 1 and -(-size // count) == -(-result // count)


def is_free_pad(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """The elements of each part of the operand are in the part of the result on the same device."""
    pad = views.Pad(op)
    size, result = layout.shape[dim], op.results[0].type.shape[dim]
    if pad.interior_padding[dim] or size < 0 or result < 0:
        return False
    return all(
        shards is None or shards == (position, position)
        for position, shards in enumerate(source_shards(size, result, layout.shards[dim], pad.edge_padding_low[dim]))
    )


def is_free_update(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """The update lies within one part of the operand."""
    written = views.DynamicUpdateSlice(op)
    size, update = layout.shape[dim], written.update.type.shape[dim]
    if size < 0 or update < 0:
        return False
    if update == 1:
        return True
    start = splat_integer(written.start_indices[dim])
    if start is None:
        return False
    start = max(0, min(start, size - update))
    part = max(1, -(-size // layout.shards[dim]))
    return start // part == (start + update - 1) // part
