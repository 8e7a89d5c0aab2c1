"""HLO as it is written, before names are resolved and asynchronous operations are made generic."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.hlo_text.shape import Shape


@dataclass(slots=True)
class RawOperand:
    """An operand: a name, perhaps behind a shape, or a whole instruction.

    `path` says which element of a tuple is meant, as in ``%a#0``.
    """

    name: str
    shape: Shape | None
    offset: int
    nested: RawInstruction | None = None
    path: tuple[int, ...] = ()


@dataclass(slots=True)
class RawAttribute:
    """An attribute; where it names computations, `computations` are these, as names or as they stand in braces."""

    key: str
    value: str
    offset: int
    computations: list[str | RawComputation] | None = None


@dataclass(slots=True)
class RawInstruction:
    """An instruction as it is written."""

    name: str
    shape: Shape
    opcode: str
    operands: list[RawOperand]
    literal: str
    attributes: list[RawAttribute]
    is_root: bool
    offset: int

    def attribute(self, key: str) -> RawAttribute | None:
        return next((each for each in self.attributes if each.key == key), None)


@dataclass(slots=True)
class RawComputation:
    """A computation as it is written; one in braces gets its name later."""

    name: str
    instructions: list[RawInstruction]
    offset: int
    signature: str = ""
    attributes: list[RawAttribute] = field(default_factory=list)
    is_entry: bool = False

    @property
    def root(self) -> RawInstruction:
        return next((each for each in self.instructions if each.is_root), self.instructions[-1])


@dataclass(slots=True)
class RawModule:
    """A module as it is written; `loose` are instructions outside of all computations."""

    name: str
    attributes: list[RawAttribute]
    tables: str
    computations: list[RawComputation]
    loose: list[RawInstruction]
