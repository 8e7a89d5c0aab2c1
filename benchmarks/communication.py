"""Bytes that each device sends: ours, XLA's SPMD partitioner, and the reference's passes, on the same programs.

python -m benchmarks.communication                              # all programs but the largest on all meshes
python -m benchmarks.communication --programs cnn moe --meshes 4x2
python -m benchmarks.communication --json

A table per mesh with collectives and bytes sent per device in one run of the program, by the ring algorithms
(`sdy.passes.costs.machine`). For all three a loop counts as often as it runs, or once if that is not known, and
every branch counts. Ours and the reference's are counted in the local StableHLO (what the reference cannot make local,
we do), XLA's in the HLO at the end of the compilation by `jax.jit`. The ratio is to the
better of the two; goals are 1.0 for every program and 0.8 for the total.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import jax

from benchmarks.xla_communication import compiled
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from sdy.partition import partition
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.report.communication_report import CommunicationReport, communication
from sdy.report.text_table import columns
from tests.data.generate import DEVICES, names
from tests.data.programs.registry import load, meshes_of_shape
from tests.oracle import ReferenceFailed, Worker

MESHES = ("4x2", "8x1", "2x2x2")
LARGER = ("transformer_24", "transformer_24_functions", "transformer_96", "transformer_96_functions")
"""`transformer_2` with more layers, of which each sends the same: XLA takes minutes and much memory for them, and they
would outweigh all others. They are measured if they are asked for."""
REFERENCE_STAGES = ("convert-global-to-local", "reshard-to-collectives")
"""How far the reference goes; where it cannot go all the way, its collectives are made local by us."""

_PYTHON = "CustomSPMDPartitioning"
"""Target of calls that a Python function partitions."""


@dataclass(frozen=True)
class Sent:
    """Collectives and the bytes that they send, or why there are none to count."""

    ops: int = 0
    bytes: float = 0.0
    failure: str = ""


@dataclass(frozen=True)
class Row:
    """One program on one mesh."""

    program: str
    mesh: str
    ours: Sent
    xla: Sent
    reference: Sent

    @property
    def better(self) -> float:
        """The fewest bytes of those that others send."""
        return min(one.bytes for one in (self.xla, self.reference) if not one.failure)

    @property
    def ratio(self) -> float | None:
        """Our bytes over those of the better; None if they cannot be compared. 1 if nobody sends anything."""
        if self.failure:
            return None
        if not self.better:
            return math.inf if self.ours.bytes else 1.0
        return self.ours.bytes / self.better

    @property
    def failure(self) -> str:
        """Why there is nothing to compare, if so."""
        return self.ours.failure or self.xla.failure


def measure(name: str, mesh: str, reference: Worker) -> Row:
    case = compiled(name, mesh)
    if case.text is None:
        failed = Sent(failure=case.failure)
        return Row(name, mesh, failed, failed, failed)
    xla = Sent(case.ops, case.sent)
    ours = _ours_with_functions(name, mesh) if _PYTHON in case.text else _ours(case.text)
    return Row(name, mesh, ours, xla, _reference(case.text, reference))


def _ours_with_functions(name: str, mesh: str) -> Sent:
    """Of a program that is lowered here, for its Python functions live as long as it does."""
    with meshes_of_shape(*map(int, mesh.split("x"))):
        lowered = load()[name]()
        return _ours(str(lowered.compiler_ir("stablehlo")))


def _ours(text: str) -> Sent:
    try:
        return _count(communication(partition(text)))
    except DiagnosticError as error:
        return Sent(failure=str(error))


def _reference(text: str, reference: Worker) -> Sent:
    failure = ""
    for stage in REFERENCE_STAGES:
        try:
            pipeline = f"sdy-export-pipeline{{partitioner-stage={stage}}}"
            local = reference.ask(text, ("sdy-propagation-pipeline", pipeline))
            return _count(communication(local, options=PartitionOptions(save_communication=False)))
        except (ReferenceFailed, DiagnosticError, DiagnosticErrors) as error:
            failure = failure or str(error).splitlines()[0]
    return Sent(failure=failure)


def _count(report: CommunicationReport) -> Sent:
    return Sent(report.ops, report.bytes_sent)


# Tables ----------------------------------------------------------------------------------------------


def print_tables(rows: Sequence[Row]) -> None:
    for mesh in dict.fromkeys(row.mesh for row in rows):
        here = [row for row in rows if row.mesh == mesh]
        print(f"bytes sent per device, {mesh}")
        print(columns([_HEADINGS, *map(_cells, here), *_totals(here)]), flush=True)
        for row in here:
            for who, sent in (("ours", row.ours), ("XLA", row.xla), ("C++", row.reference)):
                if sent.failure:
                    print(f"  {row.program}, {who}: {sent.failure}")
        print(flush=True)


_HEADINGS = ("program", "ours", "XLA", "C++", "ratio", "ops", "XLA", "C++")


def _cells(row: Row) -> tuple[str, ...]:
    sent = (row.ours, row.xla, row.reference)
    ratio = "?" if row.ratio is None else f"{row.ratio:.2f}"
    return row.program, *map(_bytes, sent), ratio, *(str(one.ops) if not one.failure else "?" for one in sent)


def _bytes(sent: Sent) -> str:
    return "?" if sent.failure else f"{sent.bytes:,.0f}"


def _totals(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Sums over the programs that can be compared, and the mean of the ratios of those that communicate at all."""
    rows = [row for row in rows if not row.failure]
    ours, better = sum(row.ours.bytes for row in rows), sum(row.better for row in rows)
    xla = sum(row.xla.bytes for row in rows)
    mean = statistics.fmean([row.ratio or 0.0 for row in rows if row.better])
    return [
        ("total", f"{ours:,.0f}", f"{xla:,.0f}", "", f"{ours / better:.2f}", "", "", ""),
        ("mean of ratios", "", "", "", f"{mean:.2f}", "", "", ""),
    ]


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = [name for name in names() if name not in LARGER]
    parser.add_argument("--programs", nargs="*", default=default, choices=names(), metavar="PROGRAM")
    parser.add_argument("--meshes", nargs="*", default=list(MESHES), metavar="4x2")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(arguments)
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    reference = Worker()
    rows = [measure(name, mesh, reference) for mesh in options.meshes for name in options.programs]
    reference.stop()
    if options.json:
        print(json.dumps([{**asdict(row), "ratio": row.ratio} for row in rows], indent=2))
    else:
        print_tables(rows)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
