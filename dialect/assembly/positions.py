"""Where a place of the translated text was in the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sdy.dialect.assembly.reader import Reader

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
        """The offset into the original of a line and column of it."""
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
