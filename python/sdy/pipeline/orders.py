"""Printed schedules: the order of fragments on each mesh, and the values held there."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import Free, PipelineProgram, Run
from sdy.pipeline.tables import Kind, Unit, most_held


@dataclass(frozen=True)
class Schedule(ShownText):
    """The order of fragments on each mesh.

    Attributes:
      units: by name of a mesh: its fragments in short; F3 is the forward pass of microbatch 3, B3 its backward pass, A3
        and W3 the halves of it with the gradients of inputs and of parameters, 2F3 that of stage 2 where a mesh has
        several.
      held: by name of a mesh: how many forward passes it holds values of, at most, until their backward pass is over.
    """

    units: dict[str, tuple[str, ...]]
    held: dict[str, int]

    @staticmethod
    def of(program: PipelineProgram) -> Schedule:
        """The schedule of a program."""
        orders = program.order()
        return Schedule({mesh: _units(runs) for mesh, runs in orders.items()}, held_passes(program))

    def __str__(self) -> str:
        width = max((len(mesh) for mesh in self.units), default=0)
        return "\n".join(
            f"{mesh:{width}}  {' '.join(units)}  (holds {self.held[mesh]})" for mesh, units in self.units.items()
        )


def _units(runs: tuple[Run, ...]) -> tuple[str, ...]:
    several = len({run.stage for run in runs if run.stage is not None}) > 1
    return tuple(run.unit if not several or unit_of(run) is None else f"{run.stage}{run.unit}" for run in runs)


def unit_of(run: Run) -> Unit | None:
    """Return a fragment's pass of a microbatch; None for any other fragment."""
    kind = run.half or {0: "F", 1: "B"}.get(-1 if run.transpose_count is None else run.transpose_count)
    return None if kind is None or run.microbatch is None else Unit(Kind(kind), run.microbatch, run.stage)


def held_passes(program: PipelineProgram) -> dict[str, int]:
    """Return, by name of a mesh, the most forward passes whose backward pass is not over."""
    units = {mesh: [unit_of(run) for run in runs] for mesh, runs in program.order().items()}
    return {mesh: most_held(unit for unit in own if unit is not None) for mesh, own in units.items()}


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
