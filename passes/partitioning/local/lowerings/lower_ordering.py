"""Ops that reorder elements along a dimension."""

from __future__ import annotations

import numpy as np

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.aligned import lower_aligned
from sdy.passes.partitioning.local.inference import whole_dims
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering


@local_lowering("stablehlo.sort")
def sort(op: LocalOp) -> None:
    """The sorted dimension is whole on every device; the default dimension is the last."""
    if op.is_replicated:
        return
    lower_aligned(op, LocalOp.keep, whole=whole_dims.of_sort(op))


@local_lowering("stablehlo.reverse")
def reverse(op: LocalOp) -> None:
    """Each device reverses its part; the result's mesh lists the devices in reversed order along the dimension.

    If it does not, the reversed dimension is whole on every device.
    """
    if op.is_replicated:
        return
    source, target = op.operand_layouts[0], op.result_layouts[0]
    dims = op.integers("dimensions")
    if _is_reversed(source, target, dims):
        op.keep()
        return
    lower_aligned(op, LocalOp.keep, whole=dims)


def _is_reversed(source: Layout, target: Layout, dims: list[int]) -> bool:
    """Whether each device's part of the result is its part of the operand, reversed."""
    if source.mesh is None or target.mesh is None or source.mesh.size != target.mesh.size:
        return False
    if source.shards != target.shards or source.unreduced or target.unreduced or not source.divides:
        return False
    for dim in source.sharded_dims:
        have = _positions(source.mesh, source.dim_axes[dim])
        want = _positions(target.mesh, target.dim_axes[dim])
        if dim in dims:
            have = source.shards[dim] - 1 - have
        if (have != want).any():
            return False
    return True


def _positions(mesh: Mesh, axes: AxisList) -> np.ndarray:
    """Which part along `axes` each device has, by device id."""
    return mesh.shard_indices(axes)
