"""Padding (spec: partitioner, 7.13)."""

from __future__ import annotations

import numpy as np

from sdy.mlir import ir
from sdy.passes.partitioning.identities import identity_of
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering.aligned import lower_aligned
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.registry import local_lowering
from sdy.passes.partitioning.moves import replicated_to_unreduced
from sdy.passes.partitioning.reduction_bodies import splat_number
from sdy.passes.partitioning.stablehlo_builder import i32


@local_lowering("stablehlo.pad")
def pad(op: LocalOp) -> None:
    """Pads the local part, more than needed where devices need different paddings, and slices."""
    if op.is_replicated:
        _pad_partially(op)
        return
    low, interior = op.integers("edge_padding_low"), op.integers("interior_padding")
    source, target = op.operand_layouts[0], op.result_layouts[0]
    whole = [dim for dim in range(target.rank) if not _is_local(source, target, dim, low[dim], interior[dim] + 1)]
    lower_aligned(op, _local_pad, whole=whole)


def _is_local(source: Layout, target: Layout, dim: int, low: int, step: int) -> bool:
    """Whether each part of the result contains elements of the operand's part on the same device only."""
    count = target.shards[dim]
    size, result_size = source.shape[dim], target.shape[dim]
    if count == 1:
        return True
    if size % count:
        return False
    part, result_part = size // count, result_size // count
    if low == 0 and step == 1 and part == result_part:
        return True
    positions = low + np.arange(size) * step
    inside = (positions >= 0) & (positions < result_size)
    return bool((np.arange(size) // part == positions // result_part)[inside].all())


def _pad_partially(op: LocalOp) -> None:
    """Of a partial sum the padding is partial, too: on all devices but the first it is zero."""
    target, value = op.result_layouts[0], op.operands[1]
    if not target.unreduced or target.mesh is None or target.sharding is None:
        return
    kind = target.sharding.reduction
    if kind.is_idempotent:
        return
    if splat_number(_passed(value)) != identity_of(kind, target.type.element_type):
        op.op.operands[1] = replicated_to_unreduced(op.comm, op.b, value, target.unreduced, kind, target.mesh)


def _passed(value: ir.Value) -> ir.Value:
    """What an argument of a manual computation stands for."""
    while isinstance(value, ir.BlockArgument) and value.owner.owner.name == "sdy.manual_computation":
        value = value.owner.owner.operation.operands[value.arg_number]
    return value


def _local_pad(op: LocalOp) -> None:
    _pad_partially(op)
    source, target = op.operand_layouts[0], op.result_layouts[0]
    low, interior = op.integers("edge_padding_low"), op.integers("interior_padding")
    if not target.sharded_dims or target.mesh is None:
        op.keep()
        return
    mesh, b = target.mesh, op.b
    expanded = [n + max(n - 1, 0) * inner for n, inner in zip(source.local_shape, interior, strict=True)]
    steps = [
        part * (inner + 1) - result
        for part, inner, result in zip(source.local_shape, interior, target.local_shape, strict=True)
    ]
    x, value = op.operands
    if not any(steps[dim] for dim in target.sharded_dims):
        high = [size - (lo + n) for size, lo, n in zip(target.local_shape, low, expanded, strict=True)]
        op.replace(b.pad(x, value, low, high, interior))
        return
    offsets = [
        low[dim] + mesh.shard_indices(axes) * steps[dim] if axes else np.array([low[dim]])
        for dim, axes in enumerate(target.dim_axes)
    ]
    most_low = [max(0, int(offset.max())) for offset in offsets]
    most_high = [
        max(0, size - int(offset.min()) - n)
        for size, offset, n in zip(target.local_shape, offsets, expanded, strict=True)
    ]
    padded = b.pad(x, value, most_low, most_high, interior)
    device = op.devices.id(b)
    starts = [_start(op, lo - offset, device) for lo, offset in zip(most_low, offsets, strict=True)]
    op.replace(b.dynamic_slice(padded, starts, target.local_shape))


def _start(op: LocalOp, starts: np.ndarray, device: ir.Value) -> ir.Value:
    if (starts == starts[0]).all():
        return op.b.scalar(i32(), int(starts[0]))
    return op.devices.lookup(op.b, starts, device=device)
