"""Types of tensors, and their sizes in bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

MOST_ELEMENTS = (1 << 63) - 1
"""The largest size of a dimension."""


def tensor_type(shape: Sequence[int], element_type: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(_possible(shape), element_type)


def with_shape(type_: ir.RankedTensorType, shape: Sequence[int]) -> ir.RankedTensorType:
    """`type_` with another shape; element type and encoding stay."""
    return ir.RankedTensorType.get(_possible(shape), type_.element_type, type_.encoding)


def _possible(shape: Sequence[int]) -> list[int]:
    sizes = list(shape)
    if sizes and max(sizes) > MOST_ELEMENTS:
        raise DiagnosticError(
            ir.Location.current, f"needs a tensor with a dimension of {max(sizes)}, which is too large"
        )
    return sizes


def with_element_type(type_: ir.RankedTensorType, element_type: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(type_.shape), element_type, type_.encoding)


def is_tensor(type_: ir.Type) -> TypeGuard[ir.RankedTensorType]:
    """Return whether `type_` is a ranked tensor."""
    return isinstance(type_, ir.RankedTensorType)


def num_elements(shape: Sequence[int]) -> int:
    return math.prod(shape)


def i1() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def i64() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def ui32() -> ir.Type:
    return ir.IntegerType.get_unsigned(32)


def i32_attr(value: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(i32(), value)


def i64_attr(value: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(i64(), value)


def ui32_attr(value: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ui32(), value)


def bits(element: ir.Type) -> int:
    """Return the bits of an element type; a boolean takes a byte, an index eight, a quantized number its storage."""
    if isinstance(element, ir.ComplexType):
        return 2 * bits(element.element_type)
    if isinstance(element, ir.IndexType):
        return 64
    if isinstance(element, (ir.IntegerType, ir.FloatType)):
        return 8 if element.width == 1 else element.width
    quantized: Any = element  # a class of the dialect quant
    return quantized.storage_type_integral_width


def byte_size(type_: ir.Type) -> int:
    """Return the bytes of a static tensor, sub-byte elements packed; 0 for non-tensors, such as tokens."""
    if not isinstance(type_, ir.RankedTensorType):
        return 0
    return math.ceil(math.prod(type_.shape) * bits(type_.element_type) / 8)


def bytes_of(values: Iterable[ir.Value], op: ir.Operation) -> int:
    """Return the bytes of all values of an op. Raises `DiagnosticError` at it if one has a dynamic size."""
    total = 0
    for value in values:
        type_ = value.type
        if isinstance(type_, ir.ShapedType) and not type_.has_static_shape:
            raise DiagnosticError(op, "has tensors of dynamic size, whose bytes cannot be counted")
        total += byte_size(type_)
    return total
