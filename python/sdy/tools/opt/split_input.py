"""`--split-input-file`: the parts of an input, which are modules of their own."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.mlir.diagnostics import Diagnostic, Position, Severity

_SUFFIX = 2
"""How many characters of a marker may be wrong for what stands there to be suspicious."""


def parts(text: str, marker: str) -> list[str]:
    """The texts between the markers, each behind as many line breaks as there are lines before it.

    So whatever is said about a part names the line that it has in the whole. What follows a marker on its line is a
    comment.
    """
    found, start = [], 0
    while True:
        at = text.find(marker, start)
        blank = "\n" * text.count("\n", 0, start)
        if at < 0:
            return [*found, blank + text[start:]]
        found.append(blank + text[start:at])
        end = text.find("\n", at)
        start = end + 1 if end >= 0 else len(text)


def near_misses(text: str, marker: str, filename: str) -> Iterator[Diagnostic]:
    """Warnings about what starts like a marker but is none."""
    begin = marker[:-_SUFFIX]
    at = text.find(begin) if begin else -1
    while at >= 0:
        if not text.startswith(marker, at):
            line = text.count("\n", 0, at) + 1
            column = at - text.rfind("\n", 0, at)
            place = Position(filename, line, column)
            yield Diagnostic(Severity.WARNING, place, f"near miss with file split marker '{marker}'")
        at = text.find(begin, at + len(begin))
