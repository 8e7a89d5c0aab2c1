"""The translated text while it is written."""

from __future__ import annotations

import re

from sdy.dialect.assembly.positions import Piece

LEXEME = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"?|//[^\n]*')
"""A string, which may lack its end, or a comment."""


def padding(original: str, text: str) -> str | None:
    """What makes `text`, on one line, end in the same line and column as the `original`; None if it is too long."""
    lines = original.split("\n")
    if len(lines) > 1:
        return "\n" * (len(lines) - 1) + " " * width(lines[-1])
    missing = width(original) - width(text)
    return " " * missing if missing >= 0 else None


def width(text: str) -> int:
    """How many columns the text takes, which count bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class Pieces(list[Piece]):
    """Pieces of the original `text` and of other text, in order; lines are to be those of the original."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def copy(self, start: int, end: int) -> None:
        """Appends the original from `start` to `end`."""
        if start < end:
            self.append((None, start, end))

    def put(self, text: str, at: int) -> None:
        """Appends other text, which has its place at offset `at` of the original."""
        self.append((text, at, at))

    def stand_in(self, text: str, start: int, end: int) -> None:
        """Appends other text in place of the original from `start` to `end`."""
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
        """Adds blanks that bring what stands at offset `at` to the column it has in the original.

        The piece number `first` has kept its column. Returns whether there is room.
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
