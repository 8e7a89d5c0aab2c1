"""Dispatch of a program of several meshes: each instruction is started, none awaited, in order or by mesh."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal, TypeAlias

import jax
from jax.sharding import NamedSharding, PartitionSpec

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mpmd_running.executables import Devices, is_local
from sdy.mpmd_running.instructions import Free, Instruction, Move, PipelineProgram, Run
from sdy.running.boundary import dtype_of
from sdy.running.placement import axis_name

if TYPE_CHECKING:
    import numpy as np

    from sdy.dialect.mpmd.values import MeshTensor


def sharding_of(type_: MeshTensor, devices: Devices, *, is_auto: bool = True) -> NamedSharding:
    """The sharding of a value on the devices of its mesh.

    Args:
      type_: the type of the value.
      devices: by name of a mesh.
      is_auto: whether the axes of the mesh are automatic ones, whatever they are in `devices`.
    """
    mesh = devices[type_.mesh_name]
    sizes = dict(mesh.shape)
    axes = type_.sharding.dim_axes if type_.sharding is not None else ()
    atoms = Mesh.of(**sizes).atomic_axes([ref for each in axes for ref in each])
    names = tuple(map(axis_name, atoms))
    if is_auto or names != mesh.axis_names:
        grid = mesh.devices.reshape([atom.size(sizes) for atom in atoms])
        mesh = jax.sharding.Mesh(grid, names, axis_types=(jax.sharding.AxisType.Auto,) * len(names))
    spec = [tuple(axis_name(atom) for ref in each for atom in atoms if ref.contains(atom)) or None for each in axes]
    return NamedSharding(mesh, PartitionSpec(*spec), memory_kind=type_.memory_kind)


def shape_and_dtype(type_: MeshTensor) -> tuple[tuple[int, ...], np.dtype]:
    """The global shape and the NumPy type of a value."""
    return type_.shape, dtype_of(type_.element)


class FragmentError(RuntimeError):
    """A fragment or a transfer failed; the message names it, its mesh, its microbatch and the line of the user."""


class Dispatcher:
    """Runs a program: one list of values per call.

    Instructions are started in program order by one thread, or by a thread for each mesh, which keeps the order of its
    own. On CPU meshes of one device only overlap with threads. Fragments that call back to Python are waited for: one
    that fails is named, and none behind it waits for the device that failed.
    """

    def __init__(
        self,
        program: PipelineProgram,
        executables: Mapping[str, jax.stages.Compiled],
        devices: Devices,
        dispatch: Literal["order", "meshes"] | None = None,
        awaited: Collection[str] = (),
    ) -> None:
        """Takes a program, its executables, the devices of each mesh, and names of fragments that are waited for."""
        self._awaited = awaited
        self.program = program
        self.devices = devices
        self.shardings = tuple(sharding_of(type_, devices) for type_ in program.slots)
        self._executables = executables
        self._steps = [step for each in program.instructions for step in self._steps_of(each)]
        self.dispatch = dispatch or _fitting(devices)
        self._threads = MeshThreads(self._steps, program) if self.dispatch == "meshes" else None

    def __call__(self, arguments: Sequence[jax.Array], observer: Observer | None = None) -> list[jax.Array]:
        """Return the results, which may still be in computation.

        Args:
          arguments: arrays sharded as the program takes them.
          observer: called after each instruction with the available values.

        Raises:
          FragmentError: an instruction fails; running ones are awaited, then dropped.
        """
        program = self.program
        slots: Slots = [*arguments, *[None] * (len(program.slots) - len(arguments))]
        failure = self._run(slots, observer) if self._threads is None else self._threads.run(slots, observer)
        if failure is not None:
            _await(slots)
            raise _named(failure) from failure.error
        results = [slots[slot] for slot in program.results]
        for number in program.donated:
            donated = arguments[number]
            if not donated.is_deleted() and not any(donated is each for each in results):
                donated.delete()
        return results  # pyright: ignore[reportReturnType]

    def in_order(self) -> Dispatcher:
        """Return a dispatcher of the same program that starts instructions in program order."""
        return Dispatcher(self.program, self._executables, self.devices, "order", self._awaited)

    def _run(self, slots: Slots, observer: Observer | None) -> Failure | None:
        for place, step in enumerate(self._steps):
            try:
                step.start(slots)
                if observer is not None:
                    observer(step.instruction, slots)
            except Exception as error:  # noqa: BLE001  (it is raised with the name of the instruction)
                return Failure(place, step.instruction, error)
        return None

    def _steps_of(self, instruction: Instruction) -> list[Step]:
        if isinstance(instruction, Run):
            return [Step(instruction, instruction.mesh, self._start_run(instruction))]
        if isinstance(instruction, Move):
            shardings = [self.shardings[slot] for slot in instruction.outputs]
            return [Step(instruction, instruction.source, _start_move(instruction, shardings))]
        by_mesh: dict[str, list[int]] = {}
        for slot in instruction.slots:
            by_mesh.setdefault(self.program.slots[slot].mesh_name, []).append(slot)
        frees = [(mesh, Free(tuple(slots))) for mesh, slots in by_mesh.items()]
        return [Step(free, mesh, _start_free(free)) for mesh, free in frees]

    def _start_run(self, run: Run) -> Callable[[Slots], None]:
        inputs, outputs = run.inputs, run.outputs
        if not is_local(self.devices[run.mesh]):
            absent = [(slot, *shape_and_dtype(self.program.slots[slot]), self.shardings[slot]) for slot in outputs]

            def skip(slots: Slots) -> None:
                for slot, shape, dtype, sharding in absent:
                    slots[slot] = jax.make_array_from_single_device_arrays(shape, sharding, [], dtype=dtype)

            return skip
        function = self._executables[run.callee]

        def start(slots: Slots) -> None:
            for slot, value in zip(outputs, function(*[slots[slot] for slot in inputs]), strict=True):
                slots[slot] = value

        def start_and_wait(slots: Slots) -> None:
            start(slots)
            await_outputs(run, slots)

        return start_and_wait if run.callee in self._awaited else start


def await_outputs(instruction: Instruction, slots: Slots) -> None:
    """Wait for the results of an instruction; an observer."""
    if not isinstance(instruction, Free):
        jax.block_until_ready([slots[slot] for slot in instruction.outputs])


def _start_move(move: Move, shardings: Sequence[NamedSharding]) -> Callable[[Slots], None]:
    inputs, outputs = move.inputs, move.outputs

    def start(slots: Slots) -> None:
        moved = jax.device_put([slots[slot] for slot in inputs], list(shardings))
        for slot, value in zip(outputs, moved, strict=True):
            slots[slot] = value

    return start


def _start_free(free: Free) -> Callable[[Slots], None]:
    def start(slots: Slots) -> None:
        for slot in free.slots:
            slots[slot] = None

    return start


def _await(slots: Slots) -> None:
    """Wait for running instructions, even after an error."""
    for value in slots:
        if value is not None and not value.is_deleted():
            try:
                value.block_until_ready()
            except Exception:  # noqa: BLE001  (the failure that came first is raised)
                continue


def _named(failure: Failure) -> FragmentError:
    line = getattr(failure.instruction, "line", "")
    return FragmentError(f"{failure.instruction} failed{f', at {line}' if line else ''}: {failure.error}")


def _fitting(devices: Devices) -> Literal["order", "meshes"]:
    """Return the way of dispatch that lets meshes overlap."""
    meshes = list(devices.values())
    alone = all(mesh.devices.size == 1 and mesh.devices.flat[0].platform == "cpu" for mesh in meshes)
    return "meshes" if alone and len(meshes) > 1 and jax.process_count() == 1 else "order"


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
