"""Data flow of bundles from start to done: direct, or by tuples, copies, barriers and loops (spec: async, 9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import NATIVE_STARTS
from sdy.hlo_text.printer import HloModule
from sdy.lazy_dataclass import dataclass

Path = tuple[int, ...]

_STARTS = frozenset({"async-start", *NATIVE_STARTS})
_PASSING = frozenset({"copy", "opt-barrier"})


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a bundle: an instruction, and a path of tuple indices in its value."""

    computation: str
    instruction: str
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Use:
    """An instruction that has a bundle as an operand and does not only forward it."""

    place: Place
    user: Instruction


@dataclass(frozen=True)
class Journey:
    """Positions and uses of the bundle of one start.

    Attributes:
      start: its start.
      places: where it is, the start first; updates give it again.
      updates: the updates that continue it, and where they are.
      dones: the dones that end it.
      reads: instructions that read an element of it.
      strays: other uses: it is returned, called with, or passed to an op that cannot take it.
    """

    start: Place
    places: tuple[Place, ...]
    updates: tuple[Use, ...]
    dones: tuple[Use, ...]
    reads: tuple[Use, ...]
    strays: tuple[Use, ...]

    @property
    def is_direct(self) -> bool:
        """Return whether only the start and its updates hold the bundle."""
        steps = {self.start, *(Place(each.place.computation, each.user.name) for each in self.updates)}
        return set(self.places) == steps


def is_done_of(start: Instruction, user: Instruction) -> bool:
    """Return whether the opcode of `user` is that of the done of `start`."""
    return user.opcode == NATIVE_STARTS.get(start.opcode, "async-done")


class Flow:
    """Data flow of all bundles of a module."""

    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._loops: dict[str, list[tuple[Computation, Instruction]]] = {}
        for name, callers in module.callers.items():
            loops = [each for each in callers if each[1].opcode == "while"]
            if loops:
                self._loops[name] = loops

    def journeys(self) -> Iterator[Journey]:
        """Yield the journey of each start, native ones included, in text order."""
        for computation in self._module.computations:
            for each in computation.instructions:
                if each.opcode in _STARTS:
                    yield self.journey(computation, each)

    def journey(self, computation: Computation, start: Instruction) -> Journey:
        """Follow the bundle of a start through the module."""
        first = Place(computation.name, start.name)
        seen = {first: None}
        todo = [first]
        found: dict[str, dict[tuple[Place, str], Use]] = {"update": {}, "done": {}, "read": {}, "stray": {}}
        while todo:
            place = todo.pop()
            for kind, target in self._next(start, place):
                if isinstance(target, Use):
                    found[kind].setdefault((target.place, target.user.name), target)
                    target = Place(place.computation, target.user.name) if kind == "update" else None
                if target is not None and target not in seen:
                    seen[target] = None
                    todo.append(target)
        updates, dones, reads, strays = (tuple(uses.values()) for uses in found.values())
        return Journey(first, tuple(seen), updates, dones, reads, strays)

    def _next(self, start: Instruction, place: Place) -> Iterator[tuple[str, Place | Use]]:
        computation = self._module.by_name[place.computation]
        for user in computation.users[place.instruction]:
            for number, operand in enumerate(user.operands):
                if operand == place.instruction:
                    yield from self._at_operand(start, place, user, number)
        if computation.root.name == place.instruction:
            yield from self._returned(computation, place)

    def _at_operand(
        self, start: Instruction, place: Place, user: Instruction, number: int
    ) -> Iterator[tuple[str, Place | Use]]:
        name, path, opcode = place.computation, place.path, user.opcode
        if opcode == "tuple":
            yield "", Place(name, user.name, (number, *path))
        elif opcode == "get-tuple-element":
            index = tuple_index(user)
            if not path:
                yield "read", Use(place, user)
            elif path[0] == index:
                yield "", Place(name, user.name, path[1:])
        elif opcode in _PASSING and number == 0:
            yield "", Place(name, user.name, path)
        elif opcode == "while" and number == 0:
            yield from self._into_loop(user, path)
        elif not path and number == 0 and is_done_of(start, user):
            yield "done", Use(place, user)
        elif not path and number == 0 and start.opcode == "async-start" and opcode == "async-update":
            yield "update", Use(place, user)
        elif path or number == 0 or opcode != "async-done":  # XLA drops what else a done takes
            yield "stray", Use(place, user)

    def _into_loop(self, loop: Instruction, path: Path) -> Iterator[tuple[str, Place]]:
        for key in ("body", "condition"):
            name = (loop.attribute(key) or "").lstrip("%")
            computation = self._module.by_name.get(name)
            if computation and computation.parameters:
                yield "", Place(name, computation.parameters[0].name, path)

    def _returned(self, computation: Computation, place: Place) -> Iterator[tuple[str, Place | Use]]:
        """Yield the uses of a computation's root: each loop with this body. Without any, it is a stray use."""
        loops = [each for each in self._loops.get(computation.name, ()) if _is_body(each[1], computation.name)]
        for caller, loop in loops:
            yield "", Place(caller.name, loop.name, place.path)
        if not loops:
            yield "stray", Use(place, computation.root)


def _is_body(loop: Instruction, name: str) -> bool:
    return (loop.attribute("body") or "").lstrip("%") == name


def tuple_index(instruction: Instruction) -> int | None:
    """Return the index that a get-tuple-element reads; None if the attribute is missing or malformed."""
    text = instruction.attribute("index") or ""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None


def is_start(instruction: Instruction) -> bool:
    return instruction.opcode in _STARTS
