"""Time of one step of a program of several meshes, by simulation of fragments and transfers.

Each mesh runs its fragments in order. Each ordered pair of meshes has a channel, on which a transfer starts once its
value is computed and the previous transfer has ended. A fragment starts once the previous one has ended and all its
inputs have arrived.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import jax

from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.markup.templating import ShownText
from sdy.mpmd_running.dispatch import Dispatcher, Slots, await_outputs
from sdy.mpmd_running.instructions import Free, Instruction, Move, PipelineProgram, Run
from sdy.passes.costs.machine import Machine
from sdy.pipeline.tables import most_of_slots
from sdy.pipeline.transfer_report import local_bytes
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import Timeline, duration

_WORTH_TELLING = 0.01
"""The part of a step that free transfers have to save."""

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
    """One step: when each fragment runs, how long meshes compute, and how long they wait.

    Attributes:
      total: seconds of the step.
      busy: by name of a mesh, seconds in which it computes.
      waiting: by name of a mesh, seconds in which it waits while a value that it needs is transferred.
      runs, moves: fragments and transfers in program order.
      peak_bytes: by name of a mesh, the most bytes of values that a device of it holds at once.
      memory: by name of a mesh, the bytes of values on a device from each second on.
      critical: fragments and transfers each of which starts when the one before ends, up to the end of the step.
      if_free: by source and target, seconds of the step if transfers between these meshes took none.
      fragments: by name of a fragment's function, the estimate of one run.
    """

    total: float
    busy: Mapping[str, float]
    runs: tuple[Timed, ...]
    moves: tuple[Timed, ...]
    peak_bytes: Mapping[str, int]
    waiting: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, tuple[tuple[float, int], ...]] = field(default_factory=dict)
    critical: tuple[Timed, ...] = ()
    if_free: Mapping[tuple[str, str], float] = field(default_factory=dict)
    fragments: Mapping[str, Timeline] = field(default_factory=dict)

    @property
    def bubble(self) -> float:
        """Return the part of the time of all meshes without computation, from 0 to 1."""
        spent = self.total * len(self.busy)
        return 1 - sum(self.busy.values()) / spent if spent else 0.0

    def __str__(self) -> str:
        """A table with a line for each mesh."""
        rows = [("mesh", "busy", "for transfers", "idle", "bubble", "values at most")]
        rows += [
            (
                mesh,
                duration(busy),
                duration(self.waiting.get(mesh, 0.0)),
                duration(max(0.0, self.total - busy - self.waiting.get(mesh, 0.0))),
                f"{100 * (1 - busy / self.total) if self.total else 0:.1f} %",
                f"{self.peak_bytes[mesh]:,} bytes",
            )
            for mesh, busy in self.busy.items()
        ]
        lines = [f"step {duration(self.total)}, bubbles {100 * self.bubble:.1f} %", columns(rows)]
        lines += [
            f"if transfers from {source} to {target} took no time: {duration(total)}"
            for (source, target), total in self.if_free.items()
            if total < (1 - _WORTH_TELLING) * self.total
        ]
        return "\n".join(lines)

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
    """Return the step of a program whose fragments and transfers take the given seconds."""
    state = _Simulation(program)
    for step in program.instructions:
        if isinstance(step, Free):
            state.free(step)
        else:
            state.start(step, run_seconds(step) if isinstance(step, Run) else move_seconds(step))
    total = max((each.ended for each in state.timed), default=0.0)
    return PipelineTimeline(
        total,
        state.busy,
        tuple(each for each in state.timed if isinstance(each.instruction, Run)),
        tuple(each for each in state.timed if isinstance(each.instruction, Move)),
        peak_bytes(program),
        state.waiting,
        {mesh: _curve(events) for mesh, events in state.events.items()},
        state.critical(),
    )


class _Simulation:
    """Meshes, channels and values while instructions start one after the other."""

    def __init__(self, program: PipelineProgram) -> None:
        meshes = {mesh.name: mesh.mesh for mesh in program.topology.meshes}
        self.program = program
        self.sizes = [local_bytes(type_, meshes[type_.mesh_name]) for type_ in program.slots]
        self.timed: list[Timed] = []
        self.before: list[int | None] = []
        """By number of an instruction: the one whose end it started at."""
        self.busy = dict.fromkeys(meshes, 0.0)
        self.waiting = dict.fromkeys(meshes, 0.0)
        self.events: dict[str, list[tuple[float, int]]] = {mesh: [] for mesh in meshes}
        self.last: dict[object, int] = {}
        """By mesh or channel: its last instruction."""
        self.makers: dict[int, int] = {}
        self.last_uses: dict[int, float] = {}
        for slot in range(program.num_arguments):
            self.events[program.slots[slot].mesh_name].append((0.0, self.sizes[slot]))

    def start(self, step: Run | Move, seconds: float) -> None:
        """Start an instruction once its mesh or channel is free and its values are there."""
        place = step.mesh if isinstance(step, Run) else (step.source, step.target)
        makers = [self.makers[slot] for slot in step.inputs if slot in self.makers]
        own = self.last.get(place)
        causes = [*makers, *([] if own is None else [own])]
        cause = max(causes, key=lambda number: self.timed[number].ended, default=None)
        begun = 0.0 if cause is None else self.timed[cause].ended
        ended = begun + seconds
        number = len(self.timed)
        if isinstance(step, Run):
            self.busy[step.mesh] += seconds
            free = 0.0 if own is None else self.timed[own].ended
            moves = [self.timed[each] for each in makers if isinstance(self.timed[each].instruction, Move)]
            sent = min((each.begun for each in moves if each.ended == begun), default=begun)
            self.waiting[step.mesh] += begun - max(free, sent)
        self.timed.append(Timed(step, begun, ended))
        self.before.append(cause)
        self.last[place] = number
        for slot in step.inputs:
            self.last_uses[slot] = max(self.last_uses.get(slot, 0.0), ended)
        for slot in step.outputs:
            self.makers[slot] = number
            self.last_uses[slot] = ended
            self.events[self.program.slots[slot].mesh_name].append((begun, self.sizes[slot]))

    def free(self, step: Free) -> None:
        for slot in step.slots:
            self.events[self.program.slots[slot].mesh_name].append((self.last_uses.get(slot, 0.0), -self.sizes[slot]))

    def critical(self) -> tuple[Timed, ...]:
        """Return the instructions that the end of the step waits for, in order."""
        number = max(range(len(self.timed)), key=lambda each: self.timed[each].ended, default=None)
        found: list[Timed] = []
        while number is not None:
            found.append(self.timed[number])
            number = self.before[number]
        return tuple(reversed(found))


def _curve(events: Sequence[tuple[float, int]]) -> tuple[tuple[float, int], ...]:
    """Return the bytes from each second on, of changes in any order."""
    changes: dict[float, int] = {}
    for second, size in events:
        changes[second] = changes.get(second, 0) + size
    seconds = sorted(changes)
    return tuple(zip(seconds, itertools.accumulate(changes[second] for second in seconds), strict=True))


def timeline(program: PipelineProgram, seconds: Mapping[str, float], machine: Machine) -> PipelineTimeline:
    """The step of a program on a machine.

    Args:
      program: fragments and transfers.
      seconds: by name of a fragment's function: those of one run.
      machine: its `bandwidth.stage` and `latency.stage` are those between meshes, if it has them.
    """
    bandwidth, latency = machine.link([STAGE])

    def move_seconds(move: Move) -> float:
        mesh = program.topology.find(move.source)
        assert mesh is not None, "verified"
        return latency + sum(local_bytes(program.slots[slot], mesh) for slot in move.inputs) / bandwidth

    def run_seconds(run: Run) -> float:
        return seconds[run.callee]

    pairs = dict.fromkeys((move.source, move.target) for move in program.moves)
    free = {
        pair: simulate(
            program,
            run_seconds,
            lambda move, pair=pair: 0.0 if (move.source, move.target) == pair else move_seconds(move),
        ).total
        for pair in pairs
    }
    return replace(simulate(program, run_seconds, move_seconds), if_free=free)


def peak_bytes(program: PipelineProgram) -> dict[str, int]:
    """By name of a mesh: the most bytes of values on a device at once, in the order of the instructions."""
    meshes = {mesh.name: mesh.mesh for mesh in program.topology.meshes}
    sizes = [local_bytes(type_, meshes[type_.mesh_name]) for type_ in program.slots]
    return most_of_slots(program, sizes)


def measured_timeline(
    dispatcher: Dispatcher, arguments: Sequence[jax.Array]
) -> tuple[list[jax.Array], PipelineTimeline]:
    """Run one step, waiting for each instruction; return its results and the timeline.

    Of the runs of one function, and of the transfers between two meshes, the fastest counts.

    Args:
      dispatcher: one that starts instructions in program order.
      arguments: as for a call; donated ones are gone afterwards.

    Raises:
      FragmentError: an instruction fails.
    """
    runs: dict[str, float] = {}
    moves: dict[tuple[str, str], float] = {}
    last = time.perf_counter()

    def observe(instruction: Instruction, slots: Slots) -> None:
        nonlocal last
        await_outputs(instruction, slots)
        took = time.perf_counter() - last
        if isinstance(instruction, Run):
            runs[instruction.callee] = min(took, runs.get(instruction.callee, took))
        elif not isinstance(instruction, Free):
            pair = instruction.source, instruction.target
            moves[pair] = min(took, moves.get(pair, took))
        last = time.perf_counter()

    jax.block_until_ready(arguments)
    last = time.perf_counter()
    results = dispatcher(arguments, observe)

    def move_seconds(move: Move) -> float:
        return moves[move.source, move.target]

    return results, simulate(dispatcher.program, lambda run: runs[run.callee], move_seconds)
