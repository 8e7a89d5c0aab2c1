"""Printed schedules: the order of fragments on each mesh, and the values held there."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.mpmd_running.instructions import Free, PipelineProgram, Run


@dataclass(frozen=True)
class Schedule:
    """The order of fragments on each mesh.

    Attributes:
      units: by name of a mesh: its fragments in short; F3 is the forward pass of microbatch 3, B3 its backward pass.
      held: by name of a mesh: how many microbatches are between forward and backward pass there, at most.
    """

    units: dict[str, tuple[str, ...]]
    held: dict[str, int]

    @staticmethod
    def of(program: PipelineProgram) -> Schedule:
        """The schedule of a program."""
        orders = program.order()
        units = {mesh: tuple(run.unit for run in runs) for mesh, runs in orders.items()}
        return Schedule(units, {mesh: _most_held(runs) for mesh, runs in orders.items()})

    def __str__(self) -> str:
        width = max((len(mesh) for mesh in self.units), default=0)
        return "\n".join(
            f"{mesh:{width}}  {' '.join(units)}  (holds {self.held[mesh]})" for mesh, units in self.units.items()
        )


def _most_held(runs: tuple[Run, ...]) -> int:
    """Return the most microbatches between the end of their forward pass and that of their backward pass."""
    backward = {run.microbatch: place for place, run in enumerate(runs) if run.transpose_count == 1}
    most, held = 0, set[int]()
    for place, run in enumerate(runs):
        if run.transpose_count == 0 and run.microbatch is not None and backward.get(run.microbatch, -1) > place:
            held.add(run.microbatch)
        most = max(most, len(held))
        held -= {batch for batch, last in backward.items() if last == place and batch is not None}
    return most


def held_values(program: PipelineProgram) -> dict[str, int]:
    """Return, by name of a mesh, the most simultaneous values, arguments and results included."""
    here = {mesh.name: 0 for mesh in program.topology.meshes}
    for slot in range(program.num_arguments):
        here[program.slots[slot].mesh_name] += 1
    most = dict(here)
    for step in program.instructions:
        for slot in step.slots if isinstance(step, Free) else step.outputs:
            here[program.slots[slot].mesh_name] += -1 if isinstance(step, Free) else 1
        for mesh, count in here.items():
            most[mesh] = max(most[mesh], count)
    return most
