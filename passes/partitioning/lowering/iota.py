"""Counting up (spec: partitioner, 7.10)."""

from __future__ import annotations

from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.registry import local_lowering


@local_lowering("stablehlo.iota")
def iota(op: LocalOp) -> None:
    """Every device counts from the offset of its part."""
    layout = op.result_layouts[0]
    if layout.is_replicated and not layout.unreduced:
        return
    dim = op.op.attributes["iota_dimension"].value
    b = op.b
    local = b.iota(layout.local_type, dim)
    if layout.dim_axes[dim]:
        offset = b.convert(op.offset(layout, dim), layout.type.element_type)
        local = b.add(local, b.broadcast_in_dim(offset, layout.local_shape))
    op.replace_by_whole(local)
