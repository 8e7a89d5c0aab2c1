"""Padding (spec: partitioner, 7.13)."""

from __future__ import annotations

import numpy as np

from sdy.mlir import ir
from sdy.passes.partitioning.emit.identities import identity_of
from sdy.passes.partitioning.emit.index_arithmetic import index_type
from sdy.passes.partitioning.emit.local_collectives import replicated_to_unreduced
from sdy.passes.partitioning.local.aligned import lower_aligned
from sdy.passes.partitioning.local.inference import whole_dims
from sdy.passes.partitioning.local.inference.local_attributes import local_padding
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo.constants import splat_number


@local_lowering("stablehlo.pad")
def pad(op: LocalOp) -> None:
    """Pads the local part, more than needed where devices need different paddings, and slices."""
    if op.is_replicated:
        _pad_partially(op)
        return
    lower_aligned(op, _local_pad, whole=whole_dims.of_pad(op))


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
    target = op.result_layouts[0]
    if not target.sharded_dims or target.mesh is None:
        op.keep()
        return
    padding, b = local_padding(op), op.b
    x, value = op.operands
    padded = b.pad(x, value, padding.low, padding.high, op.integers("interior_padding"))
    if padding.starts is not None:
        device = op.devices.id(b)
        number = index_type(*(int(each.max()) for each in padding.starts))
        starts = [_start(op, dim, each, device, number) for dim, each in enumerate(padding.starts)]
        padded = b.dynamic_slice(padded, starts, target.local_shape)
    op.replace(padded)


def _start(op: LocalOp, dim: int, starts: np.ndarray, device: ir.Value, number: ir.Type) -> ir.Value:
    target = op.result_layouts[0]
    if target.mesh is None or (starts == starts[0]).all():
        return op.b.constant(int(starts[0]), number)
    return op.devices.linear(op.b, target.mesh, target.dim_axes[dim], starts, number, device)
