"""Candidate orders of the ops of a block, and the predicted time of a program in each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity
from sdy.passes.costs.liveness import held_at
from sdy.passes.costs.machine import Machine, read_machine
from sdy.passes.costs.program_collectives import SENDERS, entry_functions, kind_of, local_mesh
from sdy.passes.costs.program_steps import Reader, Steps
from sdy.passes.costs.simulation import Done, Run, Start, Step, Work, simulate
from sdy.passes.manager import run_nested
from sdy.passes.registry import step

UNLIMITED = 0
NO_WORK = Work(0.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Start and done of a collective: bytes in flight, and its work on the machine.

    `buffers` are those bytes by buffer identity. Pairs with the same `handle` start in program order. The done follows
    the first `done_after` nodes in program order.
    """

    buffers: tuple[tuple[Hashable, int], ...]
    done_after: int
    seconds: float = 0.0
    channels: tuple[Hashable, ...] = ()
    handle: Hashable = None

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.buffers)


@dataclass(frozen=True, slots=True)
class Node:
    """An op of a block.

    `operands` are the nodes whose results it uses. An op with effects `is_ordered`: no start and no done, and no other
    op with effects, passes it. `work` is its time on the machine, `result_bytes` the size of its results.
    """

    operands: tuple[int, ...] = ()
    pair: Pair | None = None
    is_ordered: bool = False
    work: Work = NO_WORK
    result_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes in program order, and the nodes that the terminator uses."""

    nodes: tuple[Node, ...]
    returned: tuple[int, ...] = ()

    def segments(self) -> tuple[list[int], list[int]]:
        """Return, by node, the number of ordered ops before it (before its start), and before its done.

        An ordered op is the last of its segment.
        """
        before = [0]
        for node in self.nodes:
            before.append(before[-1] + node.is_ordered)
        dones = [
            before[number if node.pair is None else node.pair.done_after] for number, node in enumerate(self.nodes)
        ]
        return before[:-1], dones

    def users(self) -> list[list[int]]:
        """Return, by node, the users of its results in program order."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for operand in dict.fromkeys(node.operands):
                found[operand].append(number)
        return found


@dataclass(frozen=True, slots=True)
class Place:
    """A node in an order."""

    node: int


class Op(Place):
    """A computing op."""

    __slots__ = ()


class Begin(Place):
    """The start of a collective."""

    __slots__ = ()


class End(Place):
    """The done of a collective."""

    __slots__ = ()


Order = list[Place]


def as_written(block: Block) -> Order:
    """The order that the program has."""
    ends: dict[int, list[int]] = {}
    for number, node in enumerate(block.nodes):
        if node.pair is not None:
            ends.setdefault(node.pair.done_after, []).append(number)
    order: Order = []
    for number, node in enumerate(block.nodes):
        order += map(End, ends.get(number, ()))
        order.append(Op(number) if node.pair is None else Begin(number))
    return [*order, *map(End, ends.get(len(block.nodes), ()))]


def synchronous(block: Block) -> Order:
    """Return the order with every done right behind its start."""
    order: Order = []
    for number, node in enumerate(block.nodes):
        order += [Op(number)] if node.pair is None else [Begin(number), End(number)]
    return order


def run(block: Block, order: Sequence[Place]) -> Run:
    """Return the seconds of an order."""
    return simulate(_step(block, place) for place in order)


def _step(block: Block, place: Place) -> Step:
    node = block.nodes[place.node]
    if isinstance(place, Op):
        return node.work
    if isinstance(place, End):
        return Done(place.node)
    assert node.pair is not None, "only collectives are begun"
    return Start(place.node, node.pair.seconds, node.pair.channels, node.pair.buffers)


def peak_live_bytes(block: Block, order: Sequence[Place]) -> int:
    """Return the most bytes of results that are live or in transfer at once.

    The results of a collective are live from its start on.
    """
    last: dict[int, int] = {}
    for position, place in enumerate(order):  # what is being sent must stay
        last.update(dict.fromkeys((place.node, *block.nodes[place.node].operands), position))
    last.update(dict.fromkeys(block.returned, len(order)))
    made = {place.node: position for position, place in enumerate(order) if not isinstance(place, End)}
    end = len(order) - 1
    spans = ((at, min(last[node], end), block.nodes[node].result_bytes) for node, at in made.items())
    return int(held_at(len(order), spans).max(initial=0))


_NUMBER = "sdy.collective_number"


class PlacedIn(Enum):
    """Final placement of collectives: see the modes of sdy-place-collectives."""

    NO = "no"
    KEEP = "keep"
    LIST = "list"


def check_placed(machine: str, placed: PlacedIn) -> None:
    """Refuse, by a ValueError, to place collectives without a machine, and an invalid machine text."""
    if machine:
        read_machine(machine)
    elif placed is not PlacedIn.NO:
        raise ValueError("option 'placed' needs a 'machine'")


@dataclass(frozen=True)
class Placing:
    """Options of the final `sdy-place-collectives` for `machine`."""

    machine: Machine
    mode: str
    in_flight_bytes: int


@dataclass(frozen=True)
class Placed:
    """Seconds of a step in an order, and the seconds waited for each collective, by number."""

    total: float
    waits: tuple[float, ...]


def numbered(module: ir.Operation, waits: Sequence[float]) -> dict[Hashable, float]:
    """Return the waits by the `identity` of the collectives in a module, or in a copy of it."""
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
    """Return the number of each collective and the seconds spent waiting for it, each time that it runs."""
    flights = steps.run().flights
    for item in steps.items:
        if item.transfer is not None and isinstance(item.step, Start) and _NUMBER in item.transfer.op.attributes:
            yield item.transfer.op.attributes[_NUMBER].value, flights[item.step.key].wait
        for region in item.regions:
            yield from _waits(region.steps)


class Trial:
    """Changes to a module that are undone unless they make a step shorter.

    `before` is the step of the unchanged module, with its collectives placed.
    """

    def __init__(self, module: ir.Operation, placing: Placing) -> None:
        self._module, self._placing = module, placing
        self._backup = module.clone(ip=False).operation
        self.before = placed(module, placing)

    def succeeds(self) -> bool:
        """Return whether a step of the changed module is shorter; if not, restore the module."""
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
