"""What it costs to move a value from one layout to another, and where values are moved."""

from __future__ import annotations

import math

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import product
from sdy.mlir import ir
from sdy.mlir.tensor_types import bits
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.facts.intervals import Halo
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllGather, AllSlice, AllToAll, DimAxes, shard_counts
from sdy.passes.partitioning.reshard_planning.reshard_search import plan_reshard


def reshard_bytes(have: Layout, want: Layout) -> float:
    """Bytes that each device sends in the collectives of a reshard; infinite between different meshes."""
    if have.placement == want.placement or not have.sharded_dims:
        return 0.0
    if have.mesh is None or (want.mesh is not None and want.mesh != have.mesh):
        return math.inf
    sizes = have.mesh.axis_sizes
    element = bits(have.type.element_type) / 8

    def local(axes: DimAxes) -> float:
        counts = shard_counts(axes, sizes)
        return math.prod(-(-size // count) for size, count in zip(have.shape, counts, strict=True)) * element

    sent, now = 0.0, have.dim_axes
    for step in plan_reshard(have.dim_axes, want.dim_axes, have.shape, have.mesh):
        if isinstance(step, AllGather):
            sent += moved_bytes("all_gather", math.prod(product(axes, sizes) for axes in step.axes), local(now))
        elif isinstance(step, AllToAll):
            sent += moved_bytes("all_to_all", product(step.axes, sizes), local(now))
        elif not isinstance(step, AllSlice):
            sent += moved_bytes("collective_permute", have.mesh.size, local(now))
        now = step.after
    return sent


def sum_bytes(parts: Layout, want: Layout) -> float:
    """Bytes that each device sends to add up parts of a sum: a reduce_scatter, or an all_reduce of what stays whole."""
    assert parts.mesh is not None
    group = product(parts.unreduced, parts.mesh.axis_sizes)
    is_scattered = want.local_bytes < parts.local_bytes
    return moved_bytes("reduce_scatter" if is_scattered else "all_reduce", group, parts.local_bytes)


def halo_bytes(plan: Halo, layout: Layout) -> float:
    """Bytes that each device sends in the permutes of a halo exchange of a value with that layout."""
    return plan.sent_rows * layout.local_bytes / plan.part


def final_layout(value: ir.Value, layouts: Layouts) -> Layout | None:
    """The layout to which all users reshard a value; None if they do not, or to several."""
    users = [use.owner.operation for use in value.uses]
    if not users or any(user.name != "sdy.reshard" for user in users):
        return None
    shardings = [get_sharding(user.results[0]) for user in users]
    if any(sharding != shardings[0] for sharding in shardings):
        return None
    return layouts.of(value.type, shardings[0])
