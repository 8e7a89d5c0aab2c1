"""Rings of devices, and the permutes that move blocks around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.shardings.meshes import enclosing_module, mesh_of
from sdy.mlir import ir
from sdy.stablehlo import ops, views
from sdy.stablehlo.ops.values import Value

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class RingGroups:
    """Groups of devices of one size, each in the order of its positions.

    `by_replica` says that the numbers are those of replicas instead of partitions.
    """

    rows: Rows
    by_replica: bool

    @property
    def size(self) -> int:
        return len(self.rows[0])

    def pairs(self, distance: int) -> list[tuple[int, int]]:
        """Sender and receiver where everybody sends to the one `distance` positions further, all around the ring."""
        return [(row[q], row[(q + distance) % self.size]) for row in self.rows for q in range(self.size)]

    def positions(self) -> np.ndarray:
        """The position of each device in its group; 0 for numbers that are in no group."""
        table = np.zeros(max(map(max, self.rows)) + 1, dtype=np.int32)
        for row in self.rows:
            table[list(row)] = np.arange(self.size)
        return table

    def stride(self) -> int | None:
        """The s with which the position of device d is `d / s % size`; None if there is none."""
        stride = self.rows[0][1] - self.rows[0][0]
        if stride <= 0:
            return None
        devices = np.arange(len(self.positions()))
        is_regular = np.array_equal(devices // stride % self.size, self.positions())
        return stride if is_regular and len(devices) == len(self.rows) * self.size else None


def ring_groups(op: ir.Operation, group_size: int) -> RingGroups | None:
    """Those of an op with `replica_groups`; None if they are not of `group_size` devices each, or cannot be named.

    Programs of several replicas and several partitions at once have groups that a permute cannot name.
    """
    rows = _rows(op, group_size)
    by_replica = _is_by_replica(op)
    if rows is None or by_replica is None or group_size < 2:
        return None
    devices = [device for row in rows for device in row]
    if any(len(row) != group_size for row in rows) or len(set(devices)) != len(devices):
        return None
    return RingGroups(rows, by_replica)


def largest_group(op: ir.Operation) -> int:
    """The number of devices of the largest group; 0 if the groups do not say."""
    rows = _rows(op, 0)
    return 0 if rows is None else max(map(len, rows))


def _rows(op: ir.Operation, group_size: int) -> Rows | None:
    groups = views.of(op).replica_groups
    if not isinstance(groups, tuple):
        named = mesh_axes(groups)
        mesh = None if named is None else mesh_of(named[0], op)
        return None if named is None or mesh is None else tuple(map(tuple, mesh.replica_groups(named[1]).tolist()))
    if not groups:
        return (tuple(range(group_size)),)  # all devices are one group
    return tuple(tuple(device for device in row if device >= 0) for row in groups)


def _is_by_replica(op: ir.Operation) -> bool | None:
    """What the numbers in the groups are; None if they are neither replicas nor partitions."""
    module = enclosing_module(op)
    replicas, partitions = (_count(module, name) for name in ("mhlo.num_replicas", "mhlo.num_partitions"))
    if not has_channel(op):
        return True
    if "use_global_device_ids" not in op.attributes:
        return True if partitions == 1 else None
    if replicas is None or replicas == 1:
        return False
    return True if partitions is None or partitions == 1 else None


def _count(module: ir.Operation, name: str) -> int | None:
    attribute = module.attributes.get(name)
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def has_channel(op: ir.Operation) -> bool:
    """Whether a collective is between the devices of a program, not its replicas only."""
    channel = views.of(op).channel_handle
    return channel is not None and channel.handle > 0


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
