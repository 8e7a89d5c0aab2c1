"""A thread for each mesh that starts the instructions of its mesh, in their order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import jax

from sdy.lazy_dataclass import dataclass
from sdy.mpmd_running.instructions import Free, Instruction, Move, PipelineProgram

Slots: TypeAlias = "list[jax.Array | None]"
"""The values of a call by slot; None for those that are not there yet, or dropped."""

Observer: TypeAlias = "Callable[[Instruction, Slots], object]"
"""Called after each instruction."""


@dataclass(frozen=True)
class Failure:
    """An instruction that could not be started, and its position in program order."""

    place: int
    instruction: Instruction
    error: BaseException


@dataclass(frozen=True)
class Step:
    """An instruction, its start function, and the mesh of its inputs."""

    instruction: Instruction
    mesh: str
    start: Callable[[Slots], None]


class MeshThreads:
    """Starts the steps of each mesh in a separate thread; a step waits until all its inputs have been started.

    Only a mesh's thread uses and drops its values; values of other meshes are awaited.
    """

    def __init__(self, steps: Sequence[Step], program: PipelineProgram) -> None:
        """Takes the steps in program order."""
        moved = {
            slot: place
            for place, step in enumerate(steps)
            if isinstance(step.instruction, Move)
            for slot in step.instruction.outputs
        }
        self._by_mesh: dict[str, list[tuple[int, Step, tuple[int, ...]]]] = {}
        for place, step in enumerate(steps):
            each = step.instruction
            needed = each.slots if isinstance(each, Free) else each.inputs
            waits = tuple(dict.fromkeys(moved[slot] for slot in needed if slot in moved))
            self._by_mesh.setdefault(step.mesh, []).append((place, step, waits))
        self._moves = sorted({*moved.values()})
        self._pool = ThreadPoolExecutor(max(1, len(self._by_mesh)), thread_name_prefix="sdy-mesh")
        self._lock, self._queue = threading.Lock(), threading.Lock()

    def run(self, slots: Slots, observer: Observer | None) -> Failure | None:
        """Start all steps; return the first failure by program order, None if there is none."""
        started = {place: threading.Event() for place in self._moves}
        failures: list[Failure] = []

        def run_mesh(steps: Sequence[tuple[int, Step, tuple[int, ...]]]) -> None:
            for place, step, waits in steps:
                for needed in waits:
                    started[needed].wait()
                if failures:
                    break
                try:
                    step.start(slots)
                    if observer is not None:
                        with self._lock:
                            observer(step.instruction, slots)
                except BaseException as error:  # noqa: BLE001  (it is raised with the name of the instruction)
                    failures.append(Failure(place, step.instruction, error))
                    break
                if place in started:
                    started[place].set()
            if failures:
                for event in started.values():
                    event.set()

        with self._queue:  # there is a thread for each mesh of one run: of two runs one would wait for the other
            futures = [self._pool.submit(run_mesh, steps) for steps in self._by_mesh.values()]
        for future in futures:
            future.result()
        return min(failures, key=lambda failure: failure.place, default=None)
