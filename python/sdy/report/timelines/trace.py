"""A timeline as trace events, which Perfetto and chrome://tracing show. Times are microseconds there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from sdy.markup.json_data import JsonObject
from sdy.passes.costs.machine import Machine
from sdy.report.timelines.timed import TimedCollective, TimedOp

Event: TypeAlias = JsonObject

_DEVICE = {"pid": 1}
_COMPUTE = {**_DEVICE, "tid": 1}


def trace(
    ops: Iterable[TimedOp],
    collectives: Sequence[TimedCollective],
    bytes_in_flight: Iterable[tuple[float, int]],
    machine: Machine,
) -> JsonObject:
    """The object that is written to a file: `traceEvents`, and what the machine is. See `Timeline`."""
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
    """A track for the collectives over each set of axes, more where some are sent at the same time."""
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
