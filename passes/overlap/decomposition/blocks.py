"""Blocks of tensors: equal parts of one dimension, numbered as the devices of a ring."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.stablehlo import ops, views
from sdy.stablehlo.ops.values import Value

_WIDE_BITS = 32


def cut(tensor: Value, dim: int, number: Value, size: int) -> Value:
    """Block `number` of `tensor`, of `size` elements along `dim`."""
    shape = list(tensor.type.shape)
    shape[dim] = size
    return ops.dynamic_slice(tensor, _start(len(shape), dim, number, size), shape)


def put(tensor: Value, block: Value, dim: int, number: Value) -> Value:
    """`tensor` with `block` in place of the block of that number."""
    return ops.dynamic_update_slice(tensor, block, _start(block.type.rank, dim, number, block.type.shape[dim]))


def _start(rank: int, dim: int, number: Value, size: int) -> list[Value]:
    zero = ops.constant(0, "i32")
    start = number * size if size > 1 else number
    return [start if at == dim else zero for at in range(rank)]


def with_dim(type_: ir.RankedTensorType, dim: int, size: int) -> ir.RankedTensorType:
    """`type_` with another size of one dimension."""
    shape = list(type_.shape)
    shape[dim] = size
    return ir.RankedTensorType.get(shape, type_.element_type)


def with_element(type_: ir.RankedTensorType, element: ir.Type) -> ir.RankedTensorType:
    """`type_` with other elements."""
    return ir.RankedTensorType.get(list(type_.shape), element)


def converted(tensor: Value, element: ir.Type) -> Value:
    """`tensor` with other elements, or as it is if it has them already."""
    return tensor if tensor.type.element_type == element else ops.convert(tensor, element)


def neutral(type_: ir.RankedTensorType) -> Value:
    """What a sum can start with without a trace: -0.0, since 0.0 makes 0.0 of -0.0."""
    return ops.constant(0 if isinstance(type_.element_type, ir.IntegerType) else _negative_zero(type_), type_)


def _negative_zero(type_: ir.RankedTensorType) -> complex:
    return complex(-0.0, -0.0) if isinstance(type_.element_type, ir.ComplexType) else -0.0


def sum_element(element: ir.Type, *, wide: bool) -> ir.Type:
    """The element type in which to add up tensors of `element`: `f32` for narrower floating-point types if `wide`."""
    if wide and isinstance(element, ir.FloatType) and element.width < _WIDE_BITS:
        return ir.F32Type.get()
    return element


def replayed(chain: Sequence[ir.Operation], block: Value) -> Value:
    """What converts and transposes make of a block instead of the whole tensor."""
    for op in chain:
        if (transpose := views.Transpose.match(op)) is not None:
            block = ops.transpose(block, transpose.permutation, loc=op.location)
        else:
            block = ops.convert(block, op.results[0].type.element_type, loc=op.location)
    return block
