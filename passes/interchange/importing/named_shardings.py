"""Named sharding text as shardings with their mesh written out (spec: interchange, 4.4)."""

from __future__ import annotations

from sdy.dialect.sharding_text.forms import Kind, Leaf, Named
from sdy.dialect.values.axes import AxisRef, merged
from sdy.dialect.values.sharding import TensorSharding


def named_sharding(leaf: Leaf, rank: int) -> TensorSharding | None:
    """What a named text says of a value of that rank, without manual axes; None if it is none.

    Axes of size 1 say nothing; parts of an axis on both sides of one are neighbours without it.
    """
    if not isinstance(leaf, Named):
        return None
    if leaf.mesh.is_maximal:
        return leaf.sharding
    sizes = leaf.mesh.axis_sizes
    if leaf.for_all is None:
        cut = leaf.sharding.map_axes(lambda axis: sizes[axis.name] > 1)
        return cut.with_dim_axes(merged(axes, sizes) for axes in cut.dim_axes)
    closed = TensorSharding.closed(leaf.mesh, rank)
    if leaf.for_all is not Kind.UNREDUCED:
        return closed
    everything = tuple(AxisRef(axis.name) for axis in leaf.mesh.axes if axis.size > 1)
    return closed.with_unreduced(everything, leaf.sharding.reduction)
