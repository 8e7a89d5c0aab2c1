"""What is placed: the ops of a block as numbers, without MLIR (spec: async, 14).

A block is a list of nodes in program order. A node is an op that computes, or an asynchronous collective, which stands
where its start does. An order of the block has every computing op once, and every collective as a start and a done.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sdy.passes.costs.simulation import Done, Run, Start, Step, Work, simulate

UNLIMITED = 0
NO_WORK = Work(0.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """What makes a node a collective: the bytes that it holds from start to done, and what the machine says of it.

    `buffers` are those bytes by what tells them apart. Pairs with the same `handle` start in program order. The done
    stands where, in program order, `done_after` nodes stand before it.
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
    op, passes it. `work` is what it takes on the machine, `result_bytes` what it makes.
    """

    operands: tuple[int, ...] = ()
    pair: Pair | None = None
    is_ordered: bool = False
    work: Work = NO_WORK
    result_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes in program order, and those whose results the terminator uses."""

    nodes: tuple[Node, ...]
    returned: tuple[int, ...] = ()

    def segments(self) -> tuple[list[int], list[int]]:
        """By node, the number of ordered ops before it (before its start), and before its done.

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
        """By node, those that use its results, in program order."""
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
    """Every done right behind its start."""
    order: Order = []
    for number, node in enumerate(block.nodes):
        order += [Op(number)] if node.pair is None else [Begin(number), End(number)]
    return order


def run(block: Block, order: Sequence[Place]) -> Run:
    """What an order takes."""
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
    """Most bytes of results that are still to be used, or being sent, at once.

    The results of a collective are there from its start on.
    """
    last: dict[int, int] = {}
    for position, place in enumerate(order):
        last[place.node] = position
        if not isinstance(place, End):
            last.update(dict.fromkeys(block.nodes[place.node].operands, position))
    last.update(dict.fromkeys(block.returned, len(order)))
    for position, place in enumerate(order):  # what is being sent must stay
        if isinstance(place, End):
            for operand in block.nodes[place.node].operands:
                last[operand] = max(last[operand], position)
    ending: dict[int, list[int]] = {}
    for number, position in last.items():
        ending.setdefault(position, []).append(number)
    live = peak = 0
    for position, place in enumerate(order):
        if not isinstance(place, End):
            live += block.nodes[place.node].result_bytes
        peak = max(peak, live)
        live -= sum(block.nodes[number].result_bytes for number in ending.get(position, ()))
    return peak
