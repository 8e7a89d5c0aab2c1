"""Why values are sharded as they are, in columns: the last hop of each axis, and what did not come.

Of the way that an axis came only the last hop is kept, with the value that it came from; the whole way is the chain of
these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sdy.dialect.program_values import Program
from sdy.markup.layout import axis_text
from sdy.page.data_types import CameColumns, ReasonsData, StopColumns
from sdy.page.interning import Interned
from sdy.page.program_data import SourceLines
from sdy.report.explanation import AxisOrigin, Explanation, Hop, Stop

MOST_STOPS = 8
"""What is told of one value at most, in each direction."""


class Reasons:
    """Collects what is told of values, by their numbers."""

    def __init__(self, program: Program, sources: SourceLines) -> None:
        self._sources = sources
        self._texts: Interned[str] = Interned()
        self.came: CameColumns = {
            "value": [],
            "axis": [],
            "dim": [],
            "kind": [],
            "origin": [],
            "hops": [],
            "last": [],
            "before": [],
        }
        self.stops: StopColumns = {"value": [], "is_stop": [], "reason": [], "text": []}

    def add(self, value: int, explanation: Explanation) -> None:
        for origin in explanation.axes:
            self._came(value, origin)
        self._stopped(value, 1, explanation.stops[:MOST_STOPS])
        self._stopped(value, 0, explanation.missed[:MOST_STOPS])

    def data(self) -> ReasonsData:
        return {
            "texts": [self._sources.shortened(text) for text in self._texts.things],
            "came": self.came,
            "stops": self.stops,
        }

    def _came(self, value: int, origin: AxisOrigin) -> None:
        hops, before = _last(origin)
        came = self.came
        came["value"].append(value)
        came["axis"].append(self._texts[axis_text(origin.axis)])
        came["dim"].append(origin.dim)
        came["kind"].append(self._texts[origin.kind.value])
        came["origin"].append(-1 if origin.origin is None else self._texts[str(origin.origin)])
        came["hops"].append(len(origin.hops))
        came["last"].append(self._texts["; ".join(map(str, hops))] if hops else -1)
        came["before"].append(before)

    def _stopped(self, value: int, is_stop: Literal[0, 1], stops: Iterable[Stop]) -> None:
        for stop in stops:
            self.stops["value"].append(value)
            self.stops["is_stop"].append(is_stop)
            self.stops["reason"].append(self._texts[stop.reason.value])
            self.stops["text"].append(self._texts[str(stop)])


def _last(origin: AxisOrigin) -> tuple[list[Hop], int]:
    """The hops from the value of the program that an axis came by last, and the number of that; -1 if it has none."""
    found: list[Hop] = []
    for hop in reversed(origin.hops):
        if found and hop.number >= 0:
            return found[::-1], hop.number
        found.append(hop)
    return found[::-1], origin.number if found else -1
