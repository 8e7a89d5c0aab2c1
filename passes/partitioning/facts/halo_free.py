"""Dimensions along which slices, pads and updates need no data of other devices (spec: partitioner, 3.2 and 3.5)."""

from __future__ import annotations

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.model import windows_of
from sdy.mlir import ir
from sdy.passes.partitioning.facts.intervals import Access
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer


def is_free_slice(access: Access) -> bool:
    """Whether the slice is a prefix whose parts are as large as those of the operand."""
    return access.low == 0 and access.stride == 1 and access.part == access.target


def is_free_pad(access: Access) -> bool:
    """Whether the elements of each part of the operand are in the part of the result on the same device."""
    return access.dilation == 1 and access.needed_by_reference.is_local


def is_free(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """Whether each device has all that a slice, pad or update needs along `dim` of an operand with that layout."""
    if op.name == "stablehlo.dynamic_update_slice":
        return is_free_update(op, layout, dim)
    (window,) = [window for window in windows_of(op) if window.source_dim == dim]
    if min(layout.shape[dim], window.made) < 0:
        return False
    is_free_access = is_free_pad if op.name == "stablehlo.pad" else is_free_slice
    return is_free_access(Access.slide(window, layout))


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
