"""The timeline of a device-local program, read off its ops."""

from __future__ import annotations

from sdy.dialect.surroundings import op_name
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Item, Reader, Region, Steps
from sdy.passes.costs.simulation import Flight, Run, Start, Work
from sdy.report.timelines.timeline import TimedCollective, TimedOp, Timeline


def timeline_of(
    module: ir.Operation, machine: Machine, mesh: Mesh | None = None, *, synchronous: bool = False
) -> Timeline:
    """Return the timeline of a device-local module, which runs on `mesh` (by default its own).

    @main is timed, or else the functions without callers. With `synchronous` every collective blocks where it starts.

    Raises:
      DiagnosticError: at an op with tensors of dynamic size, at a recursive call.
    """
    over = local_mesh(module) if mesh is None else mesh
    reader = Reader(module, over, machine, synchronous=synchronous, seconds_of=fused_seconds(module))
    steps = reader.of_entries(module)
    run = steps.run()
    drawn = _Drawing()
    drawn.add(steps, run, 0.0, 1, counts=True)
    return Timeline(
        run.total,
        run.compute,
        run.communication,
        run.exposed,
        run.peak_bytes_in_flight,
        tuple(drawn.collectives),
        tuple(drawn.ops),
        tuple(drawn.in_flight),
        steps.is_exact,
        machine,
    )


class _Drawing:
    """Draws several steps on one time axis."""

    def __init__(self) -> None:
        self.collectives: list[TimedCollective] = []
        self.ops: list[TimedOp] = []
        self.in_flight: list[tuple[float, int]] = []

    def add(self, steps: Steps, run: Run, offset: float, times: int | None, *, counts: bool) -> None:
        """Add something that runs from second `offset` on, `times` times."""
        if counts:
            self.in_flight += [(offset + second, size) for second, size in run.bytes_in_flight]
        for item, (begun, ended) in zip(steps.items, run.spans, strict=True):
            if item.transfer is not None and isinstance(item.step, Start):
                flight = run.flights[item.step.key]
                self.collectives.append(_collective(item, flight, offset, times, counts=counts))
            elif counts and ended > begun and isinstance(item.step, Work):
                self._op(item, offset + begun, offset + ended)
            for region in item.regions:
                self.add(
                    region.steps, region.run, offset + begun, _times(times, region), counts=counts and region.counts
                )

    def _op(self, item: Item, begun: float, ended: float) -> None:
        is_loop = item.op.name == "stablehlo.while"
        rounds = item.regions[-1].rounds if is_loop else None
        self.ops.append(TimedOp(item.op.name, op_name(item.op.location), begun, ended, rounds, is_loop))


def _times(times: int | None, region: Region) -> int | None:
    return None if times is None or region.rounds is None else times * region.rounds


def _collective(item: Item, flight: Flight, offset: float, times: int | None, *, counts: bool) -> TimedCollective:
    transfer = item.transfer
    assert transfer is not None, "asked for transfers only"
    what, done = transfer.collective, transfer.done
    awaited = flight.arrived if flight.waited_from is None else flight.waited_from
    return TimedCollective(
        what.kind,
        what.axes_text,
        what.group_size,
        what.moved_bytes,
        times,
        counts,
        done is not None,
        what.location,
        what.location if done is None else op_name(done.location),
        offset + flight.issued,
        offset + flight.begun,
        offset + flight.arrived,
        offset + awaited,
        flight.wait,
    )
