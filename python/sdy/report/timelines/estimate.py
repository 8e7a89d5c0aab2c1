"""`sdy.timeline`: what one step of a program takes on each device of a machine, by estimate.

>>> machine = sdy.Machine.parse("flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6")
>>> timeline = sdy.timeline(text, machine)
>>> print(timeline)                                        # a table
>>> timeline.exposed                                       # seconds that a device waits for others
>>> Path("step.json").write_text(timeline.to_trace())      # for ui.perfetto.dev
"""

from __future__ import annotations

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import GivenProgram
from sdy.report.localizing import localized
from sdy.report.timelines.drawing import timeline_of
from sdy.report.timelines.timeline import Timeline


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
    """What one step of `program` takes on `machine`, by the model of `sdy.Machine`.

    Args:
      program: what `sdy.parse` takes, an `ir.Module` (which is not changed), or what `sdy.partition` or
        `sdy.jax.jit` return. At any
        stage before the local program, what is left of the partitioner's work is done on a copy.
      machine: a `Machine`, or what `Machine.parse` reads.
      filename: what locations call a module that was parsed from a text without a name.
      context: the MLIR context to parse a text into.
      mesh: of a local module that does not say on which mesh it runs.
      options: of the partitioner; None for those with which the program is compiled.
      synchronous: whether every collective is waited for where it starts, as if nothing were asynchronous.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned, has tensors of dynamic size, or calls
        itself.
      ValueError, OSError: see `Machine.parse`.
      TypeError: a machine that is none.
    """
    machine = Machine.given(machine, "timeline")
    with localized(program, machine, mesh, filename=filename, context=context, options=options) as (local, on, over):
        return timeline_of(local, on, over, synchronous=synchronous)
