"""Search for the steps between two shardings, and the fallback where it fails.

Each round slices, permutes, moves and gathers (spec: collectives, 1.2 to 1.8, 6). Works on axes per dimension alone,
without MLIR.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.ops.reshape import groups_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import (
    AxisList,
    AxisRef,
    AxisSizes,
    align,
    any_overlap,
    append_or_merge,
    common_prefix,
    difference,
    merged,
    product,
)
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.tensor_types import MOST_ELEMENTS, bits, with_shape
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.intervals import Access, Halo
from sdy.passes.partitioning.reshard_planning.reshard_plan import (
    AllGather,
    AllSlice,
    AllToAll,
    AllToAlls,
    CollectivePermute,
    CollectiveStep,
    DimAxes,
    GatherError,
    Plan,
    SearchState,
    fit,
    shard_counts,
)


def move_to_other_dimensions(state: SearchState, in_order: bool) -> None:
    """Make all_to_alls of trailing axes that belong to another dimension; `in_order`: only as its next ones."""
    for source in range(state.rank):
        while _move_suffix(state, source, in_order):
            pass


def _move_suffix(state: SearchState, source: int, in_order: bool) -> bool:
    """Moves the last axes of a dimension that share a target dimension; False if there is nothing to move."""
    ins = state.ins[source]
    count, target = 0, source
    for axis in reversed(ins):
        goal = state.where.get(axis)
        if goal is None or goal[0] == source or (count and goal[0] != target):
            break
        target = goal[0]
        count += 1
    if not count or (state.held[source] is not None and count < len(ins)):
        return False
    moved = ins[len(ins) - count :]
    if in_order and moved != state.outs[target][:count]:
        return False
    state.gather(source, moved)
    del ins[len(ins) - count :]
    for axis in moved:
        append_or_merge(state.current[target], axis, state.sizes)
        state.in_set.pop(axis, None)
        if not state.ins[target] and state.outs[target][:1] == [axis]:
            del state.outs[target][0]
        else:
            state.add_in(target, axis, len(state.ins[target]))
    axis_list = merged(moved, state.sizes)
    state.steps.append(AllToAll(state.axes, not state.changes_mesh, axis_list, source, target))
    state.release()
    return True


def slice_free_axes(state: SearchState) -> None:
    """Slice dimensions by target axes that no dimension has, in at most one all_slice."""
    slices: list[list[AxisRef]] = [[] for _ in range(state.rank)]

    def take(dim: int, axis: AxisRef) -> None:
        append_or_merge(slices[dim], axis, state.sizes)
        append_or_merge(state.current[dim], axis, state.sizes)

    for dim in range(state.rank):
        wanted = product(state.outs[dim], state.sizes)
        state.capacity[dim] = wanted // math.gcd(product(state.ins[dim], state.sizes), wanted)
    for dim in range(state.rank):
        _slice_in_advance(state, dim, take)
    pool: list[AxisRef] = []
    for dim in range(state.rank):
        _slice_own_axes(state, dim, pool, take)
    state.distribute(False, [pool] * state.rank, take)
    state.find_targets()
    if any(slices):
        state.steps.append(AllSlice(state.axes, not state.changes_mesh, tuple(map(tuple, slices))))


def _slice_in_advance(state: SearchState, source: int, take: Callable[[int, AxisRef], None]) -> None:
    """Slice a dimension by axes that can later move together with its present ones."""
    ins = state.ins[source]
    if not ins or state.outs[source] or state.held[source] is not None or ins[-1] not in state.where:
        return
    target, position = state.where[ins[-1]]
    outs = state.outs[target]
    if state.ins[target]:
        return
    extra: list[AxisRef] = []
    for axis in outs[position + 1 :]:
        if axis in state.in_set:
            break
        extra.append(axis)
    if not extra:
        return
    common = 0
    while common < len(ins) and common <= position and ins[-1 - common] == outs[position - common]:
        common += 1
    if any(axis in state.where and state.where[axis][0] == target for axis in ins[: len(ins) - common]):
        return
    if state.shape[source] % (product(state.current[source], state.sizes) * product(extra, state.sizes)):
        return
    state.capacity[target] //= product([*ins[len(ins) - common :], *extra], state.sizes)
    for axis in extra:
        state.add_in(source, axis, len(ins))
        take(source, axis)


def _slice_own_axes(state: SearchState, dim: int, pool: list[AxisRef], take: Callable[[int, AxisRef], None]) -> None:
    """Slice a dimension by its own target axes as far as they fit; the others go to the pool."""
    outs = state.outs[dim]
    position = 0
    while position < len(outs):
        axis = outs[position]
        if axis in state.in_set:
            position += 1
            continue
        fitted = fit(axis, state.capacity[dim], state.sizes)
        if fitted is None:
            pool.append(axis)
            position += 1
            continue
        part, rest, state.capacity[dim] = fitted
        take(dim, part)
        if not state.ins[dim] and position == 0:
            del outs[0]
        else:
            state.add_in(dim, part, len(state.ins[dim]))
            outs[position] = part
            position += 1
        if rest is not None:
            outs.insert(position, rest)
            pool.append(rest)
            position += 1


def permute(state: SearchState) -> None:
    """Reorder axes, and change the mesh, in one collective_permute if either is needed."""
    if all(h is None for h in state.held) and _wants_permute(state):
        _permute_axes(state)
    elif not state.changes_mesh:
        return
    state.changes_mesh = False
    state.steps.append(CollectivePermute(state.axes, True))


def _wants_permute(state: SearchState) -> bool:
    """Return whether reordering axes, at equal shard counts, advances the search."""
    lone_in: AxisRef | None = None
    lone_out: AxisRef | None = None
    for dim in range(state.rank):
        ins, outs = state.ins[dim], state.outs[dim]
        if ins and outs and _divides(state, ins[0], outs[0]):
            return True
        for axis in outs:
            if axis not in state.in_set:
                lone_out = axis
        seen: set[int] = set()
        previous: int | None = None
        previous_position = 0
        for axis in ins:
            target: int | None = None
            if axis in state.where:
                target, position = state.where[axis]
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
    return lone_in is not None and lone_out is not None and _divides(state, lone_in, lone_out)


def _divides(state: SearchState, first: AxisRef, second: AxisRef) -> bool:
    a, b = first.size(state.sizes), second.size(state.sizes)
    return a % b == 0 or b % a == 0


def _permute_axes(state: SearchState) -> None:
    """Refills every dimension to its shard count: own target, other targets, own source, other sources."""
    state.in_set.clear()
    out_pool: list[AxisRef] = []
    in_pools = [_unload(state, dim, out_pool) for dim in range(state.rank)]
    state.distribute(False, [out_pool] * state.rank)
    state.distribute(True, in_pools)
    state.distribute(True, [[axis for pool in in_pools for axis in pool]] * state.rank)
    state.find_targets()
    for dim in range(state.rank):
        for axis in state.ins[dim]:
            append_or_merge(state.current[dim], axis, state.sizes)


def _unload(state: SearchState, dim: int, out_pool: list[AxisRef]) -> list[AxisRef]:
    """Remove the axes of `ins` from a dimension and add its final ones; return axes that may come back."""
    ins, outs = state.ins[dim], state.outs[dim]
    state.capacity[dim] = used = product(ins, state.sizes)
    state.gather(dim, ins)
    while state.capacity[dim] > 1 and outs:
        fitted = fit(outs[0], state.capacity[dim], state.sizes)
        if fitted is None:
            break
        part, rest, state.capacity[dim] = fitted
        del outs[0]
        append_or_merge(state.current[dim], part, state.sizes)
        if rest is not None:
            outs.insert(0, rest)
    out_pool += outs
    used //= state.capacity[dim]
    left = [axis for axis in ins if axis not in state.where]
    displaced: list[AxisRef] = []
    while left:
        fitted = fit(left[0], used, state.sizes)
        if fitted is None:
            break
        part, rest, used = fitted
        displaced.append(part)
        left[:1] = [] if rest is None else [rest]
    state.ins[dim] = []
    return left + displaced


def gather_the_rest(state: SearchState) -> None:
    """Gather by one all_gather the trailing axes that no target needs."""
    gathered: list[AxisList] = []
    for dim in range(state.rank):
        ins = state.ins[dim]
        keep = len(ins)
        while keep and (state.held[dim] is not None or ins[keep - 1] not in state.where):
            keep -= 1
        removed = ins[keep:]
        del ins[keep:]
        for axis in removed:
            state.in_set.pop(axis, None)
        state.gather(dim, removed)
        gathered.append(merged(removed, state.sizes))
    if any(gathered):
        state.steps.append(AllGather(state.axes, not state.changes_mesh, tuple(gathered)))
    state.release()


_ROUNDS = 3


@lru_cache(maxsize=8192)
def plan_reshard(
    source: DimAxes,
    target: DimAxes,
    shape: tuple[int, ...],
    mesh: Mesh,
    *,
    changes_mesh: bool = False,
    unreduced: AxisList = (),
) -> Plan:
    """Return the steps that reshard a tensor of `shape` from the axes `source` to the axes `target`.

    `mesh` gives the axis sizes. With `changes_mesh` the target is on another mesh, one that differs in its device order
    only. `unreduced` axes are in use during every step and cannot shard a dimension. `DYNAMIC` is the size of a dynamic
    dimension.

    If the step-by-step search does not reach the target, the tensor is gathered and sliced for the rest.
    """
    search = SearchState(source, target, shape, mesh.axis_sizes, changes_mesh)
    _run(search)
    steps: list[CollectiveStep] = []
    current = source
    for step in search.steps:
        if not _is_sound(step, current, mesh, unreduced):
            break
        steps.append(step)
        current = step.after
    else:
        if current == target if search.is_done else _without_trivial(current, mesh) == _without_trivial(target, mesh):
            return tuple(steps)
    start = CollectiveStep(source, not changes_mesh)
    while steps and not _helps(steps[-1], steps[-2] if len(steps) > 1 else start, target, mesh.axis_sizes):
        steps.pop()
    return (*steps, *_gather_then_slice(steps[-1] if steps else start, target, mesh.axis_sizes))


def _run(state: SearchState) -> None:
    """Run all moves in rounds until `is_done` of the state, or the limit of rounds."""
    for _ in range(_ROUNDS):
        if state.is_done:
            return
        try:
            slice_free_axes(state)
            permute(state)
            move_to_other_dimensions(state, in_order=True)
            move_to_other_dimensions(state, in_order=False)
            gather_the_rest(state)
        except GatherError:
            return


def _without_trivial(axes: DimAxes, mesh: Mesh) -> DimAxes:
    """Return the axes without those of size 1, which place no data."""
    return tuple(tuple(axis for axis in dim if axis.size(mesh.axis_sizes) > 1) for dim in axes)


def _is_sound(step: CollectiveStep, before: DimAxes, mesh: Mesh, unreduced: AxisList) -> bool:
    """Return whether `step` gives a valid sharding of the axes `before`, and a permute keeps the shard counts."""
    if isinstance(step, CollectivePermute):
        pairs = zip(before, step.after, strict=True)
        if any(product(old, mesh.axis_sizes) != product(new, mesh.axis_sizes) for old, new in pairs):
            return False
    used = [axis for axis_list in step.after for axis in axis_list]
    return not (unreduced and _any_clash([*used, *unreduced])) and not _any_clash(used)


def _any_clash(axis_list: Sequence[AxisRef]) -> bool:
    """Return whether two axes of the list share digits, or split an axis by incompatible bases."""
    pairs = ((a, b) for i, a in enumerate(axis_list) for b in axis_list[i + 1 :])
    return any(a.overlaps(b) or not a.can_coexist(b) for a, b in pairs)


def _kept(axes: DimAxes, target: DimAxes) -> DimAxes:
    """The axes that need not be gathered on the way to `target`."""
    return tuple(common_prefix(now, then) for now, then in zip(axes, target, strict=True))


def _helps(last: CollectiveStep, before: CollectiveStep, target: DimAxes, sizes: AxisSizes) -> bool:
    """Return whether a gather of all that is not final yet gets cheaper by the step `last`."""
    if isinstance(last, (AllToAll, AllGather)):
        return True
    shards = [math.prod(shard_counts(_kept(step.after, target), sizes)) for step in (last, before)]
    return shards[0] > shards[1]


def _gather_then_slice(done: CollectiveStep, target: DimAxes, sizes: AxisSizes) -> list[CollectiveStep]:
    """Return steps from the end of `done` to `target` by way of the axes that both start with."""
    kept = _kept(done.after, target)
    gathered = tuple(difference(now, keep, sizes) for now, keep in zip(done.after, kept, strict=True))
    sliced = tuple(difference(then, keep, sizes) for then, keep in zip(target, kept, strict=True))
    steps: list[CollectiveStep] = []
    if any(gathered):
        steps.append(AllGather(kept, done.on_target_mesh, gathered))
    if any(sliced):
        steps.append(AllSlice(target, done.on_target_mesh, sliced))
    if not done.on_target_mesh:
        steps.append(CollectivePermute(target, True))
    return steps


_WORTHWHILE = 0.95
"""A sharding in between takes more collectives, for which it has to send 5 % fewer bytes."""


@lru_cache(maxsize=8192)
def cheapest_plan(
    source: DimAxes, target: DimAxes, shape: tuple[int, ...], mesh: Mesh, unreduced: AxisList = ()
) -> Plan:
    """Return the plan that sends the fewest bytes: `plan_reshard`, or two such plans by a sharding in between.

    A sharding in between is one collective away from `source` or from `target`.
    """
    direct, sizes = plan_reshard(source, target, shape, mesh, unreduced=unreduced), mesh.axis_sizes
    if all(isinstance(step, AllSlice) for step in direct[:-1]) or min(shape) < 0:
        return direct
    have, want = _Parts.of(source, shape, sizes), _Parts.of(target, shape, sizes)
    best, fewest = direct, _WORTHWHILE * sent_elements(direct, source, shape, mesh)
    if fewest <= _lacked(source, target, have, want, shape, mesh):
        return direct
    for between in dict.fromkeys((*_neighbours(source, target, sizes), *_neighbours(target, source, sizes))):
        parts = _Parts.of(between, shape, sizes)
        lacked = _lacked(source, between, have, parts, shape, mesh)
        if lacked >= fewest or lacked + _lacked(between, target, parts, want, shape, mesh) >= fewest:
            continue
        plan = plan_reshard(source, between, shape, mesh, unreduced=unreduced)
        if sent_elements(plan, source, shape, mesh) < fewest:
            plan += plan_reshard(between, target, shape, mesh, unreduced=unreduced)
            sent = sent_elements(plan, source, shape, mesh)
            if sent < fewest:
                best, fewest = plan, sent
    return best


_MANY = 1 << 12
"""On more devices nobody looks at what each of them has."""


def _lacked(source: DimAxes, target: DimAxes, have: _Parts, want: _Parts, shape: tuple[int, ...], mesh: Mesh) -> float:
    """Return the elements of its part of `target` that a device lacks on average, and receives by any plan.

    Padding is none of them.
    """
    if mesh.size > _MANY:
        return want.size - have.size
    wanted = kept = np.float64(1)
    for before, after, old, new, size in zip(source, target, have.part, want.part, shape, strict=True):
        both = _wanted_and_kept(before, after, old, new, size, mesh) if before or after else (size, size)
        wanted, kept = wanted * both[0], kept * both[1]
    return float((wanted - kept).sum()) / mesh.size


@lru_cache(maxsize=1024)
def _wanted_and_kept(
    source: AxisList, target: AxisList, old: int, new: int, size: int, mesh: Mesh
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many of `size` elements of a dimension are in the new part of each device, of `new` ones with padding.

    And how many of them are in its old part, of `old` ones.
    """
    begin, then = mesh.shard_indices(source) * float(old), mesh.shard_indices(target) * float(new)
    end = np.minimum(then + new, size)
    return np.maximum(0, end - then), np.maximum(0, np.minimum(begin + old, end) - np.maximum(begin, then))


def _neighbours(axes: DimAxes, other: DimAxes, sizes: AxisSizes) -> Iterator[DimAxes]:
    """Return what minor axes gathered or moved make of `axes`, or a free axis of `other` that slices a dimension."""
    lists = align(axes, chain(*other), sizes)
    used = list(chain(*lists))
    free = [axis for axis in chain(*align(other, used, sizes)) if not any_overlap([axis], used)]
    for dim, axis_list in enumerate(lists):
        for count in range(len(axis_list)):
            for to, given in enumerate(lists):
                grown = {to: [*given, *axis_list[count:]], dim: axis_list[:count]}
                yield tuple(merged(grown.get(i, kept), sizes) for i, kept in enumerate(lists))
        for axis in free:
            yield tuple(merged([*kept, axis] if i == dim else kept, sizes) for i, kept in enumerate(lists))


def reshard_bytes(have: Layout, want: Layout) -> float:
    """Bytes that each device sends in the collectives of a reshard; infinite between different meshes.

    A dimension is gathered for a step that changes the size of its parts.
    """
    if have.placement == want.placement or not have.sharded_dims:
        return 0.0
    if have.mesh is None or (want.mesh is not None and want.mesh != have.mesh):
        return math.inf
    return _cheapest_elements(have.dim_axes, want.dim_axes, have.shape, have.mesh) * bits(have.type.element_type) / 8


@lru_cache(maxsize=8192)
def _cheapest_elements(source: DimAxes, target: DimAxes, shape: tuple[int, ...], mesh: Mesh) -> float:
    return sent_elements(cheapest_plan(source, target, shape, mesh), source, shape, mesh)


def sent_elements(plan: Plan, source: DimAxes, shape: tuple[int, ...], mesh: Mesh) -> float:
    """Return the elements that a device sends in the collectives of a plan that starts from the axes `source`."""
    sizes = mesh.axis_sizes
    sent, axes, now = 0.0, source, _Parts.of(source, shape, sizes)
    while plan:
        step, count = plan[0], 1
        if isinstance(step, AllGather):
            sent += moved_bytes("all_gather", product(chain(*step.axes), sizes), now.size)
        elif (exchanges := AllToAlls.of(axes, plan, shape, mesh)) is not None:
            sent += sum(moved_bytes("all_to_all", product(moved, sizes), now.size) for moved in exchanges.moved)
            count = exchanges.count
        elif not isinstance(step, AllSlice):
            sent += moved_bytes("collective_permute", mesh.size, now.size)
        axes = plan[count - 1].after
        after = _Parts.of(axes, shape, sizes)
        if now.padded != after.padded:
            sent += now.torn_by(after) + after.torn_by(now)
        now, plan = after, plan[count:]
    return sent


class _Parts(NamedTuple):
    """The parts of a tensor: number and size along each dimension, the padded sizes, and the elements of a part."""

    counts: tuple[int, ...]
    part: tuple[int, ...]
    padded: tuple[int, ...]
    size: float

    @staticmethod
    def of(axes: DimAxes, shape: tuple[int, ...], sizes: AxisSizes) -> _Parts:
        counts = shard_counts(axes, sizes)
        part = tuple(-(-size // count) for size, count in zip(shape, counts, strict=True))
        padded = tuple(size * count for size, count in zip(part, counts, strict=True))
        return _Parts(counts, part, padded, float(math.prod(part)))

    def torn_by(self, other: _Parts) -> float:
        """Return the elements that a device sends to gather these parts in dimensions that `other` makes larger."""
        sizes = zip(self.padded, other.padded, self.counts, strict=True)
        return moved_bytes("all_gather", math.prod(count for old, new, count in sizes if old < new), self.size)


def padded_reshard_bytes(have: Layout, want: Layout, layouts: Layouts) -> float:
    """Bytes of a reshard of a tensor that is padded to `padded_sizes`, and of the pad and the slice around it.

    Infinite if there is nothing to pad.
    """
    sizes = padded_sizes(have, want)
    if not sizes:
        return math.inf
    padded, moved = (layouts.of(with_shape(have.type, sizes), each.sharding) for each in (have, want))
    return _border_bytes(have, sizes) + reshard_bytes(padded, moved) + _border_bytes(moved, want.shape)


def padded_sizes(have: Layout, want: Layout) -> list[int]:
    """Return the sizes that both layouts divide evenly; none if all dimensions are even, or sizes are unknown."""
    if have.mesh is None or have.mesh != want.mesh or have.mesh.is_maximal or have.unreduced or want.unreduced:
        return []
    if min(have.shape, default=0) <= 0:
        return []
    counts = map(math.lcm, have.shards, want.shards)
    sizes = [-(-size // count) * count for size, count in zip(have.shape, counts, strict=True)]
    return sizes if sizes != list(have.shape) and max(sizes) <= MOST_ELEMENTS else []


def _border_bytes(source: Layout, made: Sequence[int]) -> float:
    """Return the bytes that a device sends when a pad behind it, or a slice, changes a tensor to `made` elements."""
    sent = 0.0
    for dim in source.sharded_dims:
        if source.shape[dim] != made[dim]:
            needed = Access(source.shape[dim], made[dim], source.shards[dim]).needed
            sent += halo_bytes(Halo.of(dim, needed), source)
    return sent


def padded_merges(have: Layout, want: Layout) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of a reshape from `have` to `want` where uneven dimensions that it merges are padded.

    That is so where only the leading one of them is sharded, and the merged one like it.
    """
    sizes, made = list(have.shape), list(want.shape)
    if have.mesh is None or have.mesh != want.mesh or have.unreduced or min(have.shape, default=0) <= 0:
        return have.shape, want.shape
    for group in groups_of(have.shape, want.shape):
        if len(group.source) < 2 or len(group.target) != 1:
            continue
        (first, *others), (into,) = group.source, group.target
        if have.dim_axes[first] == want.dim_axes[into] and not any(map(have.is_sharded, others)):
            sizes[first] = have.padded_shape[first]
            made[into] = sizes[first] * math.prod(have.shape[dim] for dim in others)
    return tuple(sizes), tuple(made)


def halo_bytes(plan: Halo, layout: Layout) -> float:
    """Bytes that each device sends in the permutes of a halo exchange of a value with that layout."""
    return plan.sent_rows * layout.local_bytes / plan.part


def final_layout(value: ir.Value, layouts: Layouts) -> Layout | None:
    """Return the layout to which all users reshard a value; None if there is no single one."""
    users = [use.owner.operation for use in value.uses]
    if not users or any(user.name != "sdy.reshard" for user in users):
        return None
    shardings = [get_sharding(user.results[0]) for user in users]
    if any(sharding != shardings[0] for sharding in shardings):
        return None
    return layouts.of(value.type, shardings[0])
