"""The search for the steps of a reshard: slice, permute, move, gather, in rounds (spec: collectives, 1.2 to 1.8).

An axis here is an exact reference: two references are the same axis only if they are equal, which aligning source and
target first makes enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, align, append_or_merge, gather, merged, product
from sdy.passes.partitioning.reshard_planning.reshard_steps import (
    AllGather,
    AllSlice,
    AllToAll,
    CollectivePermute,
    CollectiveStep,
    DimAxes,
)


class _GatherError(Exception):
    """Axes to be gathered are not the minor ones of their dimension."""


def fit(axis: AxisRef, capacity: int, sizes: AxisSizes) -> tuple[AxisRef, AxisRef | None, int] | None:
    """The part of `axis` that makes at most `capacity` shards, the rest of it, and the capacity left; or None."""
    size = axis.size(sizes)
    if capacity <= 1 or (size % capacity and capacity % size):
        return None
    if capacity >= size:
        return axis, None, capacity // size
    part = AxisRef.sub(axis.name, axis.pre_size, capacity)
    return part, AxisRef.sub(axis.name, axis.pre_size * capacity, size // capacity), 1


class Search:
    """The state of the search and its moves, named as in the spec's table (collectives, 1.2)."""

    def __init__(
        self, source: DimAxes, target: DimAxes, shape: Sequence[int], sizes: AxisSizes, changes_mesh: bool
    ) -> None:
        self.sizes = sizes
        self.shape = shape
        self.steps: list[CollectiveStep] = []
        self.changes_mesh = changes_mesh
        """Whether the mesh still has to be changed."""
        self.rank = len(source)
        self.current = [list(axis_list) for axis_list in source]
        self.ins = align(source, [a for axis_list in target for a in axis_list], sizes)
        self.outs = align(target, [a for axis_list in source for a in axis_list], sizes)
        self.held: list[list[AxisRef] | None] = [None] * self.rank
        self.capacity = [1] * self.rank
        for dim in range(self.rank):
            self._split_off_final(dim)
        self.in_set = {axis: None for axis_list in self.ins for axis in axis_list}
        self._find_targets()

    def _split_off_final(self, dim: int) -> None:
        """Drops what source and target start with, unless the two need different padding (1.3)."""
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

    def run(self) -> None:
        """Up to three rounds of all moves; `is_done` tells whether that was enough."""
        for _ in range(3):
            if self.is_done:
                return
            try:
                self._all_slice()
                self._collective_permute()
                self._all_to_all(in_order=True)
                self._all_to_all(in_order=False)
                self._all_gather()
            except _GatherError:
                return

    @property
    def is_done(self) -> bool:
        return not (self.changes_mesh or any(self.ins) or any(self.outs) or any(h is not None for h in self.held))

    # Shared by the moves -------------------------------------------------------------------------

    def _find_targets(self) -> None:
        """Rebuilds `where`: axis -> (dimension, position in the target of that dimension)."""
        self.where: dict[AxisRef, tuple[int, int]] = {}
        for dim, outs in enumerate(self.outs):
            for position, axis in enumerate(outs):
                self.where.setdefault(axis, (dim, position))

    def _release(self) -> None:
        """Gives held dimensions that have become unsharded their target back."""
        for dim, outs in enumerate(self.held):
            if outs is not None and not self.current[dim]:
                self.outs[dim] = outs
                self.held[dim] = None
                self._find_targets()

    def _current(self) -> DimAxes:
        return tuple(tuple(axis_list) for axis_list in self.current)

    def _gather(self, dim: int, removed: Sequence[AxisRef]) -> None:
        left = gather(self.current[dim], removed, self.sizes)
        if left is None:
            raise _GatherError
        self.current[dim] = list(left)

    def _add_in(self, dim: int, axis: AxisRef, position: int) -> None:
        self.ins[dim].insert(position, axis)
        self.in_set[axis] = None

    def _distribute(
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
                self._add_in(dim, part, at)
                at += 1
                taken(dim, part)
                if rest is not None:
                    pool.insert(0, rest)
                    cuts.append(part)
        if cuts:
            self.outs = align(self.outs, cuts, self.sizes)

    # all_slice (1.5) -----------------------------------------------------------------------------

    def _all_slice(self) -> None:
        slices: list[list[AxisRef]] = [[] for _ in range(self.rank)]

        def take(dim: int, axis: AxisRef) -> None:
            append_or_merge(slices[dim], axis, self.sizes)
            append_or_merge(self.current[dim], axis, self.sizes)

        for dim in range(self.rank):
            wanted = product(self.outs[dim], self.sizes)
            self.capacity[dim] = wanted // math.gcd(product(self.ins[dim], self.sizes), wanted)
        for dim in range(self.rank):
            self._slice_in_advance(dim, take)
        pool: list[AxisRef] = []
        for dim in range(self.rank):
            self._slice_own_axes(dim, pool, take)
        self._distribute(False, [pool] * self.rank, take)
        self._find_targets()
        if any(slices):
            self.steps.append(AllSlice(self._current(), not self.changes_mesh, tuple(map(tuple, slices))))

    def _slice_in_advance(self, source: int, take: Callable[[int, AxisRef], None]) -> None:
        """Slices a dimension by axes that can then move on together with those it already has."""
        ins = self.ins[source]
        if not ins or self.outs[source] or self.held[source] is not None or ins[-1] not in self.where:
            return
        target, position = self.where[ins[-1]]
        outs = self.outs[target]
        if self.ins[target]:
            return
        extra: list[AxisRef] = []
        for axis in outs[position + 1 :]:
            if axis in self.in_set:
                break
            extra.append(axis)
        if not extra:
            return
        common = 0
        while common < len(ins) and common <= position and ins[-1 - common] == outs[position - common]:
            common += 1
        if any(axis in self.where and self.where[axis][0] == target for axis in ins[: len(ins) - common]):
            return
        if self.shape[source] % (product(self.current[source], self.sizes) * product(extra, self.sizes)):
            return
        self.capacity[target] //= product([*ins[len(ins) - common :], *extra], self.sizes)
        for axis in extra:
            self._add_in(source, axis, len(ins))
            take(source, axis)

    def _slice_own_axes(self, dim: int, pool: list[AxisRef], take: Callable[[int, AxisRef], None]) -> None:
        """Slices a dimension by its own target axes as far as they fit; the others go to the pool."""
        outs = self.outs[dim]
        position = 0
        while position < len(outs):
            axis = outs[position]
            if axis in self.in_set:
                position += 1
                continue
            fitted = fit(axis, self.capacity[dim], self.sizes)
            if fitted is None:
                pool.append(axis)
                position += 1
                continue
            part, rest, self.capacity[dim] = fitted
            take(dim, part)
            if not self.ins[dim] and position == 0:
                del outs[0]
            else:
                self._add_in(dim, part, len(self.ins[dim]))
                outs[position] = part
                position += 1
            if rest is not None:
                outs.insert(position, rest)
                pool.append(rest)
                position += 1

    # collective_permute (1.6) --------------------------------------------------------------------

    def _collective_permute(self) -> None:
        if all(h is None for h in self.held) and self._wants_permute():
            self._permute_axes()
        elif not self.changes_mesh:
            return
        self.changes_mesh = False
        self.steps.append(CollectivePermute(self._current(), True))

    def _wants_permute(self) -> bool:
        """Whether reordering axes, at equal shard counts, brings the search on."""
        lone_in: AxisRef | None = None
        lone_out: AxisRef | None = None
        for dim in range(self.rank):
            ins, outs = self.ins[dim], self.outs[dim]
            if ins and outs and self._divides(ins[0], outs[0]):
                return True
            for axis in outs:
                if axis not in self.in_set:
                    lone_out = axis
            seen: set[int] = set()
            previous: int | None = None
            previous_position = 0
            for axis in ins:
                target: int | None = None
                if axis in self.where:
                    target, position = self.where[axis]
                    follows = previous == target and position == previous_position + 1
                    if (target == dim or target in seen) and not follows:
                        return True
                    seen.add(target)
                    previous_position = position
                elif previous is not None and not outs:
                    return True
                else:
                    lone_in = axis
                previous = target
        return lone_in is not None and lone_out is not None and self._divides(lone_in, lone_out)

    def _divides(self, first: AxisRef, second: AxisRef) -> bool:
        a, b = first.size(self.sizes), second.size(self.sizes)
        return a % b == 0 or b % a == 0

    def _permute_axes(self) -> None:
        """Refills every dimension to its shard count: own target, other targets, own source, other sources."""
        self.in_set.clear()
        out_pool: list[AxisRef] = []
        in_pools = [self._unload(dim, out_pool) for dim in range(self.rank)]
        self._distribute(False, [out_pool] * self.rank)
        self._distribute(True, in_pools)
        self._distribute(True, [[axis for pool in in_pools for axis in pool]] * self.rank)
        self._find_targets()
        for dim in range(self.rank):
            for axis in self.ins[dim]:
                append_or_merge(self.current[dim], axis, self.sizes)

    def _unload(self, dim: int, out_pool: list[AxisRef]) -> list[AxisRef]:
        """Takes the axes of `ins` off a dimension and fills in its final ones; returns those that may come back."""
        ins, outs = self.ins[dim], self.outs[dim]
        self.capacity[dim] = used = product(ins, self.sizes)
        self._gather(dim, ins)
        while self.capacity[dim] > 1 and outs:
            fitted = fit(outs[0], self.capacity[dim], self.sizes)
            if fitted is None:
                break
            part, rest, self.capacity[dim] = fitted
            del outs[0]
            append_or_merge(self.current[dim], part, self.sizes)
            if rest is not None:
                outs.insert(0, rest)
        out_pool += outs
        used //= self.capacity[dim]
        left = [axis for axis in ins if axis not in self.where]
        displaced: list[AxisRef] = []
        while left:
            fitted = fit(left[0], used, self.sizes)
            if fitted is None:
                break
            part, rest, used = fitted
            displaced.append(part)
            left[:1] = [] if rest is None else [rest]
        self.ins[dim] = []
        return left + displaced

    # all_to_all (1.7) ----------------------------------------------------------------------------

    def _all_to_all(self, in_order: bool) -> None:
        for source in range(self.rank):
            while self._move_suffix(source, in_order):
                pass

    def _move_suffix(self, source: int, in_order: bool) -> bool:
        """Moves the last axes of a dimension that share a target dimension; False if there is nothing to move."""
        ins = self.ins[source]
        count, target = 0, source
        for axis in reversed(ins):
            goal = self.where.get(axis)
            if goal is None or goal[0] == source or (count and goal[0] != target):
                break
            target = goal[0]
            count += 1
        if not count or (self.held[source] is not None and count < len(ins)):
            return False
        moved = ins[len(ins) - count :]
        if in_order and moved != self.outs[target][:count]:
            return False
        self._gather(source, moved)
        del ins[len(ins) - count :]
        for axis in moved:
            append_or_merge(self.current[target], axis, self.sizes)
            self.in_set.pop(axis, None)
            if not self.ins[target] and self.outs[target][:1] == [axis]:
                del self.outs[target][0]
            else:
                self._add_in(target, axis, len(self.ins[target]))
        axis_list = merged(moved, self.sizes)
        self.steps.append(AllToAll(self._current(), not self.changes_mesh, axis_list, source, target))
        self._release()
        return True

    # all_gather (1.8) ----------------------------------------------------------------------------

    def _all_gather(self) -> None:
        gathered: list[AxisList] = []
        for dim in range(self.rank):
            ins = self.ins[dim]
            keep = len(ins)
            while keep and (self.held[dim] is not None or ins[keep - 1] not in self.where):
                keep -= 1
            removed = ins[keep:]
            del ins[keep:]
            for axis in removed:
                self.in_set.pop(axis, None)
            self._gather(dim, removed)
            gathered.append(merged(removed, self.sizes))
        if any(gathered):
            self.steps.append(AllGather(self._current(), not self.changes_mesh, tuple(gathered)))
        self._release()
