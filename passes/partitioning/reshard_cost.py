"""What it costs to move a value from one layout to another."""

from __future__ import annotations

import math

from sdy.dialect.axes import product
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.less_communication.tensor_bytes import bits
from sdy.passes.partitioning.reshard_plan import plan_reshard, shard_counts
from sdy.passes.partitioning.reshard_steps import AllGather, AllSlice, AllToAll, DimAxes


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
            sent += local(now) * (math.prod(product(axes, sizes) for axes in step.axes) - 1)
        elif isinstance(step, AllToAll):
            count = product(step.axes, sizes)
            sent += local(now) * (count - 1) / count
        elif not isinstance(step, AllSlice):
            sent += local(now)
        now = step.after
    return sent
