"""Writes the generic form of an op that was read in the dialect's own syntax, on as many lines."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.assembly.foreign import Extent, on_one_line
from sdy.dialect.assembly.format_reader import ReadOp
from sdy.dialect.assembly.formats import Format
from sdy.dialect.assembly.pieces import Pieces
from sdy.dialect.assembly.positions import join

_ENTRY = "_"
"""The label of the block that computations have; short, so that the arguments can keep their columns."""


class OpWriter:
    """Appends to `pieces`; `translate` appends the translation of what is nested, from a start to an end.

    `moved` says whether some block argument stands in another column than in the original.
    """

    __slots__ = ("moved", "pieces", "text", "translate", "translate_body")

    def __init__(
        self, pieces: Pieces, translate: Callable[[int, int], None], translate_body: Callable[[int, int], None]
    ) -> None:
        self.pieces = pieces
        self.text = pieces.text
        self.translate = translate
        self.translate_body = translate_body
        self.moved = False

    def write(self, format_: Format, op: ReadOp, type_text: str, end: int) -> None:
        """The generic form of `op`, which ends at `end`."""
        pieces = self.pieces
        first = len(pieces)
        self.write_start(format_.op_name, op)
        self._dictionary(op)
        if op.types:
            pieces.put(" : (", op.start)
            before = len(pieces)
            self.translate(op.types_at, op.types[-1][1])
            result = self._since(before) if format_.results == "same" else "()"
            pieces.put(f") -> {result}", op.types[-1][1])
        elif op.functional_type is not None:
            pieces.put(" : ", op.start)
            self.translate(op.types_at, op.functional_type[1])
        elif op.mapping_type is not None:
            operand, results = op.mapping_type
            pieces.put(" : (", op.start)
            self.translate(op.types_at, operand[1])
            pieces.put(")", operand[1])
            self.translate(operand[1], results[1])
        elif op.constant_type is not None:
            pieces.put(f" : () -> {self._on_one_line(op.constant_type)}", op.start)
        else:
            pieces.put(" : " + type_text, op.start)
        pieces.pad_lines(first, op.start, end)

    def _on_one_line(self, extent: Extent) -> str:
        """The translation of what stands elsewhere."""
        before = len(self.pieces)
        self.translate(*extent)
        translated = self._since(before)
        del self.pieces[before:]
        return translated

    def _since(self, first: int) -> str:
        """What the pieces from `first` on say, on one line."""
        return on_one_line(join(self.text, self.pieces[first:]))

    def write_start(self, op_name: str, op: ReadOp) -> None:
        """Name, operands and region."""
        pieces = self.pieces
        first = len(pieces)
        pieces.put(f'"{op_name}"(', op.start)
        if op.operands:
            pieces.copy(op.operands[0][0], op.operands[-1][1])
        pieces.put(")", op.start)
        if op.body is not None:
            self._region(op, op.body, first)

    def _region(self, op: ReadOp, body: tuple[int, int], first: int) -> None:
        pieces = self.pieces
        pieces.put("({", op.start if op.arguments else body[0])
        if op.arguments:
            self._arguments(op, body, first)
        pieces.pad_lines(first, op.start, body[0])
        self.translate_body(*body)
        pieces.put("})", body[1])

    def _arguments(self, op: ReadOp, body: tuple[int, int], first: int) -> None:
        pieces = self.pieces
        label, at = f"^{_ENTRY}(", op.start
        for argument in op.arguments:
            pieces.put(label, at)
            pieces.pad_lines(first, op.start, argument.value[0])
            self.moved = not pieces.align(first, argument.value[0]) or self.moved
            self.translate(argument.value[0], argument.type[1])
            at = argument.type[1]
            if argument.location is not None:
                pieces.put(" ", at)
                self.translate(*argument.location)
            label = ", "
        pieces.put("): ", body[0])

    def _dictionary(self, op: ReadOp) -> None:
        if not op.attributes and op.dictionary is None and op.constant is None:
            return
        pieces = self.pieces
        pieces.put(" {" + ", ".join(f"{name} = {value}" for name, value in op.attributes), op.start)
        if op.constant is not None:
            pieces.put("value = ", op.start)
            self.translate(*op.constant)
        if op.dictionary is not None:
            start, end = op.dictionary
            if (op.attributes or op.constant) and self.text[start + 1 : end - 1].strip():
                pieces.put(", ", start)
            self.translate(start + 1, end - 1)
        pieces.put("}", op.start if op.dictionary is None else op.dictionary[1] - 1)
