"""Sliding windows (spec: partitioner, 7.14)."""

from __future__ import annotations

import numpy as np

from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering.aligned import lower_aligned
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.registry import local_lowering


@local_lowering("stablehlo.reduce_window")
def reduce_window(op: LocalOp) -> None:
    """Along a sharded dimension every window lies within one device's part."""
    if op.is_replicated:
        return
    source, target = op.operand_layouts[0], op.result_layouts[0]
    lower_aligned(op, LocalOp.keep, whole=[d for d in target.sharded_dims if not _is_local(op, source, target, d)])


@local_lowering("stablehlo.select_and_scatter")
def select_and_scatter(op: LocalOp) -> None:
    """As reduce_window, with the source in the place of the result."""
    if op.is_replicated:
        return
    operand, source = op.operand_layouts[:2]
    lower_aligned(op, LocalOp.keep, whole=[d for d in operand.sharded_dims if not _is_local(op, operand, source, d)])


def _is_local(op: LocalOp, operand: Layout, windowed: Layout, dim: int) -> bool:
    """Whether equal parts of `operand` hold all windows of equal parts of `windowed` along `dim`."""
    window, stride = _entry(op, "window_dimensions", dim), _entry(op, "window_strides", dim)
    plain = all(_entry(op, name, dim) == 1 for name in ("base_dilations", "window_dilations"))
    padding = op.op.attributes.get("padding")
    padded = padding is not None and any(list(padding)[2 * dim : 2 * dim + 2])
    count = operand.shards[dim]
    part = operand.shape[dim] // count
    fits = window <= stride and part % stride == 0 and windowed.shape[dim] == part // stride * count
    return plain and not padded and fits and operand.shape[dim] % count == 0


def _entry(op: LocalOp, name: str, dim: int) -> int:
    """Entry `dim` of an optional array attribute of ones."""
    attributes = op.op.attributes
    return int(np.array(attributes[name])[dim]) if name in attributes else 1
