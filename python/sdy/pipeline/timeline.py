"""Time of one step of a program of several meshes, by simulation of fragments and transfers.

Each mesh runs its fragments in order. Each ordered pair of meshes has a channel, on which a transfer starts once its
value is computed and the previous transfer has ended. A fragment starts once the previous one has ended and all its
inputs have arrived.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from sdy.lazy_dataclass import dataclass
from sdy.markup.json_data import JsonObject
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import Free, Move, PipelineProgram, Run
from sdy.passes.costs.machine import Machine
from sdy.pipeline.transfer_report import local_bytes
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

STAGE = "stage"
"""Name under which a machine has the bandwidth and latency between meshes: `bandwidth.stage`, `latency.stage`."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A fragment or transfer of a step, in seconds from its start."""

    instruction: Run | Move
    begun: float
    ended: float

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return self.ended - self.begun


@dataclass(frozen=True)
class PipelineTimeline(ShownText):
    """One step: when each fragment runs, and how long meshes compute and wait.

    Attributes:
      total: seconds of the step.
      busy: by name of a mesh, seconds in which it computes.
      runs, moves: fragments and transfers in program order.
      peak_bytes: by name of a mesh, the most bytes of values that a device of it holds at once.
    """

    total: float
    busy: Mapping[str, float]
    runs: tuple[Timed, ...]
    moves: tuple[Timed, ...]
    peak_bytes: Mapping[str, int]

    @property
    def bubble(self) -> float:
        """Return the part of the time of all meshes without computation, from 0 to 1."""
        spent = self.total * len(self.busy)
        return 1 - sum(self.busy.values()) / spent if spent else 0.0

    def __str__(self) -> str:
        """A table with a line for each mesh."""
        rows = [("mesh", "busy", "idle", "bubble", "values at most")]
        rows += [
            (
                mesh,
                duration(busy),
                duration(self.total - busy),
                f"{100 * (1 - busy / self.total) if self.total else 0:.1f} %",
                f"{self.peak_bytes[mesh]:,} bytes",
            )
            for mesh, busy in self.busy.items()
        ]
        return f"step {duration(self.total)}, bubbles {100 * self.bubble:.1f} %\n{columns(rows)}"

    def to_trace(self) -> str:
        """The step for ui.perfetto.dev, as JSON."""
        return json.dumps({"traceEvents": [*self._events()], "displayTimeUnit": "ns"})

    def _events(self) -> Iterator[JsonObject]:
        tracks = {mesh: number for number, mesh in enumerate(self.busy, 1)}
        for mesh, number in tracks.items():
            yield {"ph": "M", "name": "thread_name", "pid": 1, "tid": number, "args": {"name": f"mesh {mesh}"}}
        for timed in (*self.runs, *self.moves):
            each = timed.instruction
            is_run = isinstance(each, Run)
            yield {
                "ph": "X",
                "name": each.unit if is_run else f"{each.source} to {each.target}",
                "cat": "fragment" if is_run else "transfer",
                "ts": 1e6 * timed.begun,
                "dur": 1e6 * timed.seconds,
                "pid": 1,
                "tid": tracks[each.mesh] if is_run else len(tracks) + 1 + tracks[each.source],
                "args": {"line": each.line},
            }


def simulate(
    program: PipelineProgram, run_seconds: Callable[[Run], float], move_seconds: Callable[[Move], float]
) -> PipelineTimeline:
    """Simulate the step of a program whose fragments and transfers take the given seconds."""
    meshes = [mesh.name for mesh in program.topology.meshes]
    free = dict.fromkeys(meshes, 0.0)
    busy = dict.fromkeys(meshes, 0.0)
    channels: dict[tuple[str, str], float] = {}
    there = [0.0] * len(program.slots)
    runs: list[Timed] = []
    moves: list[Timed] = []
    for step in program.instructions:
        if isinstance(step, Free):
            continue
        ready = max((there[slot] for slot in step.inputs), default=0.0)
        if isinstance(step, Run):
            begun = max(free[step.mesh], ready)
            ended = begun + run_seconds(step)
            free[step.mesh] = ended
            busy[step.mesh] += ended - begun
            runs.append(Timed(step, begun, ended))
        else:
            channel = step.source, step.target
            begun = max(channels.get(channel, 0.0), ready)
            ended = channels[channel] = begun + move_seconds(step)
            moves.append(Timed(step, begun, ended))
        for slot in step.outputs:
            there[slot] = ended
    total = max((each.ended for each in (*runs, *moves)), default=0.0)
    return PipelineTimeline(total, busy, tuple(runs), tuple(moves), peak_bytes(program))


def timeline(program: PipelineProgram, seconds: Mapping[str, float], machine: Machine) -> PipelineTimeline:
    """The step of a program on a machine.

    Args:
      program: fragments and transfers.
      seconds: by name of a fragment's function: what it takes.
      machine: its `bandwidth.stage` and `latency.stage` are those between meshes, if it has them.
    """
    bandwidth, latency = machine.link([STAGE])

    def move_seconds(move: Move) -> float:
        mesh = program.topology.find(move.source)
        assert mesh is not None, "verified"
        return latency + sum(local_bytes(program.slots[slot], mesh) for slot in move.inputs) / bandwidth

    return simulate(program, lambda run: seconds[run.callee], move_seconds)


def peak_bytes(program: PipelineProgram) -> dict[str, int]:
    """By name of a mesh: the most bytes of values on a device at once, in the order of the instructions."""
    meshes = {mesh.name: mesh.mesh for mesh in program.topology.meshes}
    sizes = [local_bytes(type_, meshes[type_.mesh_name]) for type_ in program.slots]
    here = dict.fromkeys(meshes, 0)
    for slot in range(program.num_arguments):
        here[program.slots[slot].mesh_name] += sizes[slot]
    most = dict(here)
    for step in program.instructions:
        sign = -1 if isinstance(step, Free) else 1
        for slot in step.slots if isinstance(step, Free) else step.outputs:
            here[program.slots[slot].mesh_name] += sign * sizes[slot]
        most = {mesh: max(most[mesh], count) for mesh, count in here.items()}
    return most
