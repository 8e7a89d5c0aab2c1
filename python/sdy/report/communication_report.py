"""Communication of a program: every reshard and collective, with its cost.

>>> report = sdy.communication(text)
>>> print(report)                    # a table
>>> report.bytes_sent                # by each device, in one run
>>> report.to_json()
>>> print(sdy.communication(text, machine="flops=2e14 bandwidth=5e10"))   # and how long that takes

The program may be at any stage: as written, propagated, with reshards, with collectives, or local. The remaining
partitioner steps run on a copy, with the passes that compile the program. XLA's results are counted in the same way:
HLO text, or the result of `compile` of a JAX stage.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from types import UnionType
from typing import cast

from sdy.dialect.hlo_async.chains import is_start
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import is_equivalent
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import fragment
from sdy.mlir import ir
from sdy.mlir.functions import funcs, symbol_name
from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import collectives_run, devices_named, entry_functions, local_mesh, tensors
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled
from sdy.programs.partitioning import Partitioning
from sdy.programs.sources import source
from sdy.report.hlo_communication import HloProgram, hlo_of, hlo_transfers
from sdy.report.localizing import made_local, make_local
from sdy.report.origins import Origins, Reshard
from sdy.report.timelines.drawing import timeline_of
from sdy.report.timelines.estimate import shares, steps
from sdy.report.timelines.timeline import TimedCollective, Timeline
from sdy.report.transfer_tables import MOST_ROWS, html_tables, share_text, terminal_width, total_table, transfer_table
from sdy.report.transfers import Total, Transfer, bytes_of, number, ops_of, reshard_data, totals_of, transfer_data
from sdy.stablehlo.idioms.loops import Execution

_KINDS_IN_SUMMARY = 3


@dataclass(frozen=True, slots=True)
class CommunicationReport:
    """The collectives that a program runs and the reshards behind them, both in program order.

    `free_reshards` need no communication: every device already has its part. Stages after resharding have none. Loops
    with an unknown number of rounds count as one round (`is_exact` is false then); all branches count, though only one
    of them runs.

    With a machine there is the `timeline` of the step, and that of the step `before`: with synchronous collectives;
    and, if `options` made the collectives of a program with shardings overlap, without that.
    """

    transfers: tuple[Transfer, ...]
    free_reshards: tuple[Reshard, ...]
    timeline: Timeline | None = None
    before: Timeline | None = None

    @property
    def totals(self) -> tuple[Total, ...]:
        """By kind, axes and group size, in order of first appearance."""
        return totals_of(self.transfers)

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device sends in one run."""
        return bytes_of(self.transfers)

    @property
    def ops(self) -> int:
        """Number of collectives in one run; all_reduces of several tensors count as several."""
        return ops_of(self.transfers)

    @property
    def is_exact(self) -> bool:
        """Return whether the trip count of every collective is known."""
        return not any(one.times is None or one.is_conditional for one in self.transfers)

    @property
    def summary(self) -> str:
        """Return one line: the number of collectives, the bytes that each device sends, the kinds that send most."""
        if not self.transfers:
            return "no communication"
        kinds: dict[str, float] = {}
        for one in self.totals:
            kinds[one.kind] = kinds.get(one.kind, 0) + one.bytes_sent
        largest = sorted(kinds.items(), key=lambda pair: -pair[1])[:_KINDS_IN_SUMMARY]
        parts = ", ".join(f"{share_text(sent, self.bytes_sent)} {kind}" for kind, sent in largest if sent)
        at_most = "" if self.is_exact else "at most "
        some = f"{self.ops} collective{'s' * (self.ops != 1)}"
        return f"{some}, {at_most}{self.bytes_sent:,.0f} bytes sent by each device{f': {parts}' if parts else ''}"

    def __str__(self) -> str:
        return self.table(width=terminal_width())

    def table(self, *, most: int | None = MOST_ROWS, width: int | None = None) -> str:
        """Return a line per collective, largest first, and per free reshard; then the totals.

        Equal collectives, such as those of several calls of a function, share a line, which has the id of the first.

        Args:
          most: rows to list; None for all.
          width: characters of a line; None for lines of any length.
        """
        if not self.transfers and not self.free_reshards:
            return "no communication"
        listing = transfer_table(self.transfers, self.free_reshards, most, width)
        text = f"{listing}\n\n{total_table(self.totals)}"
        if self.timeline is not None and self.before is not None:
            text += f"\n\n{steps(self.before, self.timeline)}"
        if any(one.times is None for one in self.transfers):
            text += "\n?: in a loop with an unknown trip count, counted as one round"
        if any(one.is_conditional for one in self.transfers):
            text += "\n<=: in a branch, counted as if it were always taken"
        return text

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return fragment(self.table(), *html_tables(self.transfers, self.free_reshards, self.totals, self.summary))

    def to_json(self, indent: int | None = 2) -> str:
        """Return the report as JSON: `collectives`, `free_reshards`, `totals`, `ops`, `bytes_sent`, `is_exact`.

        For a machine also `timeline` and `before`.
        """
        timelines = {"timeline": self.timeline, "before": self.before}
        return json.dumps(
            {
                "collectives": [transfer_data(one) for one in self.transfers],
                "free_reshards": [reshard_data(one) for one in self.free_reshards],
                "totals": [{**asdict(one), "bytes_sent": number(one.bytes_sent)} for one in self.totals],
                "ops": self.ops,
                "bytes_sent": number(self.bytes_sent),
                "is_exact": self.is_exact,
                **{name: one.data() for name, one in timelines.items() if one is not None},
            },
            indent=indent,
        )


def communication(
    module: GivenProgram | HloProgram,
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    mesh: Mesh | None = None,
    options: PartitionOptions | None = None,
    machine: Machine | str | None = None,
) -> CommunicationReport:
    """Report the communication of `module` in one run.

    Args:
      module: input of `sdy.parse`, an `ir.Module` (not changed), or what `sdy.partition` or `sdy.jax.jit`
        return. The function `main` is counted, or else the functions without callers. Compiled JAX stages and HLO text
        are counted in XLA's form.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into (see `sdy.partition`).
      mesh: of a local module, or an HLO text, that does not say on which mesh it runs.
      options: of the partitioner; None for those of the compiled program.
      machine: the machine of the step (a `sdy.Machine`, or its text for `sdy.Machine.parse`), to say how long it takes.

    Returns:
      A `CommunicationReport`: collectives and reshards with bytes per device, printed as a table.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned, or sends tensors of dynamic size; with a
        machine also at any other op with such tensors.
      TypeError, ValueError: an invalid argument, or a mesh that lacks devices of the program.
      OSError: the file of a machine cannot be read.
    """
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    _check_types(filename=(filename, str), mesh=(mesh, Mesh | None), options=(options, PartitionOptions | None))
    _check_types(machine=(machine, Machine | None))
    given = source(module, filename) if isinstance(module, (str, bytes, os.PathLike)) else module
    found = hlo_of(given)
    if found is not None:
        if machine is not None or options is not None:
            raise ValueError("communication() of a program that XLA has compiled takes neither machine nor options")
        return CommunicationReport(tuple(hlo_transfers(found[0], mesh or found[1])), ())
    module = cast("GivenProgram", given)
    if isinstance(module, PartitionedModule):
        machine = machine and machine.on(module.mesh)
    is_local = isinstance(module, PartitionedModule) and module.source is None
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
    """Report on a module made local by `make_local`, on `mesh`; `origins` and `reshards` come from there."""
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
    """Return the transfers of a changed program; `module`, a copy of it, becomes local."""
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
    """Return the collectives that a local module runs, in program order; each sends one or more tensors."""
    functions = {symbol_name(function): function for function in funcs(module)}
    return [one for entry in entry_functions(module) for one in collectives_run(entry, functions)]


def _transfers(execution: Execution, timed: TimedCollective | None, mesh: Mesh, origins: Origins) -> Iterator[Transfer]:
    """Return the transfers of an op, one per tensor: merged all_reduces change neither bytes nor causes."""
    found = tensors(execution, mesh)
    times = [None] * len(found) if timed is None else shares(timed, [one.operand_bytes for one in found])
    for place, base in enumerate(found):
        origin = origins.of(execution.op, place)
        yield Transfer(
            base.kind,
            base.axes,
            base.group_size,
            base.operand_bytes,
            base.times,
            origin.location,
            serves=origin.serves,
            position=origin.position,
            value=origin.value,
            is_conditional=execution.is_conditional,
            is_in_loop=execution.is_in_loop,
            reshard=origin.reshard,
            is_asynchronous=is_start(execution.op.parent.operation),
            time=times[place],
            op=origin.op,
        )
