"""Slices, paddings and updates of padded tensors (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.passes.partitioning.emit.identities import highest
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.ops.making.attribute_writers import i64_array


@pads("stablehlo.slice")
def slice_(op: PadOp) -> None:
    """The slice takes more where its result is padded."""
    result = op.result_layouts[0]
    if result.padded_shape == result.shape:
        return
    attributes = op.op.attributes
    starts, limits, strides = (list(attributes[name]) for name in ("start_indices", "limit_indices", "strides"))
    source = op.op.operands[0].type.shape
    for dim, size in enumerate(result.padded_shape):
        if size == result.shape[dim]:
            continue
        limits[dim] = starts[dim] + (size - 1) * strides[dim] + 1
        if limits[dim] > source[dim]:
            op.compute_unpadded()
            return
    attributes["limit_indices"] = i64_array(limits)
    op.drop_rule()
    op.grow()


@pads("stablehlo.dynamic_slice")
def dynamic_slice(op: PadOp) -> None:
    """A slice of all of a padded dimension takes its padding too."""
    source, result = op.op.operands[0].type.shape, op.result_layouts[0]
    sizes = list(op.op.attributes["slice_sizes"])
    for dim in op.grown_dims(0):
        if sizes[dim] != op.operand_layouts[0].shape[dim]:
            op.compute_unpadded()
            return
        sizes[dim] = source[dim]
    if sizes != list(result.padded_shape):
        op.compute_unpadded()
        return
    op.op.attributes["slice_sizes"] = i64_array(sizes)
    op.grow()


@pads("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: PadOp) -> None:
    """The index is kept from reaching into the padding."""
    operand, update = op.operand_layouts[:2]
    for dim in op.grown_dims(0):
        if operand.shape[dim] != update.shape[dim]:
            _limit_index(op, 2 + dim, operand.shape[dim] - update.shape[dim])
    op.grow()


def _limit_index(op: PadOp, number: int, last: int) -> None:
    index = op.op.operands[number]
    if last >= highest(index.type.element_type):
        return
    constant = splat_integer(index)
    if constant is not None and constant <= last:
        return
    op.op.operands[number] = op.b.minimum(index, op.b.constant(last, index.type.element_type))


@pads("stablehlo.pad")
def pad(op: PadOp) -> None:
    """The high padding makes up for the padding of operand and result."""
    operand, result = op.op.operands[0], op.result_layouts[0]
    attributes = op.op.attributes
    low, high, interior = (
        list(attributes[name]) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    new_high = [
        padded - size - lo - (size - 1) * inner
        for padded, size, lo, inner in zip(result.padded_shape, operand.type.shape, low, interior, strict=True)
    ]
    if any(new < old for new, old in zip(new_high, high, strict=True)) or _shows_padding(op, low, interior):
        op.mask(0, range(result.rank), op.op.operands[1])
    attributes["edge_padding_high"] = i64_array(new_high)
    op.drop_rule()
    op.grow()


def _shows_padding(op: PadOp, low: list[int], interior: list[int]) -> bool:
    """Whether the padding of the operand would be inside the unpadded result."""
    operand, result = op.operand_layouts[0], op.result_layouts[0]
    return any(low[dim] + operand.shape[dim] * (interior[dim] + 1) < result.shape[dim] for dim in op.grown_dims(0))
