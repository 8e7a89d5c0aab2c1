"""A timeline as data: in numbers, as a table, as JSON. Seconds from the start of the step; bytes of one device."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sdy.markup.json_data import JsonObject
from sdy.markup.shown_text import ShownText
from sdy.passes.costs.machine import Machine
from sdy.report.text_table import columns
from sdy.report.timelines.timed import TimedCollective, TimedOp
from sdy.report.timelines.trace import trace


@dataclass(frozen=True, slots=True)
class Timeline(ShownText):
    """What one step takes on each device, `total = compute + exposed`; seconds.

    Attributes:
      compute: while the device computes.
      communication: the sum of what all collectives take.
      exposed: while the device waits for one.
      peak_bytes_in_flight: most bytes of operands and results of collectives between their start and their done.
      collectives: in program order.
      ops: what computes, in program order; in a loop, the first round.
      bytes_in_flight: what is in flight from each second on; in a loop, in the first round.
      is_exact: whether it is known how often everything runs, and which branch.
      machine: what was asked for.
    """

    total: float
    compute: float
    communication: float
    exposed: float
    peak_bytes_in_flight: int
    collectives: tuple[TimedCollective, ...]
    ops: tuple[TimedOp, ...]
    bytes_in_flight: tuple[tuple[float, int], ...]
    is_exact: bool
    machine: Machine

    @property
    def hidden(self) -> float:
        """The share of the communication during which the device computes; 1 without communication."""
        return 1 - self.exposed / self.communication if self.communication else 1.0

    def __str__(self) -> str:
        """A line per collective, those that are alike on one, then the sums."""
        listed = f"{_listing(self.collectives)}\n\n" if self.collectives else ""
        text = f"{listed}{_sums(self)}"
        if any(one.times is None for one in self.collectives):
            text += "\n?: in a loop whose number of rounds is not known, counted as one round"
        if not all(one.counts for one in self.collectives):
            text += "\n(): in a branch that is not the longest, not counted"
        return text

    def to_json(self, indent: int | None = 2) -> str:
        """The sums, the machine as it is written, and the collectives with their attributes."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> JsonObject:
        """What `to_json` writes."""
        sums = ("total", "compute", "communication", "exposed", "hidden", "peak_bytes_in_flight", "is_exact")
        return {
            **{name: getattr(self, name) for name in sums},
            "machine": str(self.machine),
            "collectives": [_data(one) for one in self.collectives],
        }

    def to_trace(self, indent: int | None = None) -> str:
        """The same for Perfetto (ui.perfetto.dev) or chrome://tracing, in the JSON format of trace events.

        One track for what computes and for the waits, one per set of mesh axes for what is sent, and a counter of the
        bytes in flight. A loop shows its first round.
        """
        return json.dumps(trace(self.ops, self.collectives, self.bytes_in_flight, self.machine), indent=indent)


def _data(one: TimedCollective) -> JsonObject:
    return {**asdict(one), "seconds": one.seconds, "bytes_overlapped": one.bytes_overlapped}


# Tables ----------------------------------------------------------------------------------------------


def _listing(found: Sequence[TimedCollective]) -> str:
    alike: dict[tuple[str, ...], list[TimedCollective]] = {}
    for one in found:
        alike.setdefault(_row(one), []).append(one)
    headings = ("collective", "axes", "group", "asynchronous", "time", "exposed", "bytes overlapped", "where", "times")
    return columns([headings, *((*row, _how_often(ones)) for row, ones in alike.items())])


def _row(one: TimedCollective) -> tuple[str, ...]:
    where = one.location if one.location == one.done_location else f"{one.location} .. {one.done_location}"
    return (
        one.kind,
        one.axes,
        str(one.group_size),
        "yes" if one.is_asynchronous else "no",
        duration(one.seconds),
        duration(one.wait),
        f"{one.bytes_overlapped:,.0f}",
        where,
    )


def _how_often(ones: Sequence[TimedCollective]) -> str:
    if any(one.times is None for one in ones):
        return "?" if len(ones) == 1 else f"{len(ones)} x ?"
    times = str(sum(one.times or 0 for one in ones))
    return times if all(one.counts for one in ones) else f"({times})"


def _sums(one: Timeline) -> str:
    headings = ("total", "compute", "communication", "exposed", "hidden", "peak bytes in flight")
    seconds = map(duration, (one.total, one.compute, one.communication, one.exposed))
    return columns([headings, (*seconds, f"{one.hidden:.0%}", f"{one.peak_bytes_in_flight:,}")])


def duration(seconds: float) -> str:
    """``12.3 us``: four digits in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns" if seconds else "0"
