"""Shapes from text."""

from __future__ import annotations

import re

from sdy.hlo_text.reading.scanning import DEEPEST, Scanner
from sdy.hlo_text.shape import PRIMITIVE_TYPES, TOKEN, ArrayShape, BufferShape, Shape, TupleShape

_ARRAY = re.compile(r"([a-z][a-z0-9]*)\s*\[([^\[\](){}]*)\](\{[^{}\"]*\})?", re.ASCII)
_DIM = re.compile(r"(<=)?(\d{1,19}|\?)", re.ASCII)
_LAYOUT = re.compile(r"\{[\w,:()\-*?+.<=\[\]]*\}", re.ASCII)
_BUFFER = re.compile(r"b\s*\(", re.ASCII)


class ShapeReader:
    """Reads shapes, each text of an array once."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._arrays: dict[str, Shape] = {}
        self._tuples: dict[tuple[Shape, ...], Shape] = {}

    def can_begin(self, at: int) -> bool:
        """Whether a shape may stand there."""
        text = self._scanner.text
        return text.startswith("(", at) or _ARRAY.match(text, at) is not None or _BUFFER.match(text, at) is not None

    def read(self, at: int, depth: int = 0) -> tuple[Shape, int]:
        """The shape that begins at a place, and where it ends."""
        scanner = self._scanner
        text = scanner.text
        if text.startswith("(", at):
            return self._tuple(at, depth)
        match = _ARRAY.match(text, at)
        if match:
            found = self._arrays.get(match[0])
            if found is None:
                found = self._arrays[match[0]] = self._array(match)
            return found, match.end()
        buffer = _BUFFER.match(text, at)
        if not buffer:
            raise scanner.error(f"expected a shape, found {scanner.found(at)}", at)
        inside, end = self.read(scanner.skip(buffer.end()), depth + 1)
        end = scanner.skip(end)
        if not isinstance(inside, ArrayShape) or not text.startswith(")", end):
            raise scanner.error("expected one array in a buffer", at)
        return BufferShape(inside), end + 1

    def _tuple(self, at: int, depth: int) -> tuple[Shape, int]:
        scanner = self._scanner
        if depth > DEEPEST:
            raise scanner.error(f"tuples are nested more than {DEEPEST} deep", at)
        elements: list[Shape] = []
        place = scanner.skip(at + 1)
        while not scanner.text.startswith(")", place):
            if elements:
                if not scanner.text.startswith(",", place):
                    raise scanner.error(f"expected ',' or ')' in a tuple, found {scanner.found(place)}", place)
                place = scanner.skip(place + 1)
            element, place = self.read(place, depth + 1)
            elements.append(element)
            place = scanner.skip(place)
        key = tuple(elements)
        return self._tuples.setdefault(key, TupleShape(key)), place + 1

    def _array(self, match: re.Match[str]) -> Shape:
        scanner = self._scanner
        element = match[1]
        if element not in PRIMITIVE_TYPES:
            raise scanner.error(f"'{element}' is no element type", match.start())
        dims: list[int | None] = []
        dynamic: list[bool] = []
        for part in match[2].split(",") if match[2].strip() else ():
            dim = _DIM.fullmatch(part.strip())
            if dim is None:
                raise scanner.error(f"'{part.strip()}' is no size of a dimension", match.start(2))
            dims.append(None if dim[2] == "?" else int(dim[2]))
            dynamic.append(bool(dim[1]) or dim[2] == "?")
        layout = "".join((match[3] or "").split())
        if layout and not _LAYOUT.fullmatch(layout):
            raise scanner.error(f"'{layout}' is no layout", match.start(3))
        if element in ("token", "opaque"):
            if dims or layout not in ("", "{}"):
                raise scanner.error(f"a value of type {element} has no dimensions", match.start(2))
            return TOKEN if element == "token" else ArrayShape(element)
        return ArrayShape(element, tuple(dims), layout, tuple(dynamic) if any(dynamic) else ())


def parse_shape(text: str) -> Shape:
    """The shape that the text is.

    Raises:
      HloSyntaxError: it is none.
    """
    scanner = Scanner(text)
    shape, end = ShapeReader(scanner).read(scanner.skip(0))
    end = scanner.skip(end)
    if end < len(scanner.text):
        raise scanner.error(f"expected the end of the shape, found {scanner.found(end)}", end)
    return shape
