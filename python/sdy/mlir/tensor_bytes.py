"""How much memory elements and tensors take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError


def bits(element: ir.Type) -> int:
    """Of an element type of tensors; a boolean takes a byte, an index eight, a quantized number its storage."""
    if isinstance(element, ir.ComplexType):
        return 2 * bits(element.element_type)
    if isinstance(element, ir.IndexType):
        return 64
    if isinstance(element, (ir.IntegerType, ir.FloatType)):
        return 8 if element.width == 1 else element.width
    quantized: Any = element  # a class of the dialect quant
    return quantized.storage_type_integral_width


def byte_size(type_: ir.Type) -> int:
    """Of a tensor of static shape; sub-byte elements are packed. 0 for what is no tensor, such as a token."""
    if not isinstance(type_, ir.RankedTensorType):
        return 0
    return math.ceil(math.prod(type_.shape) * bits(type_.element_type) / 8)


def bytes_of(values: Iterable[ir.Value], op: ir.Operation) -> int:
    """Of all values of an op. Raises `DiagnosticError` at it if one is a tensor of dynamic size."""
    total = 0
    for value in values:
        type_ = value.type
        if isinstance(type_, ir.ShapedType) and not type_.has_static_shape:
            raise DiagnosticError(op, "has tensors of dynamic size, whose bytes cannot be counted")
        total += byte_size(type_)
    return total
