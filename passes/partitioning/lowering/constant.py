"""Constants (spec: partitioner, 6)."""

from __future__ import annotations

from sdy.passes.partitioning import moves
from sdy.passes.partitioning.dense import constant_of, resized_splat
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.registry import local_lowering


@local_lowering("sdy.constant")
def sdy_constant(op: LocalOp) -> None:
    """A splat of the local shape, or the local slice of the whole constant."""
    layout = op.result_layouts[0]
    b = op.b
    if layout.local_shape == layout.shape:
        op.replace(constant_of(b, op.op))
        return
    splat = resized_splat(b, op.op, layout.local_type)
    if splat is not None:
        op.replace(splat)
        return
    assert layout.mesh is not None
    whole = constant_of(b, op.op)
    op.replace(moves.all_slice(op.comm, b, whole, layout.dim_axes, layout.mesh, layout.local_shape))


@local_lowering("stablehlo.constant")
def stablehlo_constant(op: LocalOp) -> None:
    """As `sdy.constant`; one that every device has whole stays as it is."""
    layout = op.result_layouts[0]
    if layout.local_shape != layout.shape:
        sdy_constant(op)
