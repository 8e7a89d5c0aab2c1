"""HLO modules as values (spec: async, 9.1).

Every asynchronous operation is generic in it: `async-start`, `async-update`, `async-done`, for any form of the text.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Self

from sdy.hlo_text.errors import Position
from sdy.hlo_text.opcodes import CALLING, MAIN_THREAD, THREAD
from sdy.hlo_text.shape import Shape
from sdy.lazy_dataclass import dataclass

Attributes = tuple[tuple[str, str], ...]
"""Names and values in order; a value is the text that stands in HLO."""

_NAMES = re.compile(r"%([\w.\-]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Instruction:
    """Instruction: ``%name = shape opcode(%operand, ...), attribute=value, ...``.

    `literal` is the content of the parentheses of a constant or parameter. `position` is its position in the text, and
    `sugared` tells that this start was written with another opcode, as in `negate-start`; comparisons ignore both.
    """

    name: str
    shape: Shape
    opcode: str
    operands: tuple[str, ...] = ()
    attributes: Attributes = ()
    is_root: bool = False
    literal: str = ""
    position: Position | None = field(default=None, compare=False, repr=False)
    sugared: bool = field(default=False, compare=False, repr=False)

    def attribute(self, name: str) -> str | None:
        """The text of an attribute, None if there is none."""
        for key, value in self.attributes:
            if key == name:
                return value
        return None

    def without(self, *names: str) -> Attributes:
        """Return the attributes except those named."""
        return tuple(each for each in self.attributes if each[0] not in names)

    @property
    def called(self) -> tuple[str, ...]:
        """The computations that its attributes name, in order."""
        return tuple(name for key, value in self.attributes if key in CALLING for name in _NAMES.findall(value))

    @property
    def thread(self) -> str:
        """Execution thread of the operation of a start."""
        return (self.attribute(THREAD) or "").strip('"') or MAIN_THREAD

    def parameter_number(self) -> int | None:
        """Return the number of a parameter; None for other instructions and for a malformed number."""
        digits = self.literal if self.opcode == "parameter" else ""
        return int(digits) if digits.isdecimal() and len(digits) < 10 else None


@dataclass(frozen=True)
class Computation:
    """A named computation; its instructions are in an order with operands before users.

    `signature` is the text between name and brace, as in ``(a: f32[8]) -> f32[8]``, or empty; it is redundant, so
    comparisons ignore it.
    """

    name: str
    instructions: tuple[Instruction, ...]
    thread: str = MAIN_THREAD
    attributes: Attributes = ()
    signature: str = field(default="", compare=False)
    position: Position | None = field(default=None, compare=False, repr=False)

    @cached_property
    def by_name(self) -> Mapping[str, Instruction]:
        return {each.name: each for each in self.instructions}

    @cached_property
    def root(self) -> Instruction:
        """Return the instruction marked as root, else the last one.

        Raises:
          ValueError: there is no instruction.
        """
        if not self.instructions:
            raise ValueError(f"computation %{self.name} has no instructions")
        return next((each for each in self.instructions if each.is_root), self.instructions[-1])

    @cached_property
    def parameters(self) -> tuple[Instruction, ...]:
        """Parameters by number."""
        found = [(number, each) for each in self.instructions if (number := each.parameter_number()) is not None]
        return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))

    @cached_property
    def users(self) -> Mapping[str, tuple[Instruction, ...]]:
        """The instructions that use an instruction, once each, in order."""
        found: dict[str, list[Instruction]] = {each.name: [] for each in self.instructions}
        for each in self.instructions:
            for operand in dict.fromkeys(each.operands):
                found.setdefault(operand, []).append(each)
        return {name: tuple(users) for name, users in found.items()}

    def shapes(self, instruction: Instruction) -> tuple[Shape | None, ...]:
        """Return the shapes of the operands of an instruction; None for a missing operand."""
        found = (self.by_name.get(name) for name in instruction.operands)
        return tuple(None if each is None else each.shape for each in found)


@dataclass(frozen=True)
class ModuleParts:
    """Parts of an HLO module; see `HloModule`."""

    name: str
    attributes: Attributes
    computations: tuple[Computation, ...]
    entry: str
    tables: str = field(default="", compare=False, repr=False)

    @cached_property
    def by_name(self) -> Mapping[str, Computation]:
        return {each.name: each for each in self.computations}

    def computation(self, name: str) -> Computation:
        """The computation of that name.

        Raises:
          KeyError: there is none.
        """
        return self.by_name[name]

    @property
    def entry_computation(self) -> Computation:
        return self.by_name[self.entry]

    @cached_property
    def is_scheduled(self) -> bool:
        """Return whether instructions are executed in text order."""
        return dict(self.attributes).get("is_scheduled") == "true"

    @cached_property
    def callers(self) -> Mapping[str, tuple[tuple[Computation, Instruction], ...]]:
        """The instructions that call a computation, in order."""
        found: dict[str, list[tuple[Computation, Instruction]]] = {each.name: [] for each in self.computations}
        for computation in self.computations:
            for each in computation.instructions:
                for name in dict.fromkeys(each.called) if each.attributes else ():
                    found.setdefault(name, []).append((computation, each))
        return {name: tuple(callers) for name, callers in found.items()}

    def with_computations(self, computations: Mapping[str, Computation]) -> Self:
        """The module with some computations replaced by name."""
        return dataclasses.replace(
            self, computations=tuple(computations.get(each.name, each) for each in self.computations)
        )


class Names:
    """Makes names as XLA does: `base`, `base.1`, `base.2`, ..., skipping those in use."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)
        self._next: dict[str, int] = {}

    def new(self, base: str) -> str:
        number = self._next.get(base, 0)
        name = f"{base}.{number}" if number else base
        while name in self._used:
            number += 1
            name = f"{base}.{number}"
        self._next[base] = number + 1
        self._used.add(name)
        return name
