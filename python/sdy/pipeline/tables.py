"""Schedules as tables: the order of forward and backward passes on each mesh, checked and timed without a program.

A unit is one pass of one microbatch through one stage: F forward, B backward, or A and W, the halves of B with the
gradients of inputs and of parameters. It is written ``F3``, or ``2F3`` with its stage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import Free, PipelineProgram, Run

Key = TypeVar("Key", bound=Hashable)


class Kind(Enum):
    """Kind of a pass."""

    FORWARD = "F"
    BACKWARD = "B"
    INPUTS = "A"
    """The half of a backward pass with the gradients of inputs, which the stage before waits for."""
    PARAMETERS = "W"
    """The half of a backward pass with the gradients of parameters, which nothing waits for."""


_UNIT = re.compile(r"(?P<stage>\d+)?(?P<kind>[FBAIWfbaiw])(?P<microbatch>\d+)")
_ALIASES = {"I": "A"}


@dataclass(frozen=True, slots=True)
class Unit:
    """One pass of a microbatch; `stage` is None where a mesh has one stage."""

    kind: Kind
    microbatch: int
    stage: int | None = None

    @staticmethod
    def of(text: str) -> Unit:
        """The unit of a text such as ``F3`` or ``2W3``; ``I`` stands for ``A``. Raises `ValueError` for others."""
        found = _UNIT.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not a unit of a schedule: write F3, B3, A3 or W3, or with a stage 2F3")
        letter = found["kind"].upper()
        stage = None if found["stage"] is None else int(found["stage"])
        return Unit(Kind(_ALIASES.get(letter, letter)), int(found["microbatch"]), stage)

    def __str__(self) -> str:
        return f"{'' if self.stage is None else self.stage}{self.kind.value}{self.microbatch}"


Placement: TypeAlias = Mapping[str, Sequence[int]]
"""By name of a mesh, in the order of the pipeline: its stages."""


@dataclass(frozen=True)
class Table(ShownText):
    """The order of units on each mesh; each unit has a stage."""

    orders: Mapping[str, tuple[Unit, ...]]

    @staticmethod
    def of(orders: Mapping[str, str | Sequence[str | Unit]], placement: Placement | None = None) -> Table:
        """The table of units, or of their texts.

        Args:
          orders: by name of a mesh: units in order, or a text with blanks between them.
          placement: the stage of units that are written without one; by default the place of their mesh.

        Raises:
          TypeError: an order contains something else.
          ValueError: a text is not a unit, or a unit of a mesh with several stages has none.
        """
        stages = placement or {mesh: (number,) for number, mesh in enumerate(orders)}
        return Table(
            {
                mesh: tuple(_with_stage(each, mesh, stages.get(mesh, ())) for each in parse_units(order))
                for mesh, order in orders.items()
            }
        )

    def held(self) -> dict[str, int]:
        """By name of a mesh: the most passes that are through forward and not through backward, at once."""
        return {mesh: most_held(order) for mesh, order in self.orders.items()}

    def check(self) -> None:
        """Check that each unit stands once, and that the table does not wait for itself.

        Raises:
          ValueError: it has a unit twice, lacks one, or deadlocks; the message has the units.
        """
        check_units(self.orders)
        self.steps()

    def steps(
        self,
        seconds: Callable[[Unit], float] = lambda unit: 2.0 if unit.kind is Kind.BACKWARD else 1.0,
        transfer: Callable[[int], float] = lambda stage: 0.0,
    ) -> float:
        """Return the seconds of a step.

        Args:
          seconds: of a unit.
          transfer: seconds from a stage to the next one, or back.

        Raises:
          ValueError: the table deadlocks.
        """
        known = {unit for order in self.orders.values() for unit in order}
        last = max((unit.stage or 0 for unit in known), default=0)

        def delay(needed: Unit, unit: Unit) -> float:
            first, second = sorted((needed.stage or 0, unit.stage or 0))
            return transfer(first) if first != second else 0.0

        def needs(unit: Unit) -> list[Unit]:
            return [each for each in _needs(unit, last) if each in known]

        return max(time_orders(self.orders, needs, seconds, delay).values(), default=0.0)

    def __str__(self) -> str:
        width = max(map(len, self.orders), default=0)
        held = self.held()
        return "\n".join(
            f"{mesh:{width}}  {' '.join(map(str, _shown(order)))}  (holds {held[mesh]})"
            for mesh, order in self.orders.items()
        )


def parse_units(order: str | Sequence[str | Unit]) -> list[Unit]:
    """The units of an order. Raises `ValueError` for a text that is not one, `TypeError` for other values."""
    given = order.split() if isinstance(order, str) else order
    for each in given:
        if not isinstance(each, (str, Unit)):
            raise TypeError(f"a schedule consists of units or of their texts such as F3, not {each!r}")
    return [Unit.of(each) if isinstance(each, str) else each for each in given]


def _with_stage(unit: Unit, mesh: str, stages: Sequence[int]) -> Unit:
    if unit.stage is not None:
        return unit
    if len(stages) != 1:
        known = ", ".join(map(str, stages)) or "none"
        raise ValueError(
            f"{unit} of mesh {mesh!r} needs a stage, as in {stages[0] if stages else 0}{unit}: it has {known}"
        )
    return Unit(unit.kind, unit.microbatch, stages[0])


def _shown(order: Sequence[Unit]) -> list[Unit]:
    """Units without their stage, if they have a common one."""
    if len({unit.stage for unit in order}) > 1:
        return [*order]
    return [Unit(unit.kind, unit.microbatch) for unit in order]


def _needs(unit: Unit, last: int) -> list[Unit]:
    """The units that a unit may wait for; of a half and a whole backward pass a table has one."""
    stage, number = unit.stage or 0, unit.microbatch
    if unit.kind is Kind.FORWARD:
        return [Unit(Kind.FORWARD, number, stage - 1)] if stage else []
    if unit.kind is Kind.PARAMETERS:
        return [Unit(Kind.INPUTS, number, stage), Unit(Kind.FORWARD, number, stage)]
    behind = [Unit(kind, number, stage + 1) for kind in (Kind.BACKWARD, Kind.INPUTS)] if stage < last else []
    return [Unit(Kind.FORWARD, number, stage), *behind]


def check_units(orders: Mapping[str, Sequence[Unit]]) -> None:
    """Raise `ValueError` for a unit that stands twice, or a forward pass without its backward pass."""
    for mesh, order in orders.items():
        seen: set[Unit] = set()
        for unit in order:
            if unit in seen:
                raise ValueError(f"{unit} stands twice on mesh {mesh!r}")
            seen.add(unit)
        halves = {(unit.microbatch, unit.stage) for unit in order if unit.kind in (Kind.INPUTS, Kind.PARAMETERS)}
        for number, stage in sorted(halves, key=str):
            both = [Unit(kind, number, stage) in seen for kind in (Kind.INPUTS, Kind.PARAMETERS)]
            if Unit(Kind.BACKWARD, number, stage) in seen or not all(both):
                where = f"microbatch {number} in stage {stage} on mesh {mesh!r}"
                raise ValueError(f"the backward pass of {where} is a B, or an A and a W")
        backward = {(unit.microbatch, unit.stage) for unit in order if unit.kind is not Kind.FORWARD}
        forward = {(unit.microbatch, unit.stage) for unit in order if unit.kind is Kind.FORWARD}
        if backward and forward != backward:
            number, stage = min(forward ^ backward, key=str)
            lacks = "backward" if (number, stage) in forward else "forward"
            raise ValueError(f"microbatch {number} in stage {stage} on mesh {mesh!r} has no {lacks} pass")


def most_held(order: Iterable[Unit]) -> int:
    """The most passes at once that are through forward, and not through backward, where they have one."""
    units = list(order)
    last = {(unit.microbatch, unit.stage): place for place, unit in enumerate(units) if unit.kind is not Kind.FORWARD}
    held, most = set[tuple[int, int | None]](), 0
    for place, unit in enumerate(units):
        key = unit.microbatch, unit.stage
        if unit.kind is Kind.FORWARD and key in last:
            held.add(key)
        most = max(most, len(held))
        if last.get(key) == place:
            held.discard(key)
    return most


def time_orders(
    orders: Mapping[str, Sequence[Key]],
    needs: Callable[[Key], Iterable[Key]],
    seconds: Callable[[Key], float],
    delay: Callable[[Key, Key], float] = lambda needed, unit: 0.0,
) -> dict[Key, float]:
    """By unit: when it ends, if each mesh runs its units in order, and a unit waits for those that it needs.

    Args:
      orders: by name of a mesh, its units.
      needs: units of `orders` that a unit waits for.
      seconds: of a unit.
      delay: seconds from the end of a needed unit until another one may start.

    Raises:
      ValueError: units wait for one another; the message has the cycle.
    """
    ended: dict[Key, float] = {}
    places = dict.fromkeys(orders, 0)
    free = dict.fromkeys(orders, 0.0)
    while True:
        before = len(ended)
        for mesh, order in orders.items():
            while places[mesh] < len(order):
                unit = order[places[mesh]]
                needed = [*needs(unit)]
                if any(each not in ended for each in needed):
                    break
                free[mesh] = max([free[mesh], *(ended[each] + delay(each, unit) for each in needed)]) + seconds(unit)
                ended[unit] = free[mesh]
                places[mesh] += 1
        if len(ended) == before:
            break
    stuck = {mesh: order[places[mesh]] for mesh, order in orders.items() if places[mesh] < len(order)}
    if stuck:
        raise ValueError(_deadlock(orders, stuck, lambda unit: [each for each in needs(unit) if each not in ended]))
    return ended


def _deadlock(
    orders: Mapping[str, Sequence[Key]], stuck: Mapping[str, Key], missing: Callable[[Key], Sequence[Key]]
) -> str:
    """The message for meshes that wait for one another; `stuck` are their next units."""
    mesh_of = {unit: mesh for mesh, order in orders.items() for unit in order}
    mesh = next(iter(stuck))
    path: list[tuple[str, str]] = []
    while mesh not in [each for each, _ in path]:
        needed = missing(stuck[mesh])[0]
        target = mesh_of[needed]
        behind = "" if needed == stuck[target] else f", which is behind {stuck[target]}"
        path.append((mesh, f"{stuck[mesh]} on {mesh} waits for {needed} on {target}{behind}"))
        mesh = target
    first = [each for each, _ in path].index(mesh)
    return f"the schedule deadlocks: {'; '.join(text for _, text in path[first:])}"


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
    return most_of_slots(program, [1] * len(program.slots))


def most_of_slots(program: PipelineProgram, sizes: Sequence[int]) -> dict[str, int]:
    """Return, by name of a mesh, the most that is held at once of slots with these sizes."""
    here = {mesh.name: 0 for mesh in program.topology.meshes}
    for slot in range(program.num_arguments):
        here[program.slots[slot].mesh_name] += sizes[slot]
    most = dict(here)
    for step in program.instructions:
        sign = -1 if isinstance(step, Free) else 1
        for slot in step.slots if isinstance(step, Free) else step.outputs:
            here[program.slots[slot].mesh_name] += sign * sizes[slot]
        most = {mesh: max(most[mesh], held) for mesh, held in here.items()}
    return most
