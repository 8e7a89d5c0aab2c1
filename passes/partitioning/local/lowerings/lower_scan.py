"""Loops over slices, of which each device has its part (spec: partitioner, 7.14)."""

from __future__ import annotations

from sdy.passes.partitioning.emit.sliced_bodies import give_shape
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering


@local_lowering("chlo.scan", follows_rule=True)
def scan(op: LocalOp) -> None:
    """The body, which computes each element by itself, takes slices of the parts."""
    op.keep()
    if op.result_layouts:
        carried = op.op.results[len(op.op.results) - 1]
        give_shape(op.op.regions[0], carried.type.shape)
