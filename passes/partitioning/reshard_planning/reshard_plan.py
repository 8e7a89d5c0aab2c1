"""The plan of a reshard: the effect of each collective on the axes of the dimensions (spec: collectives, 1.1).

Works on axes per dimension alone, without MLIR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, align, gather, product
from sdy.lazy_dataclass import dataclass

DimAxes = tuple[AxisList, ...]
"""Axes of every dimension of a tensor."""


@dataclass(frozen=True, slots=True)
class CollectiveStep:
    """One collective. `after` is the resulting sharding, on the mesh of the target if `on_target_mesh`."""

    after: DimAxes
    on_target_mesh: bool


@dataclass(frozen=True, slots=True)
class AllSlice(CollectiveStep):
    """Every device keeps its part along `axes[d]` of dimension d."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllGather(CollectiveStep):
    """The parts along `axes[d]` of dimension d are put together."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllToAll(CollectiveStep):
    """`axes` stop sharding dimension `source` and shard dimension `target` further."""

    axes: AxisList
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class CollectivePermute(CollectiveStep):
    """Every device sends its whole part to one other device; shard counts per dimension stay."""


Plan = tuple[CollectiveStep, ...]


def shard_counts(axes_per_dim: Iterable[Sequence[AxisRef]], sizes: AxisSizes) -> tuple[int, ...]:
    """Number of shards of every dimension."""
    return tuple(product(axis_list, sizes) for axis_list in axes_per_dim)


class GatherError(Exception):
    """Axes to be gathered are not the minor ones of their dimension."""


def fit(axis: AxisRef, capacity: int, sizes: AxisSizes) -> tuple[AxisRef, AxisRef | None, int] | None:
    """Return the part of `axis` that makes at most `capacity` shards, the rest of it, and the remaining capacity.

    Or None.
    """
    size = axis.size(sizes)
    if capacity <= 1 or (size % capacity and capacity % size):
        return None
    if capacity >= size:
        return axis, None, capacity // size
    part = AxisRef.sub(axis.name, axis.pre_size, capacity)
    return part, AxisRef.sub(axis.name, axis.pre_size * capacity, size // capacity), 1


class SearchState:
    """State of the search by dimension; names as in the spec's table (collectives, 1.2).

    Between two moves holds, up to the merging of neighbouring sub-axes:

    - `current[d]`, the axes that shard dimension d now, are those that are final followed by `ins[d]`;
    - the target of dimension d are those that are final followed by `outs[d]`; or by `held[d]`, if now and then differ
      in their padding: then `outs[d]` is empty until the dimension is not sharded any more;
    - `in_set` are all axes of `ins`; `where` tells of each axis of `outs` its dimension and, as of the last
      `find_targets`, its place there.

    `capacity[d]` is used within a move: the number of shards by which the dimension may still be cut. `steps` lead from
    the source to `current`, on the mesh of the target unless `changes_mesh`, which tells that the mesh still has to be
    changed.
    """

    def __init__(
        self, source: DimAxes, target: DimAxes, shape: Sequence[int], sizes: AxisSizes, changes_mesh: bool
    ) -> None:
        self.sizes = sizes
        self.shape = shape
        self.steps: list[CollectiveStep] = []
        self.changes_mesh = changes_mesh
        self.rank = len(source)
        self.current = [list(axis_list) for axis_list in source]
        self.ins = align(source, [a for axis_list in target for a in axis_list], sizes)
        self.outs = align(target, [a for axis_list in source for a in axis_list], sizes)
        self.held: list[list[AxisRef] | None] = [None] * self.rank
        self.capacity = [1] * self.rank
        for dim in range(self.rank):
            self._split_off_final(dim)
        self.in_set = {axis: None for axis_list in self.ins for axis in axis_list}
        self.find_targets()

    def _split_off_final(self, dim: int) -> None:
        """Drop the common prefix of source and target, unless the two need different padding (1.3)."""
        ins, outs = self.ins[dim], self.outs[dim]
        shards_in, shards_out = product(ins, self.sizes), product(outs, self.sizes)
        size, both_shard = self.shape[dim], shards_in > 1 and shards_out > 1
        if both_shard and size >= 0 and -(-size // shards_in) * shards_in != -(-size // shards_out) * shards_out:
            self.held[dim] = outs
            self.outs[dim] = []
            return
        same = 0
        while same < len(ins) and same < len(outs) and ins[same] == outs[same]:
            same += 1
        del ins[:same]
        del outs[:same]

    @property
    def is_done(self) -> bool:
        return not (self.changes_mesh or any(self.ins) or any(self.outs) or any(h is not None for h in self.held))

    def find_targets(self) -> None:
        """Rebuilds `where`: axis -> (dimension, position in the target of that dimension)."""
        self.where: dict[AxisRef, tuple[int, int]] = {}
        for dim, outs in enumerate(self.outs):
            for position, axis in enumerate(outs):
                self.where.setdefault(axis, (dim, position))

    def release(self) -> None:
        """Gives held dimensions that have become unsharded their target back."""
        for dim, outs in enumerate(self.held):
            if outs is not None and not self.current[dim]:
                self.outs[dim] = outs
                self.held[dim] = None
                self.find_targets()

    @property
    def axes(self) -> DimAxes:
        """The axes that shard the dimensions now."""
        return tuple(tuple(axis_list) for axis_list in self.current)

    def gather(self, dim: int, removed: Sequence[AxisRef]) -> None:
        """Remove the axes `removed` from a dimension. `GatherError` unless they are its minor ones."""
        left = gather(self.current[dim], removed, self.sizes)
        if left is None:
            raise GatherError
        self.current[dim] = list(left)

    def add_in(self, dim: int, axis: AxisRef, position: int) -> None:
        """Add an axis to the axes of a dimension that are not final."""
        self.ins[dim].insert(position, axis)
        self.in_set[axis] = None

    def distribute(
        self,
        front: bool,
        pools: Sequence[list[AxisRef]],
        taken: Callable[[int, AxisRef], None] = lambda dim, axis: None,
    ) -> None:
        """Fills the capacity of each dimension from its pool, at the front or the back of `ins`."""
        cuts: list[AxisRef] = []
        for dim, pool in enumerate(pools):
            at = 0 if front else len(self.ins[dim])
            index = 0
            while index < len(pool) and self.capacity[dim] > 1:
                fitted = fit(pool[index], self.capacity[dim], self.sizes)
                if fitted is None:
                    index += 1
                    continue
                part, rest, self.capacity[dim] = fitted
                del pool[index]
                self.add_in(dim, part, at)
                at += 1
                taken(dim, part)
                if rest is not None:
                    pool.insert(0, rest)
                    cuts.append(part)
        if cuts:
            self.outs = align(self.outs, cuts, self.sizes)
