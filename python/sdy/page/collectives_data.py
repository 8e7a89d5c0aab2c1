"""The collectives of a page, in program order."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

from sdy.markup.layout import axis_text
from sdy.page.data_types import CollectiveData, FreeReshard
from sdy.page.program_data import SourceLines
from sdy.report.communication_report import CommunicationReport
from sdy.report.origins import Reshard
from sdy.report.transfers import Transfer


def collective_data(one: Transfer, sources: SourceLines) -> CollectiveData:
    """Return the page's data of a collective; `bytes_sent` is per device and run of the program."""
    return {
        "id": one.id,
        "kind": one.kind,
        "axes": None if one.axes is None else [axis_text(axis) for axis in one.axes],
        "group_size": one.group_size,
        "operand_bytes": one.operand_bytes,
        "bytes_sent": one.bytes_sent,
        "times": one.times,
        "places": 1,
        "is_conditional": one.is_conditional,
        "is_in_loop": one.is_in_loop,
        "is_asynchronous": one.is_asynchronous,
        "serves": one.serves,
        "value": one.value,
        "location": sources.shortened(one.location),
        "position": sources.shortened(one.position),
        "op": -1 if one.op is None else one.op,
        "reshard": None if one.reshard is None else str(one.reshard),
        "cause": cause_text(one),
        "seconds": None,
        "exposed": None,
    }


def cause_text(one: Transfer) -> str:
    """Return why a collective exists, in a sentence."""
    served = f"{one.serves} {one.value}".strip()
    if one.reshard is not None:
        source = "replicated" if one.reshard.source is None else _dims(one.reshard)
        target = str(one.reshard).partition(" -> ")[2]
        return f"{served} is needed as {target}, and is {source}"
    if one.serves.startswith("result of") and one.kind in ("all_reduce", "reduce_scatter"):
        return f"partial results of {one.serves.removeprefix('result of ')} {one.value}, added up".strip()
    return f"needed by {served}"


def _dims(reshard: Reshard) -> str:
    return str(reshard).partition(" -> ")[0]


def free_data(report: CommunicationReport) -> list[FreeReshard]:
    """The reshards that need no communication."""
    return [
        {"serves": one.serves, "value": one.value, "location": one.location, "reshard": str(one)}
        for one in report.free_reshards
    ]


MOST_COLLECTIVES = 50_000
"""From more than these on equal ones are folded."""

_DIGITS = re.compile(r"\d+")
_KEY: Final = ("kind", "axes", "operand_bytes", "times", "is_conditional", "is_in_loop", "serves", "reshard")


def folded(collectives: list[CollectiveData]) -> tuple[list[CollectiveData], list[int]]:
    """Return the collectives that remain, and the group number of each given one.

    Collectives are equal if kind, size, reshard and axes agree and their locations differ in digits only. The remaining
    one has the sums of bytes and times, and the other fields of the first.
    """
    found: dict[Hashable, int] = {}
    left: list[CollectiveData] = []
    numbers = []
    for one in collectives:
        key = (*(str(one[name]) for name in _KEY), _DIGITS.sub("#", one["location"]))
        number = found.setdefault(key, len(left))
        numbers.append(number)
        if number == len(left):
            left.append({**one})
            continue
        first = left[number]
        first["places"] += 1
        first["bytes_sent"] += one["bytes_sent"]
        if one["times"] is None or first["times"] is None:  # equal ones have equal numbers, or none
            first["times"] = None
        else:
            first["times"] += one["times"]
    return left, numbers
