"""Why values are sharded as they are, in columns: the last hop of each axis, and what did not come.

Of the way that an axis came only the last hop is kept, with the value that it came from; the whole way is the chain of
these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sdy.dialect.program_values import Program
from sdy.markup.layout import axis_text
from sdy.page.interning import Interned
from sdy.page.source_lines import SourceLines
from sdy.report.explanation import AxisOrigin, Explanation, Hop, Stop

MOST_STOPS = 8
"""What is told of one value at most, in each direction."""


class Reasons:
    """Collects what is told of values, by their numbers."""

    def __init__(self, program: Program, sources: SourceLines) -> None:
        self._sources = sources
        self._texts: Interned[str] = Interned()
        self._by_name: dict[str, int] = {}
        for number, value in enumerate(program.values):
            self._by_name.setdefault(program.name(value), number)
            self._by_name.setdefault(value.what, number)
        self.came: dict[str, list[int]] = {
            key: [] for key in ("value", "axis", "dim", "kind", "origin", "hops", "last", "before")
        }
        self.stops: dict[str, list[int]] = {key: [] for key in ("value", "is_stop", "reason", "text")}

    def add(self, value: int, explanation: Explanation) -> None:
        for origin in explanation.axes:
            self._came(value, origin)
        for is_stop, stops in ((1, explanation.stops), (0, explanation.missed)):
            self._stopped(value, is_stop, stops[:MOST_STOPS])

    def data(self) -> dict[str, Any]:
        return {
            "texts": [self._sources.shortened(text) for text in self._texts.things],
            "came": self.came,
            "stops": self.stops,
        }

    def _came(self, value: int, origin: AxisOrigin) -> None:
        hops, before = _last(origin)
        first = before or (origin.origin.what if hops and origin.origin else "")
        row = {
            "value": value,
            "axis": self._texts[axis_text(origin.axis)],
            "dim": origin.dim,
            "kind": self._texts[origin.kind.value],
            "origin": -1 if origin.origin is None else self._texts[str(origin.origin)],
            "hops": len(origin.hops),
            "last": self._texts["; ".join(map(str, hops))] if hops else -1,
            "before": self._by_name.get(first, -1) if first else -1,
        }
        for key, cell in row.items():
            self.came[key].append(cell)

    def _stopped(self, value: int, is_stop: int, stops: Iterable[Stop]) -> None:
        for stop in stops:
            row = (value, is_stop, self._texts[stop.reason.value], self._texts[str(stop)])
            for key, cell in zip(self.stops, row, strict=True):
                self.stops[key].append(cell)


def _last(origin: AxisOrigin) -> tuple[list[Hop], str]:
    """The hops from the value of the program that an axis came by last, and the name of that; empty if it has none."""
    found: list[Hop] = []
    for hop in reversed(origin.hops):
        if found and hop.value:
            return found[::-1], hop.value
        found.append(hop)
    return found[::-1], ""
