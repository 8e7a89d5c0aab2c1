"""The sdy collectives (spec: partitioner, 4)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.values.axes import AxisList
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads


def _with_room(op: PadOp) -> ir.Value:
    """The operand, padded until the result has room in it."""
    result = op.result_layouts[0]
    shape = [max(have, want) for have, want in zip(op.op.operands[0].type.shape, result.padded_shape, strict=True)]
    op.high_pad(0, shape, op.operand_layouts[0].sharding)
    operand = op.op.operands[0]
    _grow_to(op, operand.type.shape)
    return operand


@pads("sdy.all_slice", "sdy.reduce_scatter")
def all_slice(op: PadOp) -> None:
    """The operand is padded until its new shards are even."""
    operand = _with_room(op)
    if op.is_zero_padded(operand):
        op.progress.zero_padded.add(op.op.results[0])


@pads("sdy.all_to_all")
def all_to_all(op: PadOp) -> None:
    """The operand is padded along target dimensions, the result cut along source dimensions."""
    operand = _with_room(op)
    part = _slice_back(op, [param.src_dim for param in attributes.get(op.op, "params").params])
    if op.is_zero_padded(operand):
        op.progress.zero_padded.add(part)


@pads("sdy.all_gather")
def all_gather(op: PadOp) -> None:
    """The result is cut along gathered dimensions."""
    _gather(op, attributes.get(op.op, "gathering_axes").lists)


@pads("sdy.sharded_to_unreduced")
def sharded_to_unreduced(op: PadOp) -> None:
    """As all_gather, but that nothing is cut which nobody uses."""
    if not next(iter(op.op.results[0].uses), None):
        _grow_to(op, _gathered_shape(op))
        return
    _gather(op, attributes.get(op.op, "axes").lists)


def _gather(op: PadOp, axes: Sequence[AxisList]) -> None:
    _grow_to(op, _gathered_shape(op))
    part = _slice_back(op, [dim for dim, axis_list in enumerate(axes) if axis_list])
    if op.is_zero_padded(op.op.operands[0]):
        op.progress.zero_padded.add(part)


def _gathered_shape(op: PadOp) -> list[int]:
    given, wanted = op.op.operands[0].type.shape, op.result_layouts[0].padded_shape
    return [max(have, want) for have, want in zip(given, wanted, strict=True)]


def _grow_to(op: PadOp, shape: Sequence[int]) -> None:
    result = op.op.results[0]
    if list(result.type.shape) != list(shape):
        result.set_type(with_shape(result.type, shape))


def _slice_back(op: PadOp, dims: Sequence[int]) -> ir.Value:
    """Cuts the result along `dims` to what its own sharding asks for, if it has become larger than it was there."""
    result, layout = op.op.results[0], op.result_layouts[0]
    shape = list(result.type.shape)
    if all(shape[dim] == layout.shape[dim] for dim in dims):
        return result
    for dim in dims:
        shape[dim] = layout.padded_shape[dim]
    assert layout.sharding is not None
    return op.slice_result(shape, layout.sharding)
