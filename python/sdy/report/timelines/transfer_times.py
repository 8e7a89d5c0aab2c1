"""What a timeline says of the tensors that collectives send, and of the step, for the communication report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sdy.report.text_table import columns
from sdy.report.timelines.timed import TimedCollective
from sdy.report.timelines.timeline import Timeline, duration

HEADINGS = ("time", "exposed", "bytes overlapped")


@dataclass(frozen=True, slots=True)
class TransferTime:
    """Of one tensor, each time it is sent: seconds, those that the device waits, bytes sent while it computes."""

    seconds: float
    exposed: float
    bytes_overlapped: float


def shares(timed: TimedCollective, sizes: Sequence[int]) -> list[TransferTime]:
    """The time of a collective of several tensors, divided among them by their bytes."""
    total = sum(sizes)
    parts = [size / total if total else 1 / len(sizes) for size in sizes]
    return [TransferTime(timed.seconds * part, timed.wait * part, timed.bytes_overlapped * part) for part in parts]


def cells(times: Iterable[tuple[TransferTime | None, int]]) -> tuple[str, str, str]:
    """The sums of what is sent so often each, as cells below `HEADINGS`."""
    known = [(time, count) for time, count in times if time is not None]
    seconds = sum(time.seconds * count for time, count in known)
    exposed = sum(time.exposed * count for time, count in known)
    overlapped = sum(time.bytes_overlapped * count for time, count in known)
    return duration(seconds), duration(exposed), f"{overlapped:,.0f}"


def steps(before: Timeline, after: Timeline) -> str:
    """A line for the step with every collective waited for where it starts, and one for the step as it is."""
    headings = ("step", "total", "compute", "communication", "exposed", "hidden", "peak bytes in flight")
    return columns([headings, ("before", *_sums(before)), ("after", *_sums(after))])


def _sums(one: Timeline) -> list[str]:
    seconds = map(duration, (one.total, one.compute, one.communication, one.exposed))
    return [*seconds, f"{one.hidden:.0%}", f"{one.peak_bytes_in_flight:,}"]
