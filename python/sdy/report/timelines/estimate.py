"""`sdy.timeline`: the estimated time of one step of a program on each device of a machine.

>>> machine = sdy.Machine.parse("flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6")
>>> timeline = sdy.timeline(text, machine)
>>> print(timeline)                                        # a table
>>> timeline.exposed                                       # seconds that a device waits for others
>>> Path("step.json").write_text(timeline.to_trace())      # for ui.perfetto.dev
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import GivenProgram
from sdy.report.localizing import localized
from sdy.report.text_table import columns
from sdy.report.timelines.drawing import timeline_of
from sdy.report.timelines.timeline import TimedCollective, Timeline, duration


def timeline(
    program: GivenProgram,
    machine: Machine | str,
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    mesh: Mesh | None = None,
    options: PartitionOptions | None = None,
    synchronous: bool = False,
) -> Timeline:
    """Estimate the timeline of one step of `program` on `machine`, by the model of `sdy.Machine`.

    Args:
      program: input of `sdy.parse`, an `ir.Module` (not changed), or what `sdy.partition` or
        `sdy.jax.jit` return. At any
        stage before the local program, the remaining partitioner steps run on a copy.
      machine: a `Machine`, or its text for `Machine.parse`.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.
      mesh: of a local module that does not say on which mesh it runs.
      options: of the partitioner; None for those of the compiled program.
      synchronous: whether every collective is waited for where it starts, as if nothing were asynchronous.

    Returns:
      A `Timeline`: seconds of a step, with each op and transfer; prints as a table.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned, has tensors of dynamic size, or calls
        itself.
      ValueError, OSError: see `Machine.parse`.
      TypeError: an invalid machine.
    """
    machine = Machine.given(machine, "timeline")
    with localized(program, machine, mesh, filename=filename, context=context, options=options) as (local, on, over):
        return timeline_of(local, on, over, synchronous=synchronous)


HEADINGS = ("time", "exposed", "bytes overlapped")


@dataclass(frozen=True, slots=True)
class TransferTime:
    """Times of one transfer, per run: seconds, seconds exposed, bytes sent during computation."""

    seconds: float
    exposed: float
    bytes_overlapped: float


def shares(timed: TimedCollective, sizes: Sequence[int]) -> list[TransferTime]:
    """The time of a collective of several tensors, divided among them by their bytes."""
    total = sum(sizes)
    parts = [size / total if total else 1 / len(sizes) for size in sizes]
    return [TransferTime(timed.seconds * part, timed.wait * part, timed.bytes_overlapped * part) for part in parts]


def cells(times: Iterable[tuple[TransferTime | None, int]]) -> tuple[str, str, str]:
    """Return the sums for a number of equal transfers, as cells below `HEADINGS`."""
    known = [(time, count) for time, count in times if time is not None]
    seconds = sum(time.seconds * count for time, count in known)
    exposed = sum(time.exposed * count for time, count in known)
    overlapped = sum(time.bytes_overlapped * count for time, count in known)
    return duration(seconds), duration(exposed), f"{overlapped:,.0f}"


def steps(before: Timeline, after: Timeline) -> str:
    """Return a line for the step with synchronous collectives, and one for the actual step."""
    headings = ("step", "total", "compute", "communication", "exposed", "hidden", "peak bytes in flight")
    return columns([headings, ("before", *_sums(before)), ("after", *_sums(after))])


def _sums(one: Timeline) -> list[str]:
    seconds = map(duration, (one.total, one.compute, one.communication, one.exposed))
    return [*seconds, f"{one.hidden:.0%}", f"{one.peak_bytes_in_flight:,}"]
