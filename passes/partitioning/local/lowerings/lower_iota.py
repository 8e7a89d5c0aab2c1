"""Counting up (spec: partitioner, 7.10)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.tensor_types import with_element_type
from sdy.passes.partitioning.emit.index_arithmetic import index_type
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.inference.derivation import local_types
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering

_PRECISION = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
"""Whole numbers of so many bits are all there. Of other types, such as f8E4M3FN, the name says it."""


@local_lowering("stablehlo.iota")
def iota(op: LocalOp) -> None:
    """Every device counts from the offset of its part; in whole numbers where index and offset would be rounded."""
    layout = op.result_layouts[0]
    if layout.is_replicated and not layout.unreduced:
        return
    dim = op.op.attributes["iota_dimension"].value
    b = op.b
    element = layout.type.element_type
    counted = index_type(layout.shape[dim]) if layout.dim_axes[dim] and _rounds(layout, dim) else element
    local = b.iota(with_element_type(ir.RankedTensorType(local_types(op)[0]), counted), dim)
    if layout.dim_axes[dim]:
        offset = b.convert(op.offset(layout, dim), counted)
        local = b.add(local, b.broadcast_in_dim(offset, layout.local_shape))
    op.replace_by_whole(local if counted == element else b.convert(local, element))


def _rounds(layout: Layout, dim: int) -> bool:
    """Whether some index along `dim` is no number of the element type."""
    element = layout.type.element_type
    if not isinstance(element, ir.FloatType):
        return False
    name = str(element)
    precision = _PRECISION[name] if name in _PRECISION else int(name.partition("M")[2][:1] or 0) + 1
    return layout.shape[dim] - 1 > 1 << precision
