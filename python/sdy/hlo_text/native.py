"""Asynchronous operations with opcodes of their own: the shapes of their starts and dones (spec: async, 3)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.hlo_text.shape import TOKEN, ArrayShape, Shape, TokenShape, TupleShape, same

_U32 = ArrayShape("u32")


def is_native_start(opcode: str, operands: Sequence[Shape], shape: Shape) -> bool:
    """Whether a native start of these operands may have the shape."""
    inputs = operands[0] if len(operands) == 1 else TupleShape(tuple(operands))
    if opcode == "all-reduce-start":
        return same(shape, inputs)
    elements: tuple[Shape, ...] = shape.elements if isinstance(shape, TupleShape) else ()
    if opcode == "copy-start":
        contexts = [each.plain for each in elements[2:]]
        return (
            len(operands) == 1 and same(shape.at((1,)), inputs) and same(shape.at((0,)), inputs) and contexts == [_U32]
        )
    if opcode in ("send", "recv"):
        ends = len(elements) == 3 and same(elements[1], _U32) and isinstance(elements[2], TokenShape)
        if opcode == "recv":
            return ends and len(operands) == 1 and isinstance(operands[0], TokenShape)
        return ends and len(operands) == 2 and same(shape.at((0,)), operands[0]) and isinstance(operands[1], TokenShape)
    if len(elements) < 2 or not operands or not same(elements[0], inputs):
        return False
    if len(operands) > 1 and not _has_length(elements[1], len(operands)):
        return False
    return opcode == "collective-permute-start" or len(elements) == 2


def done_shape(opcode: str, shape: Shape) -> Shape | None:
    """The shape of the done that belongs to a start of a valid shape; None if that has no result."""
    if opcode == "all-reduce-start":
        return shape
    if opcode == "send":
        return TOKEN
    if opcode == "recv":
        data = shape.at((0,))
        return None if data is None else TupleShape((data, TOKEN))
    return shape.at((0 if opcode == "copy-start" else 1,))


def _has_length(shape: Shape, length: int) -> bool:
    return isinstance(shape, TupleShape) and len(shape.elements) == length
