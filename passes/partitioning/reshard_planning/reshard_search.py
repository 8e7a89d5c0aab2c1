"""Search for the steps between two shardings, and the fallback where it fails.

Each round slices, permutes, moves and gathers (spec: collectives, 1.2 to 1.8, 6). Works on axes per dimension alone,
without MLIR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, common_prefix, difference, product
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.tensor_types import bits
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.reshard_planning.reshard_plan import (
    AllGather,
    AllSlice,
    AllToAll,
    CollectivePermute,
    CollectiveStep,
    DimAxes,
    Plan,
    shard_counts,
)
from sdy.passes.partitioning.reshard_planning.search_moves import (
    gather_the_rest,
    move_to_other_dimensions,
    permute,
    slice_free_axes,
)
from sdy.passes.partitioning.reshard_planning.search_state import GatherError, SearchState

if TYPE_CHECKING:
    from sdy.passes.partitioning.analysis.intervals import Halo

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


def reshard_bytes(have: Layout, want: Layout) -> float:
    """Bytes that each device sends in the collectives of a reshard; infinite between different meshes.

    A dimension is gathered for a step that changes the size of its parts.
    """
    if have.placement == want.placement or not have.sharded_dims:
        return 0.0
    if have.mesh is None or (want.mesh is not None and want.mesh != have.mesh):
        return math.inf
    return _sent_bytes(have.dim_axes, want.dim_axes, have.shape, have.mesh, bits(have.type.element_type) / 8)


@lru_cache(maxsize=8192)
def _sent_bytes(source: DimAxes, target: DimAxes, shape: tuple[int, ...], mesh: Mesh, element: float) -> float:
    """Return the bytes that a device sends between axes of one mesh, with elements of `element` bytes."""
    sizes = mesh.axis_sizes

    def padded(axes: DimAxes) -> list[int]:
        counts = shard_counts(axes, sizes)
        return [-(-size // count) * count for size, count in zip(shape, counts, strict=True)]

    def local(axes: DimAxes) -> float:
        return math.prod(padded(axes)) / math.prod(shard_counts(axes, sizes)) * element

    sent, now = 0.0, source
    for step in plan_reshard(source, target, shape, mesh):
        grown = zip(padded(now), padded(step.after), shard_counts(now, sizes), strict=True)
        torn = math.prod(count for before, after, count in grown if before < after)
        sent += moved_bytes("all_gather", torn, local(now))
        if isinstance(step, AllGather):
            sent += moved_bytes("all_gather", math.prod(product(axes, sizes) for axes in step.axes), local(now))
        elif isinstance(step, AllToAll):
            sent += moved_bytes("all_to_all", product(step.axes, sizes), local(now))
        elif not isinstance(step, AllSlice):
            sent += moved_bytes("collective_permute", mesh.size, local(now))
        now = step.after
    return sent


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
