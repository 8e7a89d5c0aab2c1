"""Writes the generic form of ops, of those in the dialect's own syntax and of those that are generic already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from sdy.dialect.assembly.foreign import Extent, on_one_line, types
from sdy.dialect.assembly.format_reader import AttributeAliases, ReadOp
from sdy.dialect.assembly.formats import Enumeration, Format
from sdy.dialect.assembly.positions import Pieces, join
from sdy.dialect.assembly.reader import BRACKET, GAP, AssemblyError, Reader
from sdy.dialect.context import VARIADIC
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir.declared_dialects import OPERAND_SEGMENTS, RESULT_SEGMENTS, padded, runs


class Segments:
    """Segments in a context with `groups` groups; `needed` is how many the ops so far need (see `variadic`)."""

    __slots__ = ("_aliases", "groups", "needed")

    def __init__(self, groups: int, aliases: AttributeAliases) -> None:
        self.groups = groups
        self.needed = 0
        self._aliases = aliases

    def of(self, op_name: str, functional_type: Reader) -> list[tuple[str, str]]:
        """The segment attributes of an op with the type that `functional_type` reads."""
        sizes = {OPERAND_SEGMENTS: runs(types(functional_type))}
        functional_type.expect("->")
        sizes[RESULT_SEGMENTS] = runs(types(functional_type))
        self.needed = max(self.needed, 1, *map(len, sizes.values()))
        return [(name, self._array(sizes[name])) for name in VARIADIC[op_name]]

    def _array(self, sizes: list[int]) -> str:
        return self._aliases.of_text(f"array<i32: {', '.join(map(str, padded(sizes, self.groups)))}>")


_TOKEN = lazy_pattern(rf'(?P<key>\w+|"\w+"){GAP}={GAP}|{BRACKET.pattern}')
_I32 = lazy_pattern(rf"(-?\d+){GAP}:{GAP}i32")

_Translate = Callable[[int, int], None]


@dataclass(slots=True)
class GenericOp:
    """The parts of an op in generic form, by extent; `operands` includes successors."""

    operands: Extent
    properties: Extent | None = None
    region: Extent | None = None
    dictionary: Extent | None = None
    segments: list[tuple[str, str]] = field(default_factory=list)
    end: int = 0


def read_generic(format_: Format, reader: Reader, segments: Segments) -> GenericOp | None:
    """Read the op behind its name; None if nothing has to change."""
    start = reader.pos
    try:
        return _read(format_, reader, segments)
    except AssemblyError as error:
        error.is_upstreams, error.instead = True, ('"func.return"', start)
        raise


def _read(format_: Format, reader: Reader, segments: Segments) -> GenericOp | None:
    start, end = reader.balanced()
    if reader.peek("["):
        end = reader.balanced()[1]
    if not reader.peek("<") and format_.op_name not in VARIADIC and not format_.defaults:
        return None
    op = GenericOp((start, end))
    if reader.accept("<"):
        op.properties = reader.balanced()
        reader.expect(">")
    if reader.peek("("):
        op.region = reader.balanced()
    if reader.peek("{") and not reader.peek("{-#"):
        op.dictionary = reader.balanced()
    op.end = reader.pos
    if format_.op_name in VARIADIC:
        reader.expect(":")
        op.segments = segments.of(format_.op_name, reader)
    return op


def check_enumerations(format_: Format, op: GenericOp, text: str, start: int) -> None:
    """Refuses an op, which starts at `start`, with an enum number that has no keyword."""
    for each in format_.elements:
        if isinstance(each, Enumeration):
            value_at = _find(each.name, op, text)
            found = _I32.match(text, value_at or 0)
            if value_at is not None and found is not None and not 0 <= int(found[1]) < len(each.keywords):
                raise AssemblyError(start, f"has an unknown {each.name}, number {found[1]}")


def write_generic(
    format_: Format, op: GenericOp, start: int, pieces: Pieces, translate: _Translate, translate_region: _Translate
) -> None:
    """Appends the op, which starts at `start`; `translate` appends the translation of nested ops."""
    text = pieces.text
    first = len(pieces)
    pieces.put(f'"{format_.op_name}"', start)
    pieces.copy(*op.operands)
    if op.region is not None:
        pieces.put(" ", op.operands[1])
        pieces.pad_lines(first, start, op.region[0])
        translate_region(*op.region)
    extra = [*op.segments, *_defaults(format_, op, text)]
    pieces.put(" {" + ", ".join(f"{name} = {value}" for name, value in extra), start)
    separator, at = ", " if extra else "", start
    for entries in (op.properties, op.dictionary):
        if entries is not None and text[entries[0] + 1 : entries[1] - 1].strip():
            pieces.put(separator, at)
            before = len(pieces)
            translate(entries[0] + 1, entries[1] - 1)
            if entries is op.properties and op.region is not None and "\n" in text[slice(*entries)]:
                pieces.join_lines(before)  # the line breaks have been written in front of the region
            separator, at = ", ", entries[1] - 1
    pieces.put("}", at)
    pieces.pad_lines(first, start, op.end)


def _defaults(format_: Format, op: GenericOp, text: str) -> list[tuple[str, str]]:
    """The attributes that `op` may leave out, and does."""
    return [(name, value) for name, value in format_.defaults.items() if _find(name, op, text) is None]


def _find(name: str, op: GenericOp, text: str) -> int | None:
    """Return the span of the value of an attribute of the op; None if there is no such attribute."""
    for extent in (op.properties, op.dictionary):
        depth = 0
        for token in _TOKEN.finditer(text, *(extent or (0, 0))):
            if depth == 1 and token["key"] is not None and (token["key"] == name or token["key"] == f'"{name}"'):
                return token.end()
            depth += (token[0] in ("<", "(", "{", "[")) - (token[0] in (">", ")", "}", "]"))
    return None


_ENTRY = "_"
"""The label of the block that computations have; short, so that the arguments can keep their columns."""


class OpWriter:
    """Appends to `pieces`; `translate` appends the translation of nested ops, given a start and an end.

    `moved` tells whether some block argument has another column than in the original.
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
            result = self._since(before) if format_.results == "same" else ""
            pieces.put(f") -> ({result})", op.types[-1][1])
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
        """The translation of a text that is written in another place."""
        before = len(self.pieces)
        self.translate(*extent)
        translated = self._since(before)
        del self.pieces[before:]
        return translated

    def _since(self, first: int) -> str:
        """Return the text of the pieces from `first` on, on one line."""
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
            before = len(pieces)
            self.translate(start + 1, end - 1)
            if op.body is not None and end <= op.body[0] and "\n" in self.text[start:end]:
                pieces.join_lines(before)  # the line breaks have been written in front of the region
        pieces.put("}", op.start if op.dictionary is None else op.dictionary[1] - 1)
