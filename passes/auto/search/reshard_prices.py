"""What it costs to move a tensor from one layout to another: the steps that the partitioner takes, one by one.

A layout says by which axes of the mesh each dimension is sharded. The steps depend on the two layouts and on which
counts of shards divide the dimensions; what they cost grows with the bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sdy.dialect.ir_builders.local_collectives import permute_pairs
from sdy.dialect.values.axes import AxisList, AxisRef, product
from sdy.dialect.values.lists import AllToAllParam
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.costs.machine import Machine, moved_bytes
from sdy.passes.costs.program_collectives import permuted_axes
from sdy.passes.partitioning.reshard_planning import reshard_plan
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes, shard_counts
from sdy.passes.partitioning.reshard_planning.reshard_search import plan_reshard
from sdy.passes.partitioning.resharding.permute_by_reshape import reordered_dim, split_by_axes


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
        # Dimensions that stay whole have no part in it. Of the others only what divides them matters, and no count of
        # shards exceeds that of the devices.
        rows = [row for row in zip(shape, have, want, strict=True) if row[1] or row[2]]
        sizes, have, want = (tuple(column) for column in zip(*rows, strict=True))
        common = tuple(math.gcd(size, self.mesh.size) for size in sizes)
        is_even = self._divides(common, have) and self._divides(common, want)
        key = (common if is_even else sizes, have, want)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = self._planned(sizes, have, want)
        return found

    def seconds(self, shape: Iterable[int], size: float, have: DimAxes, want: DimAxes, hidden: float = 0.0) -> float:
        """What a reshard of a tensor of `size` bytes altogether takes, less the part `hidden` of what is sent."""
        moves = ((move, self.move_seconds(move, size)) for move in self.moves(shape, have, want))
        return sum(seconds if move.kind == "all_slice" else (1 - hidden) * seconds for move, seconds in moves)

    def stored_seconds(self, shape: tuple[int, ...], size: float, have: DimAxes, want: DimAxes) -> float:
        """What it takes besides if the tensor is computed where it is used: what is sent is written, and read again."""
        if not any(move.axes for move in self.moves(shape, have, want)):
            return 0.0
        written, read = (size * self.share(shape, layout) for layout in (have, want))
        return self.machine.memory_seconds(written) + read / self.machine.memory_bandwidth

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
        return sum(
            self.machine.collective_seconds(kind, product(over, self.mesh.axis_sizes), bytes_, _names(over))
            for kind, over, bytes_ in self._reduction(axes, scattered, size)
        )

    def reduce_bytes(self, axes: AxisList, scattered: AxisList, size: float) -> float:
        """What each device sends for that."""
        return sum(
            moved_bytes(kind, product(over, self.mesh.axis_sizes), bytes_)
            for kind, over, bytes_ in self._reduction(axes, scattered, size)
        )

    def _reduction(self, axes: AxisList, scattered: AxisList, size: float) -> Iterator[tuple[str, AxisList, float]]:
        """The collectives: kind, axes, bytes that each device puts in."""
        if scattered:
            yield "reduce_scatter", scattered, size
            size /= product(scattered, self.mesh.axis_sizes)
        rest = tuple(axis for axis in axes if axis not in scattered)
        if rest:
            yield "all_reduce", rest, size

    def _divides(self, shape: tuple[int, ...], axes: DimAxes) -> bool:
        counts = shard_counts(axes, self.mesh.axis_sizes)
        return not any(size % count for size, count in zip(shape, counts, strict=True))

    def _planned(self, shape: tuple[int, ...], have: DimAxes, want: DimAxes) -> tuple[Move, ...]:
        now, found = have, []
        steps = list(plan_reshard(have, want, shape, self.mesh))
        while steps:
            spared = self._spared_permute(shape, now, steps)
            if spared is None:
                found.append(self._move(steps[0], shape, now))
                now = steps.pop(0).after
            else:
                moves, count = spared
                found += moves
                now = steps[count - 1].after
                del steps[:count]
        return tuple(found)

    def _spared_permute(
        self, shape: tuple[int, ...], now: DimAxes, steps: list[reshard_plan.CollectiveStep]
    ) -> tuple[list[Move], int] | None:
        """What `sdy-optimize-collectives` makes of the first steps, and of how many; None if it leaves them."""
        sizes = self.mesh.axis_sizes
        if not isinstance(steps[0], reshard_plan.CollectivePermute) or len(steps) < 2:
            return None
        source, permuted = (TensorSharding.from_axes(self.mesh, axes) for axes in (now, steps[0].after))
        dim = reordered_dim(source, permuted, sizes)
        chain: list[reshard_plan.AllToAll] = []
        for step in steps[1:]:
            if not isinstance(step, reshard_plan.AllToAll) or step.source != dim:
                break
            chain.append(step)
        if dim is None or not chain:
            return None
        params = [AllToAllParam(step.axes, step.source, step.target) for step in chain]
        final = TensorSharding.from_axes(self.mesh, chain[-1].after)
        split = split_by_axes(source, permuted, params, final, shape, sizes)
        if split is None:
            return None
        share = self.share(shape, now)
        moved = [param.axes for stage in split.stages for param in stage.params]
        return [Move("all_to_all", _names(axes), product(axes, sizes), share) for axes in moved], 1 + len(chain)

    def _move(self, step: reshard_plan.CollectiveStep, shape: tuple[int, ...], now: DimAxes) -> Move:
        sizes = self.mesh.axis_sizes
        if isinstance(step, reshard_plan.AllGather):
            axes = tuple(axis for listed in step.axes for axis in listed)
            return Move("all_gather", _names(axes), product(axes, sizes), self.share(shape, now))
        if isinstance(step, reshard_plan.AllToAll):
            return Move("all_to_all", _names(step.axes), product(step.axes, sizes), self.share(shape, now))
        if isinstance(step, reshard_plan.AllSlice):
            return Move("all_slice", (), 1, self.share(shape, step.after))
        source, target = (TensorSharding.from_axes(self.mesh, axes) for axes in (now, step.after))
        pairs = permute_pairs(source, self.mesh, target, self.mesh).tolist()
        axes = permuted_axes(self.mesh, tuple(map(tuple, pairs)))
        return Move("collective_permute", _names(axes), 2, self.share(shape, now))

    def share(self, shape: tuple[int, ...], axes: DimAxes) -> float:
        """The part of a tensor that a device has, dimensions rounded up."""
        counts = shard_counts(axes, self.mesh.axis_sizes)
        pairs = zip(shape, counts, strict=True)
        return math.prod(-(-size // count) / size for size, count in pairs if size)


def _names(axes: Iterable[AxisRef]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(axis.name for axis in axes))
