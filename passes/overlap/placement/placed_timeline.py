"""What is waited for once all collectives are asynchronous and placed: what is worth being hidden by other means."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity
from sdy.passes.costs.machine import Machine, read_machine
from sdy.passes.costs.program_collectives import SENDERS, entry_functions, kind_of, local_mesh
from sdy.passes.costs.program_steps import Reader, Steps
from sdy.passes.costs.simulation import Start
from sdy.passes.manager import run_nested
from sdy.passes.registry import step

_NUMBER = "sdy.collective_number"


class PlacedIn(Enum):
    """How collectives are placed in the end: see the modes of sdy-place-collectives."""

    NO = "no"
    KEEP = "keep"
    LIST = "list"


def check_placed(machine: str, placed: PlacedIn) -> None:
    """Refuses, by a ValueError, to place collectives on no machine, and a text that says none."""
    if machine:
        read_machine(machine)
    elif placed is not PlacedIn.NO:
        raise ValueError("option 'placed' needs a 'machine'")


@dataclass(frozen=True)
class Placing:
    """How collectives are placed in the end: for `machine`, as `sdy-place-collectives` does with these options."""

    machine: Machine
    mode: str
    in_flight_bytes: int


@dataclass(frozen=True)
class Placed:
    """Seconds that a step takes then, and for how many of them each collective is waited for, as numbered."""

    total: float
    waits: tuple[float, ...]


def numbered(module: ir.Operation, waits: Sequence[float]) -> dict[Hashable, float]:
    """The waits by the `identity` of the collectives of a module, or of a copy of it."""
    return {identity(op): seconds for op, seconds in zip(_collectives(module), waits, strict=True)}


def _collectives(module: ir.Operation) -> list[ir.Operation]:
    return [op for op in ops_named(module, *SENDERS) if kind_of(op) is not None]


def placed(module: ir.Operation, placing: Placing) -> Placed:
    """Tries it on a copy. Raises `DiagnosticError` for programs that have no timeline."""
    collectives = _collectives(module)
    number_type = ir.IntegerType.get_signless(64)
    for number, op in enumerate(collectives):
        op.attributes[_NUMBER] = ir.IntegerAttr.get(number_type, number)
    copy = module.clone(ip=False).operation
    for op in collectives:
        del op.attributes[_NUMBER]
    given: dict[str, Any] = {"in_flight_bytes": placing.in_flight_bytes, "mode": placing.mode}
    place = step("sdy-place-collectives", on_func=True, machine=str(placing.machine), **given)
    run_nested(copy, [step("sdy-async-collectives", on_func=True), place])
    reader = Reader(copy, local_mesh(copy), placing.machine)
    runs = [reader.of_function(function) for function in entry_functions(copy)]
    waits = [0.0] * len(collectives)
    for steps in runs:
        for number, seconds in _waits(steps):
            waits[number] = max(waits[number], seconds)
    total = sum(steps.run().total for steps in runs)
    copy.erase()
    return Placed(total, tuple(waits))


def _waits(steps: Steps) -> Iterator[tuple[int, float]]:
    """The number of each collective and the seconds that are waited for it, each time that it runs."""
    flights = steps.run().flights
    for item in steps.items:
        if item.transfer is not None and isinstance(item.step, Start) and _NUMBER in item.transfer.op.attributes:
            yield item.transfer.op.attributes[_NUMBER].value, flights[item.step.key].wait
        for region in item.regions:
            yield from _waits(region.steps)


class Trial:
    """Changes to a module that are undone unless they make a step shorter.

    `before` is what it is with the collectives of the module placed as it stands.
    """

    def __init__(self, module: ir.Operation, placing: Placing) -> None:
        self._module, self._placing = module, placing
        self._backup = module.clone(ip=False).operation
        self.before = placed(module, placing)

    def succeeds(self) -> bool:
        """Whether a step of what has become of the module is shorter; if not, it becomes what it was."""
        if placed(self._module, self._placing).total < self.before.total:
            return True
        _replace_contents(self._module, self._backup.clone(ip=False).operation)
        return False


def _replace_contents(module: ir.Operation, source: ir.Operation) -> None:
    for op in _contents(module):
        op.erase()
    block = module.regions[0].blocks[0]
    for op in _contents(source):
        block.append(op)
    source.erase()


def _contents(module: ir.Operation) -> Sequence[ir.Operation]:
    return [view.operation for view in module.regions[0].blocks[0].operations]
