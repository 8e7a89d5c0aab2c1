"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells, the first of them headings, as aligned text; columns of numbers are flushed right."""
    by_column = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in by_column]
    numeric = [all(map(_is_number, column[1:])) for column in by_column]
    lines = []
    for row in rows:
        cells = zip(row, widths, numeric, strict=True)
        lines.append("  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in cells))
    return "\n".join(line.rstrip() for line in lines)


def _is_number(cell: str) -> bool:
    return cell in ("", "?") or cell.replace(",", "").isdigit()
