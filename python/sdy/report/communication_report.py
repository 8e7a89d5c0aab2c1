"""Communication of a program: every reshard and collective, with its cost.

>>> report = sdy.communication(text)
>>> print(report)                    # a table
>>> report.bytes_sent                # by each device, in one run
>>> report.to_json()
>>> print(sdy.communication(text, machine="flops=2e14 bandwidth=5e10"))   # and how long that takes

The program may be at any stage: as the user wrote it, propagated, with reshards, with collectives, or local. What is
left of the partitioner's work is done on a copy, by the passes that compile the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from types import UnionType
from typing import Any

from sdy.dialect.hlo_async.chains import is_start
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import is_equivalent
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import Cell, axes_html, fragment, listing, table
from sdy.markup.json_data import JsonObject
from sdy.mlir import ir
from sdy.mlir.functions import funcs, symbol_name
from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import (
    Collective,
    collectives_run,
    devices_named,
    entry_functions,
    local_mesh,
    tensors,
)
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled
from sdy.programs.partitioning import Partitioning
from sdy.report.localizing import made_local, make_local
from sdy.report.origins import Origins, Reshard
from sdy.report.text_table import columns
from sdy.report.timelines.drawing import timeline_of
from sdy.report.timelines.estimate import HEADINGS, TransferTime, cells, shares, steps
from sdy.report.timelines.timeline import TimedCollective, Timeline
from sdy.stablehlo.idioms.loops import Execution


@dataclass(frozen=True, slots=True)
class Transfer(Collective):
    """A tensor that a collective sends, and why.

    `location` is where the op stands that it `serves`: ``operand 0 of stablehlo.add``, ``result of
    stablehlo.dot_general`` (whose partial results are reduced), or an op that communicates by itself. It is the name
    that the frontend gave the op, if it did; `position` is ``file:line:col``, empty if it is not known, and `value`
    what the printed program calls the result: ``%3``, or ``@f:%3`` outside of the main function, as `sdy.explain` takes
    it. In a branch (`is_conditional`) `times` is the most it can run. `reshard` is the reshard that it is a step of, if
    there was one. `time` is there if a machine was asked for. `id` is ``c0``, ``c1``, ... in program order, by which
    `sdy.explain` and `sdy.why` find it; `op` is the number of the op that it serves in the program as it was given,
    parents first, None if that has no such op.
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
        """Bytes that each device sends in one run of the program; in a loop of unknown length those of one round."""
        return self.moved_bytes * (1 if self.times is None else self.times)


@dataclass(frozen=True, slots=True)
class Total:
    """All collectives of one kind over the same axes; `ops` and `bytes_sent` are of one run."""

    kind: str
    axes: str
    group_size: int
    ops: int
    bytes_sent: float


@dataclass(frozen=True, slots=True)
class CommunicationReport:
    """The collectives that a program runs and the reshards that they come from, both in program order.

    `free_reshards` need no communication: every device has what it needs. At a stage behind the reshards there are
    none. Loops whose number of rounds is not known count as one round (`is_exact` is false then); so does every branch,
    though only one of several runs.

    For a machine there is the `timeline` of the step, and that of the step `before`: with every collective waited for
    where it starts; and, if `options` made the collectives of a program with shardings overlap, without that.
    """

    transfers: tuple[Transfer, ...]
    free_reshards: tuple[Reshard, ...]
    timeline: Timeline | None = None
    before: Timeline | None = None

    @property
    def totals(self) -> tuple[Total, ...]:
        """By kind, axes and group size, in order of first appearance."""
        groups: dict[tuple[str, str, int], list[Transfer]] = {}
        for one in self.transfers:
            groups.setdefault((one.kind, one.axes_text, one.group_size), []).append(one)
        return tuple(Total(*key, _ops(ones), _bytes_sent(ones)) for key, ones in groups.items())

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device sends in one run."""
        return _bytes_sent(self.transfers)

    @property
    def ops(self) -> int:
        """Number of collectives in one run; all_reduces of several tensors count as several."""
        return _ops(self.transfers)

    @property
    def is_exact(self) -> bool:
        """Return whether the trip count of every collective is known."""
        return not any(one.times is None or one.is_conditional for one in self.transfers)

    def __str__(self) -> str:
        return self.table()

    def table(self) -> str:
        """One line per collective and per reshard that is free, then the totals.

        Equal collectives, such as what several calls of a function run, share a line, which has the id of the first.
        """
        if not self.transfers and not self.free_reshards:
            return "no communication"
        text = f"{_listing(self.transfers, self.free_reshards)}\n\n{_totals(self)}"
        if self.timeline is not None and self.before is not None:
            text += f"\n\n{steps(self.before, self.timeline)}"
        if any(one.times is None for one in self.transfers):
            text += "\n?: in a loop whose number of rounds is not known, counted as one round"
        if any(one.is_conditional for one in self.transfers):
            text += "\n<=: in a branch, counted as if it were always taken"
        return text

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return fragment(self.table(), *_html(self))

    def to_json(self, indent: int | None = 2) -> str:
        """Return the report as JSON: `collectives`, `free_reshards`, `totals`, `ops`, `bytes_sent`, `is_exact`.

        For a machine also `timeline` and `before`.
        """
        timelines = {"timeline": self.timeline, "before": self.before}
        return json.dumps(
            {
                "collectives": [_transfer_data(one) for one in self.transfers],
                "free_reshards": [_reshard_data(one) for one in self.free_reshards],
                "totals": [{**asdict(one), "bytes_sent": _number(one.bytes_sent)} for one in self.totals],
                "ops": self.ops,
                "bytes_sent": _number(self.bytes_sent),
                "is_exact": self.is_exact,
                **{name: one.data() for name, one in timelines.items() if one is not None},
            },
            indent=indent,
        )


def communication(
    module: GivenProgram,
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    mesh: Mesh | None = None,
    options: PartitionOptions | None = None,
    machine: Machine | str | None = None,
) -> CommunicationReport:
    """Report what `module` communicates when it runs.

    Args:
      module: what `sdy.parse` takes, an `ir.Module` (which is not changed), or what `sdy.partition` or `sdy.jax.jit`
        return. Counted is what the function called `main` runs, or else what the functions run that no other calls.
      filename: what locations call a module that was parsed from a text without a name.
      context: the MLIR context to parse a text into (see `sdy.partition`).
      mesh: of a local module that does not say on which mesh it runs.
      options: of the partitioner; None for those with which the program is compiled.
      machine: what the step runs on (a `sdy.Machine`, or what `sdy.Machine.parse` reads), to say how long it takes.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned, or sends tensors of dynamic size; with a
        machine also at any other op with such tensors.
      TypeError, ValueError: an argument that is none of these, or a mesh that lacks devices of the program.
      OSError: the file of a machine cannot be read.
    """
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    _check_types(filename=(filename, str), mesh=(mesh, Mesh | None), options=(options, PartitionOptions | None))
    _check_types(machine=(machine, Machine | None))
    is_partitioned = isinstance(module, PartitionedModule)
    if is_partitioned:
        machine = machine and machine.on(module.mesh)
    is_local = is_partitioned and module.source is None
    own = compiled(module, options, filename=filename, is_local=is_local)
    return communication_of(own, filename, context, mesh, machine)


def communication_of(
    own: CompiledProgram,
    filename: str,
    context: ir.Context | None = None,
    mesh: Mesh | None = None,
    machine: Machine | None = None,
) -> CommunicationReport:
    """Report the communication of a program as it is compiled."""
    mesh, before = mesh or own.mesh, None
    if machine is not None and own.partitioning.overlaps:
        plain = replace(own, partitioning=own.partitioning.without_overlap())
        with made_local(plain, filename, context) as (copy, _, _):
            before = timeline_of(copy, machine, mesh, synchronous=True)
    with made_local(own, filename, context) as (copy, origins, reshards):
        mesh = mesh or local_mesh(copy)
        check_devices(copy, mesh)
        after = None if machine is None else timeline_of(copy, machine, mesh)
        if machine is not None and before is None:
            before = timeline_of(copy, machine, mesh, synchronous=True)
        return communication_of_local(copy, mesh, origins, reshards, after, before)


def communication_of_local(
    module: ir.Operation,
    mesh: Mesh,
    origins: Origins,
    reshards: Iterable[Reshard],
    after: Timeline | None = None,
    before: Timeline | None = None,
) -> CommunicationReport:
    """Report on a module that `make_local` made local, on `mesh`; `origins` and `reshards` come from there."""
    run = collective_runs(module)
    timed = [None] * len(run) if after is None else after.collectives
    pairs = zip(run, timed, strict=True)
    transfers = _numbered(each for one, time in pairs for each in _transfers(one, time, mesh, origins))
    used = {one.reshard.group for one in transfers if one.reshard is not None}
    free = tuple(one for one in reshards if one.group not in used and not is_equivalent(one.source, one.target))
    return CommunicationReport(transfers, free, after, before)


def transfers_of_changed(
    module: ir.Operation, partitioning: Partitioning, change: Callable[[ir.Operation], None]
) -> tuple[Transfer, ...]:
    """Return the transfers of a program after a change; `module`, a copy of it, becomes local."""
    origins, _ = make_local(module, partitioning, "-", change)
    mesh = local_mesh(module)
    return _numbered(each for one in collective_runs(module) for each in _transfers(one, None, mesh, origins))


def _numbered(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
    return tuple(replace(one, id=f"c{number}") for number, one in enumerate(transfers))


# Arguments -------------------------------------------------------------------------------------------


def _check_types(**given: tuple[object, type | UnionType]) -> None:
    """Raises TypeError for an argument, by name with its type, that is something else."""
    for name, (value, wanted) in given.items():
        if not isinstance(value, wanted):
            expected = getattr(wanted, "__name__", None) or wanted.__args__[0].__name__
            raise TypeError(f"communication() takes {expected} as {name}, not {type(value).__name__}")


def check_devices(module: ir.Operation, mesh: Mesh) -> None:
    """Raise `DiagnosticError` if the module names devices that the mesh does not have."""
    needed = devices_named(module)
    if needed > mesh.size:
        raise ValueError(f"the program runs on {needed} devices, but {mesh} has {mesh.size}")


# Reading the local program ---------------------------------------------------------------------------


def collective_runs(module: ir.Operation) -> list[Execution]:
    """The collectives that a local module runs, in program order; each sends one tensor or several."""
    functions = {symbol_name(function): function for function in funcs(module)}
    return [one for entry in entry_functions(module) for one in collectives_run(entry, functions)]


def _transfers(execution: Execution, timed: TimedCollective | None, mesh: Mesh, origins: Origins) -> Iterator[Transfer]:
    """Return the transfers of an op, one a tensor: merged all_reduces change neither bytes nor reasons."""
    found = tensors(execution, mesh)
    times = [None] * len(found) if timed is None else shares(timed, [one.operand_bytes for one in found])
    for number, base in enumerate(found):
        origin = origins.of(execution.op, number)
        values: dict[str, Any] = {field.name: getattr(base, field.name) for field in fields(base)}
        values["location"] = origin.location
        yield Transfer(
            **values,
            serves=origin.serves,
            position=origin.position,
            value=origin.value,
            is_conditional=execution.is_conditional,
            is_in_loop=execution.is_in_loop,
            reshard=origin.reshard,
            is_asynchronous=is_start(execution.op.parent.operation),
            time=times[number],
            op=origin.op,
        )


# HTML ------------------------------------------------------------------------------------------------


def _html(report: CommunicationReport) -> Iterator[str]:
    """The totals, and the collectives, what is alike on one line."""
    exactly = "" if report.is_exact else " at most"
    totals = [
        [Cell(one.kind), Cell(one.axes), Cell(str(one.ops), is_number=True), Cell(f"{one.bytes_sent:,.0f}", "", True)]
        for one in report.totals
    ]
    title = f"{report.ops} collectives, {report.bytes_sent:,.0f} bytes sent by each device{exactly}"
    yield table(("kind", "axes", "times", "bytes per device"), totals, title)
    if report.transfers:
        rows = [_html_row(ones) for ones in _alike(report.transfers).values()]
        yield table(("id", "kind", "axes", "times", "bytes per device", "serves", "value", "where", "reshard"), rows)
    yield listing(
        "reshards that are free", (f"{one}: {one.serves} {one.value} {one.location}" for one in report.free_reshards)
    )


def _html_row(ones: Sequence[Transfer]) -> list[Cell]:
    one = ones[0]
    serves, value, where, position = _place(one)
    return [
        Cell(one.id),
        Cell(one.kind),
        Cell(html=axes_html(one.axes)),
        Cell(_how_often(*ones), is_number=True),
        Cell(f"{_bytes_sent(ones):,.0f}", is_number=True),
        Cell(serves),
        Cell(value),
        Cell(f"{where} {position}".strip()),
        Cell("" if one.reshard is None else str(one.reshard)),
    ]


# Sums and texts --------------------------------------------------------------------------------------


def _bytes_sent(transfers: Iterable[Transfer]) -> float:
    return sum(one.bytes_sent for one in transfers)


def _ops(transfers: Iterable[Transfer]) -> int:
    return sum(1 if one.times is None else one.times for one in transfers)


_HEADINGS = (
    "id",
    "collective",
    "axes",
    "group",
    "times",
    "bytes per device",
    "asynchronous",
    *HEADINGS,
    "serves",
    "value",
    "where",
    "position",
    "reshard",
)
_OPTIONAL = ("asynchronous", *HEADINGS, "value", "position", "reshard")
"""The columns that are left out where they say nothing."""


def _listing(transfers: Sequence[Transfer], free: Sequence[Reshard]) -> str:
    """A line for all that is equal, such as what several calls of a function run."""
    lines = _alike(transfers)
    is_any_asynchronous = any(one.is_asynchronous for one in transfers)
    rows = [
        (
            ones[0].id,
            *_what(ones[0]),
            _how_often(*ones),
            f"{_bytes_sent(ones):,.0f}",
            *_when(ones, is_any_asynchronous),
            *_why(ones[0]),
        )
        for ones in lines.values()
    ]
    rows += [("", "none", "", "", "", "0", "", "", "", "", *_place(one), str(one)) for one in free]
    shown = [
        number for number, name in enumerate(_HEADINGS) if name not in _OPTIONAL or any(row[number] for row in rows)
    ]
    return columns([tuple(row[number] for number in shown) for row in (_HEADINGS, *rows)])


def _alike(transfers: Sequence[Transfer]) -> dict[tuple[str, ...], list[Transfer]]:
    """Group the transfers with equal rows."""
    found: dict[tuple[str, ...], list[Transfer]] = {}
    for one in transfers:
        found.setdefault((*_what(one), _how_often(one), str(one.is_asynchronous), *_why(one)), []).append(one)
    return found


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
    """Return the served op and its location, the position only once."""
    return one.serves, one.value, one.location, "" if one.position == one.location else one.position


def _how_often(*ones: Transfer) -> str:
    """Return how often equal transfers run: ``2``, ``<=1`` in a branch, ``10 (loop)``, ``? (loop)``."""
    first, count = ones[0], _ops(ones)
    if first.times is None:
        return f"{count} x ? (loop)" if count > 1 else "? (loop)"
    return f"{'<=' * first.is_conditional}{count}{' (loop)' * first.is_in_loop}"


def _totals(report: CommunicationReport) -> str:
    rows = [("total", "axes", "group", "times", "bytes per device")]
    rows += [(one.kind, one.axes, str(one.group_size), str(one.ops), f"{one.bytes_sent:,.0f}") for one in report.totals]
    rows.append(("all", "", "", str(report.ops), f"{report.bytes_sent:,.0f}"))
    return columns(rows)


def _transfer_data(one: Transfer) -> JsonObject:
    return {
        "id": one.id,
        "op": one.op,
        "kind": one.kind,
        "axes": None if one.axes is None else [_axis_data(axis) for axis in one.axes],
        "group_size": one.group_size,
        "operand_bytes": one.operand_bytes,
        "bytes_sent_per_execution": _number(one.moved_bytes),
        "times": one.times,
        "is_conditional": one.is_conditional,
        "is_in_loop": one.is_in_loop,
        "bytes_sent": _number(one.bytes_sent),
        "serves": one.serves,
        "location": one.location,
        "position": one.position,
        "value": one.value,
        "reshard": None if one.reshard is None else _reshard_data(one.reshard),
        **({"asynchronous": True} if one.is_asynchronous else {}),
        **({} if one.time is None else asdict(one.time)),
    }


def _axis_data(axis: AxisRef) -> str:
    """``x``, or ``x:(1)2`` for a part of an axis."""
    return axis.name if axis.sub_axis is None else f"{axis.name}:({axis.sub_axis.pre_size}){axis.sub_axis.size}"


def _reshard_data(one: Reshard) -> JsonObject:
    return {
        "source": None if one.source is None else str(one.source),
        "target": str(one.target),
        "serves": one.serves,
        "location": one.location,
        "position": one.position,
        "value": one.value,
    }


def _number(value: float) -> float:
    """Format a number; integers without a fraction."""
    return int(value) if float(value).is_integer() else value
