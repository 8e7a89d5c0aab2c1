"""What a sharding rule may be made from: an op's name, types and attributes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from sdy.mlir import ir

Shape = tuple[int, ...]
"""Sizes of the dimensions; a dynamic size is negative."""

Look = Callable[[ir.Operation], Hashable]
"""A question about an op and what is around or in it."""


class OpSignature:
    """An op as the builder of its rule sees it.

    Whatever is read through this class is recorded, so that another op of the same name and types that reads the same
    gets the same rule without asking the builder again. A builder that has to look further (at the ops around, or into
    the regions) asks by `look`, or takes `operation`; in the latter case its rule is made anew for each op.
    """

    def __init__(self, operation: ir.Operation, conservative: bool = False) -> None:
        self._operation = operation
        self._attributes = operation.attributes
        self.conservative = conservative
        """Whether axes that do not divide a dimension must not pass through the op (spec: sharding-rules, 7)."""
        self.operands: tuple[Shape | None, ...] = tuple(_shape(value.type) for value in operation.operands)
        """Shape of each operand; None for what has none (a token, say)."""
        self.results: tuple[Shape | None, ...] = tuple(_shape(value.type) for value in operation.results)
        """Shape of each result; None for what has none."""
        self.attributes_read: list[str] = []
        """Names of the attributes that were asked for, found or not."""
        self.looks: list[Look] = []
        """Questions that were asked about the op."""
        self.looked_beyond = False
        """Whether `operation` was taken."""

    @property
    def operation(self) -> ir.Operation:
        self.looked_beyond = True
        return self._operation

    def look(self, question: Look) -> Hashable:
        """The answer of `question` about the op.

        It will be asked again about every op of that name (or call target); so it must be the same function each time.
        """
        self.looks.append(question)
        return question(self._operation)

    @property
    def name(self) -> str:
        return self._operation.name

    def operand(self, index: int) -> Shape:
        """Shape of an operand; ValueError if the op has no such operand, or it has no shape."""
        return _shape_at(self.operands, index, "operand")

    def result(self, index: int) -> Shape:
        """Shape of a result; ValueError if the op has no such result, or it has no shape."""
        return _shape_at(self.results, index, "result")

    def attribute(self, name: str) -> Any:
        """The attribute `name`; None if the op lacks it."""
        self.attributes_read.append(name)
        return self._attributes.get(name)

    def required(self, name: str) -> Any:
        """The attribute `name`; ValueError if the op lacks it."""
        value = self.attribute(name)
        if value is None:
            raise ValueError(f"the op has no attribute '{name}'")
        return value

    def integer(self, name: str, default: int = 0) -> int:
        """Value of an integer attribute; `default` if the op lacks it."""
        value = self.attribute(name)
        return default if value is None else value.value

    def integers(self, name: str) -> tuple[int, ...]:
        """Values of an array attribute; ValueError if the op lacks it."""
        return tuple(self.required(name))

    def optional_integers(self, name: str) -> tuple[int, ...] | None:
        """Values of an array or dense attribute in row-major order; None if the op lacks it."""
        value = self.attribute(name)
        return None if value is None else tuple(value)

    def string(self, name: str) -> str:
        """Value of a string attribute; ValueError if the op lacks it."""
        return self.required(name).value

    def flag(self, name: str) -> bool:
        """Value of a boolean attribute; False if the op lacks it."""
        value = self.attribute(name)
        return value is not None and value.value


def _shape(type_: ir.Type) -> Shape | None:
    if not isinstance(type_, ir.ShapedType) or not type_.has_rank:
        return None
    return tuple(type_.shape)


def _shape_at(shapes: Sequence[Shape | None], index: int, what: str) -> Shape:
    shape = shapes[index] if index < len(shapes) else None
    if shape is None:
        raise ValueError(f"{what} {index} has no shape" if index < len(shapes) else f"the op has no {what} {index}")
    return shape
