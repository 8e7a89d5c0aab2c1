"""One measured step of a program of several meshes: seconds, and the most that meshes hold."""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping, Sequence

import jax

from sdy.lazy_dataclass import dataclass
from sdy.mpmd_running.dispatch import Dispatcher, Slots
from sdy.mpmd_running.instructions import Free, Instruction, Run


@dataclass(frozen=True)
class Profile:
    """A measured step.

    Attributes:
      seconds: until all results were there.
      dispatch: seconds until the call returned, without those of the observer.
      instructions: how many fragments and transfers were started.
      held: by name of a mesh: the most forward passes of which something that they left was alive there.
      peak_bytes: by name of a mesh: the most bytes of the program's values on one device, by what was alive.
    """

    seconds: float
    dispatch: float
    instructions: int
    held: Mapping[str, int]
    peak_bytes: Mapping[str, int]

    def __str__(self) -> str:
        meshes = [
            f"{mesh}: {self.held[mesh]} forward passes, {size:,} bytes a device at most"
            for mesh, size in self.peak_bytes.items()
        ]
        times = f"{1e3 * self.seconds:.1f} ms, dispatched in {1e3 * self.dispatch:.1f} ms"
        return "\n".join([f"{times} ({self.instructions} instructions)", *meshes])


class _Watch:
    """Values alive after each instruction."""

    def __init__(self, meshes: Sequence[str]) -> None:
        self.held = dict.fromkeys(meshes, 0)
        self.peak_bytes = dict.fromkeys(meshes, 0)
        self.count = 0
        self._left: dict[tuple[str, int, int | None], list[weakref.ref[jax.Array]]] = {}

    def __call__(self, instruction: Instruction, slots: Slots) -> None:
        if isinstance(instruction, Run) and instruction.transpose_count == 0 and instruction.microbatch is not None:
            left = [weakref.ref(value) for slot in instruction.outputs if (value := slots[slot]) is not None]
            self._left[instruction.mesh, instruction.microbatch, instruction.stage] = left
        if isinstance(instruction, Free):
            return
        self.count += 1
        alive = {key for key, left in self._left.items() if any(_is_alive(each()) for each in left)}
        for mesh in self.held:
            self.held[mesh] = max(self.held[mesh], sum(key[0] == mesh for key in alive))

    def sizes(self, by_mesh: Mapping[str, int]) -> None:
        """Notes the bytes that a device of each mesh holds now."""
        for mesh, size in by_mesh.items():
            self.peak_bytes[mesh] = max(self.peak_bytes[mesh], size)


def _is_alive(array: jax.Array | None) -> bool:
    return array is not None and not array.is_deleted()


def profile(dispatcher: Dispatcher, arguments: Sequence[jax.Array]) -> tuple[list[jax.Array], Profile]:
    """Run one step; return its results and measurements.

    Args:
      dispatcher: of the program.
      arguments: as for a call; donated ones are gone afterwards.
    """
    program = dispatcher.program
    watch = _Watch([mesh.name for mesh in program.topology.meshes])
    names = [type_.mesh_name for type_ in program.slots]
    watching = 0.0

    def observe(instruction: Instruction, slots: Slots) -> None:
        nonlocal watching
        begun = time.perf_counter()
        watch(instruction, slots)
        sizes = dict.fromkeys(watch.held, 0)
        for name, value in zip(names, slots, strict=True):
            if value is not None and not value.is_deleted():
                sizes[name] += value.addressable_data(0).nbytes if value.addressable_shards else 0
        watch.sizes(sizes)
        watching += time.perf_counter() - begun

    begun = time.perf_counter()
    results = dispatcher(arguments, observe)
    dispatched = time.perf_counter()
    jax.block_until_ready(results)
    ended = time.perf_counter()
    measured = Profile(ended - begun, dispatched - begun - watching, watch.count, watch.held, watch.peak_bytes)
    return results, measured
