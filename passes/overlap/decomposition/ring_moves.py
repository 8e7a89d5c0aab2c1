"""What devices in a ring do: they pass a tensor on, and find out whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sdy.mlir import ir
from sdy.passes.overlap.decomposition.ring_groups import RingGroups
from sdy.stablehlo import ops
from sdy.stablehlo.ops.values import Value

LEFT = -1
"""To the device one position before."""
RIGHT = 1
"""To the device one position behind."""

Wait = Callable[[], Value]
"""Gives what has been sent for, where it is needed."""


class Ring:
    """Makes ops at the current insertion point, for devices that stand at `position`, an i32 scalar, of `groups`.

    What is passed on gets the location `sent_at`, and leaves at once and arrives where it is waited for if
    `asynchronous`.
    """

    def __init__(
        self,
        groups: RingGroups,
        position: Value,
        channels: Iterator[int],
        sent_at: ir.Location,
        *,
        asynchronous: bool,
    ) -> None:
        self.size = groups.size
        self._groups = groups
        self._position = position
        self._channels = channels
        self._sent_at = sent_at
        self._asynchronous = asynchronous

    def start(self, tensor: Value, direction: int) -> Wait:
        """Passes `tensor` on, `LEFT` or `RIGHT`; what is waited for comes from the other side."""
        pairs = self._groups.pairs(direction)
        channel = None if self._groups.by_replica else self.new_channel()

        def permute(value: Value) -> Value:
            return ops.collective_permute(value, pairs, channel=channel, loc=self._sent_at)

        if not self._asynchronous:
            moved = permute(tensor)
            return lambda: moved
        future = ops.async_start([tensor], permute, loc=self._sent_at)
        return lambda: ops.async_done(future, loc=self._sent_at)

    def new_channel(self) -> tuple[int, int]:
        """One between devices that no other collective has."""
        return next(self._channels), 1

    def number(self, distance: int, turn: Value | None = None, sign: int = 1) -> Value:
        """The position `distance` (and `turn` more, or less if `sign` is negative) from one's own, around the ring."""
        least = distance % self.size
        position = self._position
        if turn is not None:
            position = position + turn if sign > 0 else position - turn
            least += 0 if sign > 0 else self.size  # never negative, of which remainders are negative
        elif least == 0:
            return position
        return (position + least if least else position) % self.size


def own_position(groups: RingGroups) -> Value:
    """The position of the executing device in its group, computed from its id."""
    device = ops.convert(ops.replica_id() if groups.by_replica else ops.partition_id(), "i32")
    stride = groups.stride()
    if stride is not None:
        position = device / stride if stride > 1 else device
        return position % groups.size if len(groups.rows) * groups.size > stride * groups.size else position
    table = ops.constant(groups.positions(), "i32")
    return ops.reshape(ops.dynamic_slice(table, [device], [1]), [])


def counted(start: int, end: int, body: Callable[..., list[Value]], first: Sequence[Value]) -> Sequence[Value]:
    """What a loop makes of `first`: `body` takes the turn, from `start` to before `end`, and the values."""

    def next_turn(turn: Value, *values: Value) -> list[Value]:
        return [turn + 1, *body(turn, *values)]

    return ops.while_([ops.constant(start, "i32"), *first], lambda turn, *_: turn < end, next_turn)[1:]
