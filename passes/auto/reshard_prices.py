"""What it costs to move a tensor from one layout to another: the steps that the partitioner takes, one by one.

A layout says by which axes of the mesh each dimension is sharded. The steps depend on the two layouts and on which
counts of shards divide the dimensions; what they cost grows with the bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from sdy.dialect.values.axes import AxisList, product
from sdy.dialect.values.mesh import Mesh
from sdy.passes.costs.collective_cost import moved_bytes
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.reshard_planning.reshard_plan import plan_reshard, shard_counts
from sdy.passes.partitioning.reshard_planning.reshard_steps import (
    AllGather,
    AllSlice,
    AllToAll,
    CollectiveStep,
    DimAxes,
)


@dataclass(frozen=True, slots=True)
class Move:
    """One collective of a reshard, or a slice that every device takes of what it has (`kind` "all_slice").

    `share` is the part of the whole tensor that each device puts in, and of a slice what it keeps.
    """

    kind: str
    axes: tuple[str, ...]
    group_size: int
    share: float


@dataclass(slots=True)
class ReshardPrices:
    """Prices on one mesh of a machine."""

    mesh: Mesh
    machine: Machine
    _moves: dict[tuple[tuple[int, ...], DimAxes, DimAxes], tuple[Move, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.machine = self.machine.on(self.mesh)

    def moves(self, shape: Iterable[int], have: DimAxes, want: DimAxes) -> tuple[Move, ...]:
        """The steps from one layout to another."""
        if have == want:
            return ()
        # Only what divides a dimension matters, and no count of shards exceeds that of the devices.
        key = (tuple(math.gcd(size, self.mesh.size) for size in shape), have, want)
        found = self._moves.get(key) if self._divides(key[0], have) and self._divides(key[0], want) else None
        if found is None:
            found = self._planned(tuple(shape), have, want)
            if self._divides(key[0], have) and self._divides(key[0], want):
                self._moves[key] = found
        return found

    def seconds(self, shape: Iterable[int], size: float, have: DimAxes, want: DimAxes) -> float:
        """What a reshard of a tensor of `size` bytes altogether takes."""
        return sum(self.move_seconds(move, size) for move in self.moves(shape, have, want))

    def bytes_sent(self, shape: Iterable[int], size: float, have: DimAxes, want: DimAxes) -> float:
        """What each device sends for it."""
        moves = self.moves(shape, have, want)
        return sum(moved_bytes(move.kind, move.group_size, move.share * size) for move in moves if move.axes)

    def move_seconds(self, move: Move, size: float) -> float:
        if move.kind == "all_slice":
            return 2 * move.share * size / self.machine.memory_bandwidth
        return self.machine.collective_seconds(move.kind, move.group_size, move.share * size, move.axes)

    def reduce_seconds(self, axes: AxisList, scattered: AxisList, size: float) -> float:
        """Of adding up partial results of `size` bytes on each device along `axes`, some of which are `scattered`."""
        sizes, found = self.mesh.axis_sizes, 0.0
        if scattered:
            count = product(scattered, sizes)
            found += self.machine.collective_seconds("reduce_scatter", count, size, _names(scattered))
            size /= count
        rest = tuple(axis for axis in axes if axis not in scattered)
        if rest:
            found += self.machine.collective_seconds("all_reduce", product(rest, sizes), size, _names(rest))
        return found

    def _divides(self, shape: tuple[int, ...], axes: DimAxes) -> bool:
        counts = shard_counts(axes, self.mesh.axis_sizes)
        return not any(size % count for size, count in zip(shape, counts, strict=True))

    def _planned(self, shape: tuple[int, ...], have: DimAxes, want: DimAxes) -> tuple[Move, ...]:
        now, found = have, []
        for step in plan_reshard(have, want, shape, self.mesh):
            found.append(self._move(step, shape, now))
            now = step.after
        return tuple(found)

    def _move(self, step: CollectiveStep, shape: tuple[int, ...], now: DimAxes) -> Move:
        sizes = self.mesh.axis_sizes
        if isinstance(step, AllGather):
            axes = tuple(axis for listed in step.axes for axis in listed)
            return Move("all_gather", _names(axes), product(axes, sizes), self._share(shape, now))
        if isinstance(step, AllToAll):
            return Move("all_to_all", _names(step.axes), product(step.axes, sizes), self._share(shape, now))
        if isinstance(step, AllSlice):
            return Move("all_slice", (), 1, self._share(shape, step.after))
        changed = [pair for pair in zip(now, step.after, strict=True) if pair[0] != pair[1]]
        axes = [axis for pair in changed for listed in pair for axis in listed]
        return Move("collective_permute", _names(axes), 2, self._share(shape, now))

    def _share(self, shape: tuple[int, ...], axes: DimAxes) -> float:
        """The part of a tensor that a device has, dimensions rounded up."""
        counts = shard_counts(axes, self.mesh.axis_sizes)
        pairs = zip(shape, counts, strict=True)
        return math.prod(-(-size // count) / size for size, count in pairs if size)


def _names(axes: Iterable) -> tuple[str, ...]:
    return tuple(dict.fromkeys(axis.name for axis in axes))
