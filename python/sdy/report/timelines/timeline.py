"""A timeline as data: in numbers, as a table, as JSON. Seconds from the start of the step; bytes of one device."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeAlias

from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.markup.templating import ShownText
from sdy.passes.costs.machine import Machine
from sdy.report.text_table import columns

Event: TypeAlias = JsonObject

_DEVICE = {"pid": 1}
_COMPUTE = {**_DEVICE, "tid": 1}


def trace(
    ops: Iterable[TimedOp],
    collectives: Sequence[TimedCollective],
    bytes_in_flight: Iterable[tuple[float, int]],
    machine: Machine,
) -> JsonObject:
    """Return the object to write to a file: `traceEvents` and the machine. See `Timeline`."""
    return {
        "traceEvents": [
            *_names(),
            *_computing(ops, collectives),
            *_sending(collectives),
            *_in_flight(bytes_in_flight),
        ],
        "displayTimeUnit": "ns",
        "otherData": {"machine": str(machine)},
    }


def _names() -> Iterator[Event]:
    yield {"ph": "M", "name": "process_name", **_DEVICE, "tid": 0, "args": {"name": "device"}}
    yield _track(1, "compute")


def _track(number: int, name: str) -> Event:
    return {"ph": "M", "name": "thread_name", **_DEVICE, "tid": number, "args": {"name": name}}


def _computing(ops: Iterable[TimedOp], collectives: Iterable[TimedCollective]) -> Iterator[Event]:
    for op in ops:
        yield _slice(_op_name(op), "compute", op.begun, op.ended, {"location": op.location}, _COMPUTE)
    for one in collectives:
        if one.counts and one.wait:
            name, end = f"wait for {one.kind}", one.awaited + one.wait
            yield _slice(name, "exposed", one.awaited, end, {"location": one.done_location}, _COMPUTE)


def _op_name(op: TimedOp) -> str:
    if not op.is_loop:
        return op.name
    return f"{op.name}, {'?' if op.rounds is None else op.rounds} rounds"


def _sending(collectives: Iterable[TimedCollective]) -> Iterator[Event]:
    """Return a track for the collectives over each set of axes, more where some overlap."""
    tracks: dict[tuple[str, int], tuple[int, float]] = {}
    for one in sorted((one for one in collectives if one.counts), key=lambda one: one.begun):
        lane = 0
        while tracks.get((one.axes, lane), (0, 0.0))[1] > one.begun:
            lane += 1
        number = tracks.get((one.axes, lane), (len(tracks) + 2, 0.0))[0]
        if (one.axes, lane) not in tracks:
            yield _track(number, f"collectives over {one.axes}" + (f" ({lane + 1})" if lane else ""))
        tracks[one.axes, lane] = number, one.arrived
        yield _slice(one.kind, "communication", one.begun, one.arrived, _facts(one), {**_DEVICE, "tid": number})


def _facts(one: TimedCollective) -> JsonObject:
    return {
        "axes": one.axes,
        "group size": one.group_size,
        "bytes sent": one.bytes_sent,
        "bytes overlapped": one.bytes_overlapped,
        "times": one.times,
        "asynchronous": one.is_asynchronous,
        "queued (us)": (one.begun - one.issued) * 1e6,
        "exposed (us)": one.wait * 1e6,
        "start": one.location,
        "done": one.done_location,
    }


def _in_flight(bytes_in_flight: Iterable[tuple[float, int]]) -> Iterator[Event]:
    for second, size in bytes_in_flight:
        yield {
            "ph": "C",
            "name": "bytes in flight",
            "ts": second * 1e6,
            **_DEVICE,
            "tid": 0,
            "args": {"bytes": size},
        }


def _slice(name: str, category: str, begun: float, ended: float, args: JsonObject, track: Event) -> Event:
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "ts": begun * 1e6,
        "dur": (ended - begun) * 1e6,
        **track,
        "args": args,
    }


@dataclass(frozen=True, slots=True)
class TimedCollective:
    """A collective on the timeline; in a loop, as it runs in the first round.

    Attributes:
      kind, axes, group_size: its kind and its devices.
      bytes_sent: by each device, each time it runs.
      times: how often it runs in the step; None if that is not known, which counts as once.
      counts: False in a branch beside that which takes longest.
      is_asynchronous: whether it has a start and a done of its own.
      location, done_location: source positions of start and done; a synchronous one is its own done.
      issued, begun, arrived: when it was started, when its channel was free, and when all of it was there.
      awaited: when its done was reached.
      wait: how long the device then waited, each time.
    """

    kind: str
    axes: str
    group_size: int
    bytes_sent: float
    times: int | None
    counts: bool
    is_asynchronous: bool
    location: str
    done_location: str
    issued: float
    begun: float
    arrived: float
    awaited: float
    wait: float

    @property
    def seconds(self) -> float:
        """Duration of the transfer, in seconds."""
        return self.arrived - self.begun

    @property
    def bytes_overlapped(self) -> float:
        """Bytes sent while the device computed, each time it runs."""
        return self.bytes_sent * (1 - min(1.0, self.wait / self.seconds)) if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class TimedOp:
    """An op that computes, or contains one; `rounds` is the loop count, None if unknown or without a loop."""

    name: str
    location: str
    begun: float
    ended: float
    rounds: int | None = None
    is_loop: bool = False


@dataclass(frozen=True, slots=True)
class Timeline(ShownText):
    """Estimated time of one step on each device, `total = compute + exposed`; seconds.

    Attributes:
      compute: while the device computes.
      communication: total seconds of all collectives.
      exposed: while the device waits for one.
      peak_bytes_in_flight: most bytes of operands and results of collectives between their start and their done.
      collectives: in program order.
      ops: the computing ops, in program order; in a loop, the first round.
      bytes_in_flight: bytes in flight from each second on; in a loop, in the first round.
      is_exact: whether it is known how often everything runs, and which branch.
      machine: the given machine.
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
        """Return the share of the communication during which the device computes; 1 without communication."""
        return 1 - self.exposed / self.communication if self.communication else 1.0

    def __str__(self) -> str:
        """Return a line per collective, equal ones merged, then the sums."""
        listed = f"{_listing(self.collectives)}\n\n" if self.collectives else ""
        text = f"{listed}{_sums(self)}"
        if any(one.times is None for one in self.collectives):
            text += "\n?: in a loop with an unknown trip count, counted as one round"
        if not all(one.counts for one in self.collectives):
            text += "\n(): in a branch that is not the longest, not counted"
        return text

    def to_json(self, indent: int | None = 2) -> str:
        """The sums, the machine as it is written, and the collectives with their attributes."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> JsonObject:
        """Return the data that `to_json` writes."""
        sums = ("total", "compute", "communication", "exposed", "hidden", "peak_bytes_in_flight", "is_exact")
        return {
            **{name: getattr(self, name) for name in sums},
            "machine": str(self.machine),
            "collectives": [_data(one) for one in self.collectives],
        }

    def to_trace(self, indent: int | None = None) -> str:
        """Return trace events as JSON for Perfetto (ui.perfetto.dev) or chrome://tracing.

        There is one track for computation and waits, one per set of mesh axes for transfers, and a counter of the bytes
        in flight. A loop shows its first round.
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
