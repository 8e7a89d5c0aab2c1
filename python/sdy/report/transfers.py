"""A tensor that a collective sends, and sums of them, for people and as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from sdy.dialect.values.axes import AxisRef
from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.passes.costs.program_collectives import Collective
from sdy.report.origins import Reshard
from sdy.report.timelines.estimate import TransferTime


@dataclass(frozen=True, slots=True)
class Transfer(Collective):
    """A tensor that a collective sends, and why.

    `location` belongs to the op that it `serves`: ``operand 0 of stablehlo.add``, ``result of stablehlo.dot_general``
    (whose partial results are reduced), or an op that communicates itself. It is the frontend's name of the op, if
    there is one; `position` is ``file:line:col``, empty if unknown, and `value` the name of the result in the printed
    program and in `sdy.explain`: ``%3``, or ``@f:%3`` outside of the main function. In a branch (`is_conditional`)
    `times` is the largest possible count. `reshard` is the reshard that it belongs to, if any. `time` is present if a
    machine was given. `id` is ``c0``, ``c1``, ... in program order, as in `sdy.explain` and `sdy.why`; `op` is the
    number of the served op in the given program, parents first, None if that has no such op.
    """

    serves: str
    position: str
    value: str
    is_conditional: bool
    is_in_loop: bool
    reshard: Reshard | None
    is_asynchronous: bool = False
    time: TransferTime | None = None
    id: str = ""
    op: int | None = None

    @property
    def bytes_sent(self) -> float:
        """Return the bytes that each device sends in one run; in a loop of unknown length, those of one round."""
        return self.moved_bytes * (1 if self.times is None else self.times)


@dataclass(frozen=True, slots=True)
class Total:
    """All collectives of one kind over the same axes; `ops` and `bytes_sent` are of one run."""

    kind: str
    axes: str
    group_size: int
    ops: int
    bytes_sent: float


def totals_of(transfers: Iterable[Transfer]) -> tuple[Total, ...]:
    """Sums by kind, axes and group size, in order of first appearance."""
    groups: dict[tuple[str, str, int], list[Transfer]] = {}
    for one in transfers:
        groups.setdefault((one.kind, one.axes_text, one.group_size), []).append(one)
    return tuple(Total(*key, ops_of(ones), bytes_of(ones)) for key, ones in groups.items())


def bytes_of(transfers: Iterable[Transfer]) -> float:
    """Bytes that each device sends in one run."""
    return sum(one.bytes_sent for one in transfers)


def ops_of(transfers: Iterable[Transfer]) -> int:
    """Return the number of collectives in one run; unknown trip counts count as one round."""
    return sum(1 if one.times is None else one.times for one in transfers)


def transfer_data(one: Transfer) -> JsonObject:
    """Return a transfer as JSON data."""
    return {
        "id": one.id,
        "op": one.op,
        "kind": one.kind,
        "axes": None if one.axes is None else [_axis_data(axis) for axis in one.axes],
        "group_size": one.group_size,
        "operand_bytes": one.operand_bytes,
        "bytes_sent_per_execution": number(one.moved_bytes),
        "times": one.times,
        "is_conditional": one.is_conditional,
        "is_in_loop": one.is_in_loop,
        "bytes_sent": number(one.bytes_sent),
        "serves": one.serves,
        "location": one.location,
        "position": one.position,
        "value": one.value,
        "reshard": None if one.reshard is None else reshard_data(one.reshard),
        **({"asynchronous": True} if one.is_asynchronous else {}),
        **({} if one.time is None else asdict(one.time)),
    }


def _axis_data(axis: AxisRef) -> str:
    """``x``, or ``x:(1)2`` for a part of an axis."""
    return axis.name if axis.sub_axis is None else f"{axis.name}:({axis.sub_axis.pre_size}){axis.sub_axis.size}"


def reshard_data(one: Reshard) -> JsonObject:
    """Return a reshard as JSON data."""
    return {
        "source": None if one.source is None else str(one.source),
        "target": str(one.target),
        "serves": one.serves,
        "location": one.location,
        "position": one.position,
        "value": one.value,
    }


def number(value: float) -> float:
    """Format a number; integers without a fraction."""
    return int(value) if float(value).is_integer() else value
