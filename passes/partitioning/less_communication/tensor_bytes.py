"""How much memory elements take."""

from __future__ import annotations

from sdy.mlir import ir


def bits(element: ir.Type) -> int:
    """Of an element type of tensors; a boolean takes a byte."""
    if isinstance(element, ir.ComplexType):
        return 2 * bits(element.element_type)
    return 8 if element.width == 1 else element.width
