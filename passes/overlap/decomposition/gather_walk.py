"""Walks over the blocks of a gathered tensor in the order in which they come around the ring (spec: async, 15.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.passes.overlap.decomposition.ring_moves import LEFT, RIGHT, Ring, counted
from sdy.stablehlo.ops.values import Value

State = Sequence[Value | None]
"""What has become of the results so far: None where there is nothing yet, but for loops."""

Visit = Callable[[State, Value, Value], list[Value]]
"""Takes a state, the block at hand and its number; returns the next state."""


def walk_one_direction(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Everybody passes on to the left what it has, and works on it meanwhile."""
    block = shard
    for turn in range(ring.size - 1):
        wait = ring.start(block, LEFT)
        state = visit(state, block, ring.number(turn))
        block = wait()
    return visit(state, block, ring.number(ring.size - 1))


def loop_one_direction(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """The same with a loop, behind which the last block is worked on."""

    def body(turn: Value, block: Value, *state: Value) -> list[Value]:
        wait = ring.start(block, LEFT)
        after = visit(state, block, ring.number(0, turn))
        return [wait(), *after]

    block, *state = counted(0, ring.size - 1, body, [shard, *_there(state)])
    return visit(state, block, ring.number(ring.size - 1))


def walk_both_directions(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Blocks come from both sides at once; one more from the left if their number is even."""
    last, last_left = ring.size // 2, (ring.size - 1) // 2
    right, left = shard, shard
    for turn in range(last + 1):
        wait_right = ring.start(right, RIGHT) if turn < last else None
        wait_left = ring.start(left, LEFT) if turn < last_left else None
        state = visit(state, right, ring.number(-turn))
        if 0 < turn <= last_left:
            state = visit(state, left, ring.number(turn))
        right = right if wait_right is None else wait_right()
        left = left if wait_left is None else wait_left()
    return _there(state)


def loop_both_directions(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """The same with a loop, before which the own block is worked on, and behind which the last ones are."""
    pairs = (ring.size - 1) // 2
    wait_right, wait_left = ring.start(shard, RIGHT), ring.start(shard, LEFT)
    state = visit(state, shard, ring.number(0))

    def body(turn: Value, right: Value, left: Value, *state: Value) -> list[Value]:
        wait_right, wait_left = ring.start(right, RIGHT), ring.start(left, LEFT)
        after = visit(state, right, ring.number(0, turn, -1))
        after = visit(after, left, ring.number(0, turn))
        return [wait_right(), wait_left(), *after]

    right, left, *state = counted(1, pairs, body, [wait_right(), wait_left(), *state])
    wait_last = ring.start(right, RIGHT) if ring.size % 2 == 0 else None
    state = visit(state, right, ring.number(-pairs))
    state = visit(state, left, ring.number(pairs))
    return state if wait_last is None else visit(state, wait_last(), ring.number(-pairs - 1))


def _there(state: State) -> list[Value]:
    """A state in which something has become of every result."""
    found = [value for value in state if value is not None]
    assert len(found) == len(state), "a loop starts from what is there"
    return found
