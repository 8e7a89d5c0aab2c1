"""The bare form of HLO text: comments, brackets, names, values of attributes."""

from __future__ import annotations

import re

from sdy.hlo_text.errors import Lines
from sdy.hlo_text.shape import PRIMITIVE_TYPES, TOKEN, ArrayShape, BufferShape, Shape, TupleShape

DEEPEST = 64
"""Limit of nested brackets: far deeper than in programs, and safe for the stack."""

NAME = r"(?:%[\w.\-]+|[A-Za-z_][\w.\-]*)"
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|"|/\*', re.DOTALL)
_NOT_BREAK = re.compile(r"[^\n]")
_BRACKET = re.compile(r'[^()\[\]{}"]*("(?:[^"\\]|\\.)*"|[()\[\]{}])', re.DOTALL)
_SPACE = re.compile(r"\s*")
_SIMPLE_VALUE = re.compile(r'(?:[^\s,"()\[\]{}]+|\{[^"()\[\]{}]*\})(?=[,\n]|\s*\})')
_STEP = re.compile(r'[^()\[\]{}",\s]*([()\[\]{}",]|\s+|$)')
_NEXT_INSTRUCTION = re.compile(rf"(?:ROOT\s|{NAME}\s*=[^=])", re.ASCII)
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


def without_comments(text: str, lines: Lines) -> str:
    """Replace comments by blanks, so that offsets stay valid."""

    def blank(match: re.Match[str]) -> str:
        found = match[0]
        if found in ('"', "/*"):
            what = "string" if found == '"' else "comment"
            raise lines.error(f"this {what} does not end", match.start())
        return found if found[0] == '"' else _NOT_BREAK.sub(" ", found)

    return _COMMENT.sub(blank, text) if "/" in text or '"' in text else text


class Scanner:
    """A text with places in it."""

    def __init__(self, text: str) -> None:
        self.lines = Lines(text)
        self.error = self.lines.error
        self.position = self.lines.position
        self.text = without_comments(text, self.lines)

    def skip(self, at: int) -> int:
        """Return the offset behind the white space."""
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def found(self, at: int) -> str:
        """Quote the word at a place, for messages."""
        word = self.text[at : at + 40].split()
        return f"'{word[0][:30]}'" if word else "the end of the text"

    def closing(self, at: int) -> int:
        """Return the position of the bracket that closes the one at a position."""
        text, expected, place = self.text, [], at
        while True:
            match = _BRACKET.match(text, place)
            if match is None:
                raise self.error(f"'{text[at]}' is not closed", at)
            character, place = match[1][0], match.end()
            if character in _CLOSERS:
                expected.append(_CLOSERS[character])
                if len(expected) > DEEPEST:
                    raise self.error(f"brackets are nested more than {DEEPEST} deep", match.start(1))
            elif character != '"':
                if character != expected.pop():
                    raise self.error(f"'{character}' does not close '{text[at]}'", match.start(1))
                if not expected:
                    return match.start(1)

    def value_end(self, at: int) -> int:
        """Return the end of the attribute value that begins at a place.

        That is a comma or closing brace, the end of the line, or the beginning of another instruction.
        """
        text = self.text
        simple = _SIMPLE_VALUE.match(text, at)
        if simple:
            return simple.end()
        place = at
        while True:
            match = _STEP.match(text, place)
            if match is None:
                raise self.error(f"expected the value of an attribute, found {self.found(place)}", place)
            found, begin = match[1], match.start(1)
            if not found or found[0] in ",)]}":
                return begin
            if found[0] in _CLOSERS:
                place = self.closing(begin) + 1
            elif found[0] == '"':
                place = self._string_end(begin)
            elif (
                "\n" in found
                or _NEXT_INSTRUCTION.match(text, match.end())
                or text[match.end() : match.end() + 1] == "}"
            ):
                return begin
            else:
                place = match.end()

    def _string_end(self, at: int) -> int:
        match = _BRACKET.match(self.text, at)
        if match is None or match[1][0] != '"':  # pragma: no cover - comments have been looked for, so strings end
            raise self.error("this string does not end", at)
        return match.end()

    def split(self, begin: int, end: int) -> list[tuple[int, int]]:
        """Return the parts between commas outside of brackets, without white space around them; none for blank text."""
        text = self.text
        if not text[begin:end].strip():
            return []
        found, part, place = [], begin, begin
        while True:
            match = _PART.match(text, place, end)
            if match is None or not match[1]:
                found.append(self._stripped(part, end))
                return found
            if match[1] == ",":
                found.append(self._stripped(part, match.start(1)))
                part = place = match.end()
            elif match[1] in _CLOSERS:
                place = self.closing(match.start(1)) + 1
            else:
                place = match.end()

    def _stripped(self, begin: int, end: int) -> tuple[int, int]:
        begin = min(self.skip(begin), end)
        return begin, begin + len(self.text[begin:end].rstrip())


_PART = re.compile(r'[^()\[\]{}",]*("(?:[^"\\]|\\.)*"|[()\[\]{},]|$)', re.DOTALL)


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
        """Return whether a shape can begin at a place."""
        text = self._scanner.text
        return text.startswith("(", at) or _ARRAY.match(text, at) is not None or _BUFFER.match(text, at) is not None

    def read(self, at: int, depth: int = 0) -> tuple[Shape, int]:
        """Return the shape that begins at a position, and its end."""
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
            raise scanner.error(f"'{element}' is not an element type", match.start())
        dims: list[int | None] = []
        dynamic: list[bool] = []
        for part in match[2].split(",") if match[2].strip() else ():
            dim = _DIM.fullmatch(part.strip())
            if dim is None:
                raise scanner.error(f"'{part.strip()}' is not a dimension size", match.start(2))
            dims.append(None if dim[2] == "?" else int(dim[2]))
            dynamic.append(bool(dim[1]) or dim[2] == "?")
        layout = "".join((match[3] or "").split())
        if layout and not _LAYOUT.fullmatch(layout):
            raise scanner.error(f"'{layout}' is not a layout", match.start(3))
        if element in ("token", "opaque"):
            if dims or layout not in ("", "{}"):
                raise scanner.error(f"a value of type {element} has no dimensions", match.start(2))
            return TOKEN if element == "token" else ArrayShape(element)
        return ArrayShape(element, tuple(dims), layout, tuple(dynamic) if any(dynamic) else ())


def parse_shape(text: str) -> Shape:
    """Parse a text as a shape.

    Raises:
      HloSyntaxError: it is not a shape.
    """
    scanner = Scanner(text)
    shape, end = ShapeReader(scanner).read(scanner.skip(0))
    end = scanner.skip(end)
    if end < len(scanner.text):
        raise scanner.error(f"expected the end of the shape, found {scanner.found(end)}", end)
    return shape
