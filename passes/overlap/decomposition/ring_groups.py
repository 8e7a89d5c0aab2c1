"""The groups of a collective as rings, around which tensors are passed on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.shardings.meshes import enclosing_module, mesh_of
from sdy.mlir import ir
from sdy.stablehlo import views

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
