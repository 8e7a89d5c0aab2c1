"""Plain tables for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

_NARROWEST = 24
"""Characters that wrapped text has at least, however long a line becomes."""


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of cells, the first row being headings; columns of numbers are flushed right."""
    by_column = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in by_column]
    numeric = [all(map(_is_number, column[1:])) for column in by_column]
    lines = []
    for row in rows:
        cells = zip(row, widths, numeric, strict=True)
        lines.append("  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in cells))
    return "\n".join(line.rstrip() for line in lines)


def wrapped_columns(rows: Sequence[Sequence[str]], first_text: int, width: int) -> str:
    """Return rows in lines of `width` characters: cells from `first_text` on are wrapped as one text.

    If less than a short line remains for the text, it goes below the other cells.
    """
    left = columns([row[:first_text] for row in rows]).split("\n")
    margin = max(map(len, left)) + 2
    is_below = width - margin < _NARROWEST
    indent = 4 if is_below else margin
    lines = []
    for head, row in zip(left, rows, strict=True):
        text = "  ".join(filter(None, row[first_text:]))
        wrapped = textwrap.wrap(text, max(width - indent, _NARROWEST), break_on_hyphens=False) or [""]
        first = [head.rstrip()] if is_below else [f"{head.ljust(indent)}{wrapped.pop(0)}".rstrip()]
        lines += first + [f"{' ' * indent}{line}" for line in wrapped if line]
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    if cell.endswith(" %"):
        return cell[:-2].replace(".", "", 1).isdigit()
    return cell in ("", "?") or cell.replace(",", "").isdigit()
