"""Constants (spec: partitioner, 6)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.partitioning.emit import local_collectives
from sdy.passes.partitioning.local.inference.derivation import local_attributes
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo.idioms.dense import constant_of


@local_lowering("sdy.constant")
def sdy_constant(op: LocalOp) -> None:
    """A splat of the local shape, or the local slice of the whole constant."""
    op.replace_by_whole(_part(op))


@local_lowering("stablehlo.constant")
def stablehlo_constant(op: LocalOp) -> None:
    """As `sdy.constant`; one that every device has whole stays as it is."""
    layout = op.result_layouts[0]
    if layout.local_shape != layout.shape or layout.unreduced:
        sdy_constant(op)


def _part(op: LocalOp) -> ir.Value:
    """The device's part of the constant."""
    layout = op.result_layouts[0]
    b = op.b
    if layout.local_shape == layout.shape:
        return constant_of(b, op.op)
    splat = local_attributes(op).get("value")
    if splat is not None:
        return b.constant(splat)
    assert layout.mesh is not None
    return local_collectives.all_slice(
        op.comm, b, constant_of(b, op.op), layout.dim_axes, layout.mesh, layout.local_shape
    )
