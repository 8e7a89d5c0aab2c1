"""The translated text in pieces, which map locations and errors back to the original."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from sdy.dialect.assembly.reader import Reader
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors

Piece = tuple[str | None, int, int]
"""Translated text that is the original from `start` to `end` (first entry None), or other text that stands for it."""


class Positions:
    """Maps places of a translated text, made of pieces, to the original text.

    Lines and columns count from 1, columns in bytes of UTF-8, as MLIR's do.
    """

    def __init__(self, original: str, pieces: Sequence[Piece]) -> None:
        self.original = original
        self.pieces = pieces
        lengths = (end - start if text is None else len(text) for text, start, end in pieces)
        self.starts = [0, *accumulate(lengths)]
        self.translated = join(original, pieces)
        self._translated_lines = _line_starts(self.translated)
        self._original_lines = _line_starts(original)

    def to_original(self, line: int, column: int) -> tuple[int, int]:
        """The line and column in the original of a line and column in the translated text."""
        if not 1 <= line <= len(self._translated_lines):
            return line, column
        offset = _offset(self.translated, self._translated_lines[line - 1], column)
        index = max(0, min(bisect_right(self.starts, offset) - 1, len(self.pieces) - 1))
        text, start, end = self.pieces[index]
        inside = offset - self.starts[index]
        if text is None:
            return self.line_column(start + inside)
        if start == end == 0:
            # What stands in front of everything has no place of its own.
            return self.line_column(Reader(self.original).ahead())
        return self.line_column(start if inside < len(text.rstrip()) else end)

    def offset(self, line: int, column: int) -> int:
        """The offset into the original text of a line and column of the translated one."""
        return _offset(self.original, self._original_lines[line - 1], column)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset into the original."""
        line = bisect_right(self._original_lines, offset)
        start = self._original_lines[line - 1]
        return line, len(self.original[start:offset].encode("utf-8", "surrogatepass")) + 1


def join(original: str, pieces: Sequence[Piece]) -> str:
    """The translated text."""
    return "".join(original[start:end] if text is None else text for text, start, end in pieces)


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset into `text`, without an index over it."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, len(text[start:offset].encode("utf-8", "surrogatepass")) + 1


def _line_starts(text: str) -> list[int]:
    starts = [0]
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts


def _offset(text: str, line_start: int, column: int) -> int:
    """The offset of a byte column in the line that starts at `line_start`."""
    end = text.find("\n", line_start)
    line = text[line_start : len(text) if end < 0 else end]
    if line.isascii():
        return line_start + column - 1
    return line_start + len(line.encode("utf-8", "surrogatepass")[: column - 1].decode("utf-8", "ignore"))


LEXEME = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"?|//[^\r\n]*')
"""A string, which may lack its end, or a comment."""


def padding(original: str, text: str) -> str | None:
    """Return padding after which `text`, on one line, ends in the line and column of `original`; None if too long."""
    lines = original.split("\n")
    if len(lines) > 1:
        return "\n" * (len(lines) - 1) + " " * width(lines[-1])
    missing = width(original) - width(text)
    return " " * missing if missing >= 0 else None


def width(text: str) -> int:
    """Return the width of a text in columns, which count bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class Pieces(list[Piece]):
    """Pieces of the original `text` and of other text, in order; line numbers stay those of the original."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def copy(self, start: int, end: int) -> None:
        """Appends the original from `start` to `end`."""
        if start < end:
            self.append((None, start, end))

    def put(self, text: str, at: int) -> None:
        """Appends other text that is located at offset `at` of the original."""
        self.append((text, at, at))

    def stand_in(self, text: str, start: int, end: int) -> None:
        """Appends other text that replaces the original from `start` to `end`."""
        self.append((text, start, end))

    def pad_lines(self, first: int, start: int, end: int) -> None:
        """Adds the line breaks of the original from `start` to `end` that the pieces from `first` on lack."""
        wanted = self.text.count("\n", start, end)
        if not wanted:
            return
        written = sum(self.text.count("\n", s, e) if text is None else text.count("\n") for text, s, e in self[first:])
        if written < wanted:
            self.put("\n" * (wanted - written), end)

    def align(self, first: int, at: int) -> bool:
        """Adds blanks so that the text at offset `at` keeps the column that it has in the original.

        The piece number `first` has kept its column. Returns whether the blanks fit.
        """
        written = ""
        for text, start, end in reversed(self[first:]):
            written = (self.text[start:end] if text is None else text) + written
            if "\n" in written:
                break
        else:
            start = self[first][1]
            written = self.text[self._line_start(start) : start] + written
        missing = width(self.text[self._line_start(at) : at]) - width(written[written.rfind("\n") + 1 :])
        self.put(" " * missing, at)
        return missing >= 0

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def join_lines(self, first: int) -> None:
        """Writes the pieces from `first` on again, without line breaks and comments."""
        pieces = self[first:]
        del self[first:]
        for text, start, end in pieces:
            if text is None:
                self._copy_on_one_line(start, end)
            else:
                self.append((text.replace("\n", " "), start, end))

    def _copy_on_one_line(self, start: int, end: int) -> None:
        for found in LEXEME.finditer(self.text, start, end):
            if found[0].startswith("//"):
                self._copy_lines(start, found.start())
                start = found.end()
        self._copy_lines(start, end)

    def _copy_lines(self, start: int, end: int) -> None:
        while (at := self.text.find("\n", start, end)) >= 0:
            self.copy(start, at)
            self.put(" ", at)
            start = at + 1
        self.copy(start, end)


class _Hint(NamedTuple):
    """Expressions that match a message, the text before its location, the text at it, and the hint to add."""

    message: str
    before: str
    there: str
    meant: str


_HINTS = (
    _Hint("expected operation name in quotes", "", r"(?P<name>@[\w$.-]+)\s*=\s*<", "sdy.mesh {name} = <"),
    _Hint("cannot name an operation with no results", "", r"%[\w$.-]+\s*=\s*(?P<op>\w[^\n]{1,100})", "{op}"),
    _Hint("expected 'group_id'", "", r",\s*id\s*=\s*(?P<id>\d+)", "group_id={id}"),
    _Hint("expected SSA operand", r"(?P<op>[\w$]+\.[\w$.]+)\s*\Z", r"\(\s*(?P<values>[^()\n]+?)\s*\)", "{op} {values}"),
    _Hint(r"expected ',' or '\]'", "", r"\\\]", "]"),
    _Hint(r"custom op '(?P<op>func|return|call)' is unknown", "", "", "func.{op}"),
    _Hint(
        "op 'return' lacks the name of its dialect",
        r"\b(?P<dialect>sdy|hlo_async|mpmd)\.(?:manual_computation|named_computation|start|update|fragment|for)\b",
        "",
        "{dialect}.return",
    ),
)


def with_hints(errors: DiagnosticErrors, text: str) -> DiagnosticErrors:
    """The errors, with a hint added to the messages of known mistakes."""
    return DiagnosticErrors([_with_hint(each, text) for each in errors.diagnostics])


def _with_hint(error: Diagnostic, text: str) -> Diagnostic:
    place = None
    for hint in _HINTS:
        said = re.match(hint.message, error.message)
        if said is None or not error.position.line:
            continue
        if place is None:
            place = Positions(text, ()).offset(error.position.line, error.position.column)
        *_, before = [None, *re.finditer(hint.before or r"\Z", text[:place])]
        there = re.match(rf"\s*{hint.there}", text[place:])
        if before and there:
            meant = hint.meant.format(**said.groupdict(), **before.groupdict(), **there.groupdict())
            return replace(error, message=f"{error.message}, did you mean '{meant}'?")
    return error
