"""Adds up the blocks of a scattered tensor on their way around the ring to those who keep them (spec: async, 15.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.passes.overlap.decomposition.ring_moves import LEFT, RIGHT, Ring, Wait, counted
from sdy.stablehlo.ops.values import Value


@dataclass(frozen=True)
class BlockSum:
    """How blocks are computed and added up.

    `part` gives what the device itself adds to the block of a number; `packed` what is sent of a sum, and `unpacked`
    what that is when it has arrived.
    """

    part: Callable[[Value], Value]
    packed: Callable[[Value], Value]
    unpacked: Callable[[Value], Value]

    def added(self, arrived: Wait | None, part: Value) -> Value:
        return part if arrived is None else self.unpacked(arrived()) + part


def sum_one_direction(ring: Ring, blocks: BlockSum) -> Value:
    """Everybody adds its part to what comes from the right and passes the sum on to the left; the own block is last."""
    total = blocks.part(ring.number(1))
    for turn in range(1, ring.size):
        wait = ring.start(blocks.packed(total), LEFT)
        total = blocks.added(wait, blocks.part(ring.number(turn + 1)))
    return total


def loop_sum_one_direction(ring: Ring, blocks: BlockSum) -> Value:
    """The same with a loop, before which the first part is computed."""

    def body(turn: Value, total: Value) -> list[Value]:
        wait = ring.start(blocks.packed(total), LEFT)
        return [blocks.added(wait, blocks.part(ring.number(2, turn)))]

    first = blocks.part(ring.number(1))
    return counted(0, ring.size - 1, body, [first])[0]


def sum_both_directions(ring: Ring, blocks: BlockSum) -> Value:
    """Sums come from both sides; that from the left has made one step more if the number of devices is even."""
    last, last_left = ring.size // 2, (ring.size - 1) // 2
    wait_right: Wait | None = None
    wait_left: Wait | None = None
    for turn in range(last, 0, -1):
        part_right = blocks.part(ring.number(turn))
        part_left = blocks.part(ring.number(-turn)) if turn <= last_left else None
        right = blocks.added(wait_right, part_right)
        left = None if part_left is None else blocks.added(wait_left, part_left)
        wait_right = ring.start(blocks.packed(right), RIGHT)
        wait_left = None if left is None else ring.start(blocks.packed(left), LEFT)
    return _own(ring, blocks, wait_left, wait_right)


def loop_sum_both_directions(ring: Ring, blocks: BlockSum) -> Value:
    """The same with a loop, before which the first parts are computed, and behind which the own one is added."""
    pairs = (ring.size - 1) // 2
    wait: Wait | None = None
    if ring.size % 2 == 0:
        wait = ring.start(blocks.packed(blocks.part(ring.number(pairs + 1))), RIGHT)
    right = blocks.part(ring.number(pairs))
    left = blocks.part(ring.number(-pairs))
    right = blocks.added(wait, right)

    def body(turn: Value, right: Value, left: Value) -> list[Value]:
        wait_right, wait_left = ring.start(blocks.packed(right), RIGHT), ring.start(blocks.packed(left), LEFT)
        part_right = blocks.part(ring.number(pairs, turn, -1))
        part_left = blocks.part(ring.number(-pairs, turn))
        return [blocks.added(wait_right, part_right), blocks.added(wait_left, part_left)]

    right, left = counted(1, pairs, body, [right, left])
    return _own(ring, blocks, ring.start(blocks.packed(left), LEFT), ring.start(blocks.packed(right), RIGHT))


def _own(ring: Ring, blocks: BlockSum, left: Wait | None, right: Wait | None) -> Value:
    """The own part, then what comes from both sides: always in this order, whatever arrives first."""
    total = blocks.part(ring.number(0))
    for wait in (left, right):
        if wait is not None:
            total = total + blocks.unpacked(wait())
    return total
