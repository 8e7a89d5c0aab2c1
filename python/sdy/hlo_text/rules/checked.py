"""Input and reports of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property

from sdy.hlo_text.errors import Position
from sdy.hlo_text.flow import Flow, Journey
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import ASYNC
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.shape import Shape, TupleShape
from sdy.lazy_dataclass import dataclass


class Rules(Enum):
    """Set of rules: STRICT as in XLA's document on asynchronous instructions, XLA as in XLA's verifier."""

    STRICT = "strict"
    XLA = "xla"


@dataclass(frozen=True, slots=True)
class Problem:
    """An instruction that breaks a rule.

    Attributes:
      rule: name of the rule, such as "R3" (spec: async, 9.4).
      computation: name of the computation that holds the instruction.
      instruction: name of the instruction.
      message: reason.
      position: line and column of the instruction, if the module was read from text.
    """

    rule: str
    computation: str
    instruction: str
    message: str
    position: Position | None = None

    @property
    def number(self) -> int:
        """Number of the rule."""
        return int(self.rule[1:])

    def __str__(self) -> str:
        place = f"{self.position[0]}:{self.position[1]}: " if self.position else ""
        return f"{place}{self.rule}: %{self.instruction}: {self.message}"


class Checked:
    """A module that is being checked, and the problems that were found."""

    def __init__(self, module: HloModule, rules: Rules) -> None:
        self.module = module
        self.is_strict = rules is Rules.STRICT
        self.problems: list[Problem] = []

    def report(self, rule: str, computation: Computation, instruction: Instruction, message: str) -> None:
        self.problems.append(Problem(rule, computation.name, instruction.name, message, instruction.position))

    @cached_property
    def links(self) -> tuple[tuple[Computation, Instruction], ...]:
        """Starts, updates and dones of generic chains, with their computations, in order."""
        return tuple(
            (computation, each)
            for computation in self.module.computations
            for each in computation.instructions
            if each.opcode in ASYNC
        )

    @cached_property
    def journeys(self) -> Mapping[tuple[str, str], Journey]:
        """Journeys by computation and name of the start."""
        found = Flow(self.module).journeys()
        return {(each.start.computation, each.start.instruction): each for each in found}

    @cached_property
    def starts_of(self) -> Mapping[tuple[str, str], tuple[Instruction, ...]]:
        """The starts that an update or done continues, by its computation and name."""
        found: dict[tuple[str, str], dict[tuple[str, str], Instruction]] = {}
        for key, journey in self.journeys.items():
            start = self.module.by_name[key[0]].by_name[key[1]]
            for use in (*journey.updates, *journey.dones):
                found.setdefault((use.place.computation, use.user.name), {})[key] = start
        return {key: tuple(starts.values()) for key, starts in found.items()}

    def starts(self) -> Iterator[tuple[Computation, Instruction]]:
        """Generic starts."""
        return ((computation, each) for computation, each in self.links if each.opcode == "async-start")

    def wrapped(self, start: Instruction) -> Computation | None:
        """Return the computation of a start, if it names exactly one that exists."""
        names = start.called
        found = self.module.by_name.get(names[0]) if len(names) == 1 else None
        return found if found is not None and found.instructions else None


def bundle_parts(shape: Shape) -> tuple[TupleShape, Shape, tuple[Shape, ...]] | None:
    """Return the operands, result and context of the shape of a start or update; None for other shapes."""
    if not isinstance(shape, TupleShape) or len(shape.elements) < 2:
        return None
    first, result, *context = shape.elements
    return (first, result, tuple(context)) if isinstance(first, TupleShape) else None


def is_prefix(one: Shape, other: Shape) -> bool:
    """Return whether one tuple is a prefix of another one, ignoring layouts."""
    if not isinstance(one, TupleShape) or not isinstance(other, TupleShape):
        return False
    begin = other.elements[: len(one.elements)]
    return [each.plain for each in one.elements] == [each.plain for each in begin]
