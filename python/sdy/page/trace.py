"""The schedule of a page as trace events for Perfetto (ui.perfetto.dev) and chrome://tracing.

The format is Chrome's Trace Event Format: spans (``X``) on a track for each lane, counters (``C``) for memory, times in
microseconds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from sdy.markup import JsonObject
from sdy.page.data import data
from sdy.page.data_types import CollectiveData, PageData, ProgramData, ScheduleData
from sdy.page.plans import AnyPlan, Parts, Plan
from sdy.page.render import write
from sdy.passes.costs.machine import Machine

Event: TypeAlias = JsonObject

BARE = Parts(reasons=False, cures=0, sources=False)
"""Parts of a page that a trace needs."""


def save_trace(
    path: str | os.PathLike[str],
    *plans: AnyPlan | Plan,
    machine: Machine | str,
    title: str = "",
    filename: str = "-",
) -> Path:
    """Write the timeline of a page to a file for Perfetto, atomically; return its path.

    Arguments and errors are those of `sdy.page.data`, and OSError where the file cannot be written. Each plan becomes a
    separate process there.
    """
    target = Path(path)
    found = data(*plans, machine=machine, title=title or target.stem, filename=filename, parts=BARE)
    write(target, json.dumps(trace(found)))
    return target


def trace(found: PageData) -> Event:
    """The trace of the data of a page (`sdy.page.data` with a machine).

    Raises:
      ValueError: the data have no schedule, since no machine was given.
    """
    schedules = [plan["schedule"] for plan in found["plans"]]
    known = [schedule for schedule in schedules if schedule is not None]
    if len(known) < len(schedules):
        raise ValueError("a trace needs times: give a machine, such as h100")
    events = [event for number, schedule in enumerate(known) for event in _events(found, number, schedule)]
    machine = known[0]["machine"]
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": {"title": found["title"], "machine": machine}}


def _events(found: PageData, number: int, schedule: ScheduleData) -> Iterator[Event]:
    plan = found["plans"][number]
    program = found["programs"][plan["program"]]
    device = {"pid": number + 1}
    yield {"ph": "M", "name": "process_name", **device, "tid": 0, "args": {"name": f"a device, {plan['name']}"}}
    for track, lane in enumerate(schedule["lanes"], 1):
        at = {**device, "tid": track}
        yield {"ph": "M", "name": "thread_name", **at, "args": {"name": lane["name"]}}
        for item, start, length in zip(lane["item"], lane["start"], lane["length"], strict=True):
            name, args = _computed(program, item) if not lane["axes"] else _sent(plan["collectives"][item])
            category = "communication" if lane["axes"] else "compute"
            yield {"ph": "X", "name": name, "cat": category, "ts": start, "dur": length, **at, "args": args}
    for time, size in zip(schedule["memory"]["time"], schedule["memory"]["bytes"], strict=True):
        yield {"ph": "C", "name": "memory", "ts": time, **device, "tid": 0, "args": {"bytes": size}}


def _computed(program: ProgramData, op: int) -> tuple[str, Event]:
    """Return the name of an op and its description; -1 is an op made by a pass."""
    if op < 0:
        return "what a pass has made", {}
    return program["op_names"][program["ops"]["name"][op]], {
        "location": program["locations"][program["ops"]["location"][op]],
        "op": op,
    }


def _sent(one: CollectiveData) -> tuple[str, Event]:
    return one["kind"], {
        "id": one["id"],
        "axes": one["axes"],
        "group_size": one["group_size"],
        "operand_bytes": one["operand_bytes"],
        "bytes_sent": one["bytes_sent"],
        "times": one["times"],
        "cause": one["cause"],
        "location": one["location"],
    }
