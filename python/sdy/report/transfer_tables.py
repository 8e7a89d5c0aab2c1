"""Tables of a program's communication: largest first, with shares, as wide as the terminal; and as HTML.

Equal collectives, such as those of several calls of a function, share a line, which has the id of the first.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence

from sdy.markup.fragments import Cell, axes_html, listing, table
from sdy.report.origins import Reshard
from sdy.report.text_table import columns, wrapped_columns
from sdy.report.timelines.estimate import HEADINGS, cells
from sdy.report.transfers import Total, Transfer, bytes_of, ops_of

MOST_ROWS = 40
"""Rows that a table lists before it says how many more there are."""

_HEADINGS = (
    "id",
    "collective",
    "axes",
    "group",
    "times",
    "bytes per device",
    "share",
    "asynchronous",
    *HEADINGS,
    "serves",
    "value",
    "where",
    "position",
    "reshard",
)
_OPTIONAL = ("share", "asynchronous", *HEADINGS, "serves", "value", "position", "reshard")
"""The columns that are left out where they say nothing."""

_NARROW = 60
"""Characters of the narrowest table."""


def terminal_width() -> int | None:
    """Return the columns of the terminal on standard output; None for other output."""
    try:
        is_terminal = sys.stdout is not None and sys.stdout.isatty()
    except ValueError:  # it is closed
        is_terminal = False
    return shutil.get_terminal_size().columns if is_terminal else None


def transfer_table(
    transfers: Sequence[Transfer], free: Sequence[Reshard] = (), most: int | None = MOST_ROWS, width: int | None = None
) -> str:
    """Return one line per group of equal transfers, by bytes, then the free reshards.

    Args:
      transfers: the transfers; shares refer to their sum.
      free: reshards that send nothing.
      most: rows to list; None for all.
      width: characters of a line, to which the served value is wrapped; None for lines of any length.
    """
    whole, groups = bytes_of(transfers), by_bytes(transfers)
    is_any_asynchronous = any(one.is_asynchronous for one in transfers)
    rows = [
        (
            ones[0].id,
            *_what(ones[0]),
            _how_often(*ones),
            f"{bytes_of(ones):,.0f}",
            share_text(bytes_of(ones), whole) if len(groups) > 1 else "",
            *_when(ones, is_any_asynchronous),
            *_why(ones[0]),
        )
        for ones in groups
    ]
    rows += [("", "none", "", "", "", "0", "", "", "", "", "", *_place(one), str(one)) for one in free]
    shown = [
        number for number, name in enumerate(_HEADINGS) if name not in _OPTIONAL or any(row[number] for row in rows)
    ]
    listed = rows[:most]
    chosen = [tuple(row[number] for number in shown) for row in (_HEADINGS, *listed)]
    first_text = next(place for place, number in enumerate(shown) if number >= _HEADINGS.index("serves"))
    text = columns(chosen) if width is None else wrapped_columns(chosen, first_text, max(width, _NARROW))
    return text + _more(groups[len(listed) :], len(rows) - len(listed), whole)


def _more(left: Sequence[Sequence[Transfer]], count: int, whole: float) -> str:
    if not count:
        return ""
    sent = sum(map(bytes_of, left))
    share = f" ({share_text(sent, whole)})" if whole else ""
    return f"\n... and {count} more, {sent:,.0f} bytes{share}"


def total_table(totals: Sequence[Total]) -> str:
    """One line per kind and axes, by bytes, then the sum."""
    whole = sum(one.bytes_sent for one in totals)
    is_any = len(totals) > 1
    rows = [("total", "axes", "group", "times", "bytes per device", *(["share"] if is_any else []))]
    for one in sorted(totals, key=lambda one: -one.bytes_sent):
        share = [share_text(one.bytes_sent, whole)] if is_any else []
        rows.append((one.kind, one.axes, str(one.group_size), str(one.ops), f"{one.bytes_sent:,.0f}", *share))
    ops = sum(one.ops for one in totals)
    rows.append(("all", "", "", str(ops), f"{whole:,.0f}", *([""] if is_any else [])))
    return columns(rows)


def share_text(part: float, whole: float) -> str:
    """``12.3 %``; nothing of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else ""


def by_bytes(transfers: Sequence[Transfer]) -> list[list[Transfer]]:
    """Group the transfers with equal rows, the groups that send most first, else in program order."""
    found: dict[tuple[str, ...], list[Transfer]] = {}
    for one in transfers:
        found.setdefault((*_what(one), _how_often(one), str(one.is_asynchronous), *_why(one)), []).append(one)
    return sorted(found.values(), key=lambda ones: -bytes_of(ones))


# HTML ------------------------------------------------------------------------------------------------


def html_tables(
    transfers: Sequence[Transfer], free: Sequence[Reshard], totals: Sequence[Total], title: str
) -> Iterator[str]:
    """Yield the totals, the collectives with equal ones on one line, and the free reshards."""
    whole = bytes_of(transfers)
    sums = [
        [
            Cell(one.kind),
            Cell(one.axes),
            Cell(str(one.ops), is_number=True),
            Cell(f"{one.bytes_sent:,.0f}", is_number=True),
            Cell(share_text(one.bytes_sent, whole), is_number=True),
        ]
        for one in sorted(totals, key=lambda one: -one.bytes_sent)
    ]
    yield table(("kind", "axes", "times", "bytes per device", "share"), sums, title)
    if transfers:
        rows = [_html_row(ones, whole) for ones in by_bytes(transfers)]
        headings = ("id", "kind", "axes", "times", "bytes per device", "share", "serves", "value", "where", "reshard")
        yield table(headings, rows)
    yield listing("reshards that are free", (f"{one}: {one.serves} {one.value} {one.location}" for one in free))


def _html_row(ones: Sequence[Transfer], whole: float) -> list[Cell]:
    one = ones[0]
    serves, value, where, position = _place(one)
    return [
        Cell(one.id),
        Cell(one.kind),
        Cell(html=axes_html(one.axes)),
        Cell(_how_often(*ones), is_number=True),
        Cell(f"{bytes_of(ones):,.0f}", is_number=True),
        Cell(share_text(bytes_of(ones), whole), is_number=True),
        Cell(serves),
        Cell(value),
        Cell(f"{where} {position}".strip()),
        Cell("" if one.reshard is None else str(one.reshard)),
    ]


# Cells -----------------------------------------------------------------------------------------------


def _what(one: Transfer) -> tuple[str, str, str]:
    return one.kind, one.axes_text, str(one.group_size)


def _when(ones: Sequence[Transfer], says_asynchronous: bool) -> tuple[str, ...]:
    """Return cells on asynchrony and time, if known."""
    asynchronous = ("yes" if ones[0].is_asynchronous else "no") if says_asynchronous else ""
    if ones[0].time is None:
        return asynchronous, "", "", ""
    return asynchronous, *cells((one.time, 1 if one.times is None else one.times) for one in ones)


def _why(one: Transfer) -> tuple[str, ...]:
    return *_place(one), "" if one.reshard is None else str(one.reshard)


def _place(one: Transfer | Reshard) -> tuple[str, str, str, str]:
    """Return the served op and its location, with the position only once."""
    return one.serves, one.value, one.location, "" if one.position == one.location else one.position


def _how_often(*ones: Transfer) -> str:
    """Return how often equal transfers run: ``2``, ``<=1`` in a branch, ``10 (loop)``, ``? (loop)``."""
    first, count = ones[0], ops_of(ones)
    if first.times is None:
        return f"{count} x ? (loop)" if count > 1 else "? (loop)"
    return f"{'<=' * first.is_conditional}{count}{' (loop)' * first.is_in_loop}"
