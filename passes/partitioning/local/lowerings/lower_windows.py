"""Sliding windows (spec: partitioner, 7.14)."""

from __future__ import annotations

from sdy.passes.partitioning.local.aligned import lower_aligned
from sdy.passes.partitioning.local.inference import whole_dims
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering


@local_lowering("stablehlo.reduce_window")
def reduce_window(op: LocalOp) -> None:
    """Along a sharded dimension every window lies within one device's part."""
    if not op.is_replicated:
        lower_aligned(op, LocalOp.keep, whole=whole_dims.of_reduce_window(op))


@local_lowering("stablehlo.select_and_scatter")
def select_and_scatter(op: LocalOp) -> None:
    """As reduce_window, with the source in the place of the result."""
    if not op.is_replicated:
        lower_aligned(op, LocalOp.keep, whole=whole_dims.of_select_and_scatter(op))
