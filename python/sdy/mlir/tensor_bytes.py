"""How much memory elements take."""

from __future__ import annotations

from typing import Any

from sdy.mlir import ir


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
