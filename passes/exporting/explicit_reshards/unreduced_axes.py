"""How axes become unreduced (spec: export-passes, 5.10)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.values.axes import AxisList, AxisSizes, difference, is_strict_prefix
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding


@dataclass(frozen=True)
class UnreducedSteps:
    """The steps from one sharding to another with more unreduced axes; a step that is not needed is None or empty.

    First `reshard` to a sharding that the others can start from, then make the axes `replicated` unreduced, which gives
    the sharding `between`, then the axes `sharded`, one list per dimension, which gives the target.
    """

    reshard: TensorSharding | None
    replicated: AxisList
    between: TensorSharding
    sharded: tuple[AxisList, ...]


def unreduced_steps(source: TensorSharding, target: TensorSharding, mesh: Mesh) -> UnreducedSteps | None:
    """The steps from `source` to `target` on one mesh; None if `target` has no further unreduced axes.

    All unreduced axes of `source` must be unreduced in `target`.
    """
    sizes = mesh.axis_sizes
    new = difference(target.unreduced, source.unreduced, sizes)
    if not new:
        return None
    needs_reshard = False
    dims, sharded = [], []
    for have, want in zip(source.dims, target.dims, strict=True):
        rest = beyond(have.axes, want.axes, sizes)
        if rest and not difference(rest, new, sizes):
            dims.append(have)
            sharded.append(rest)
            continue
        needs_reshard |= have.axes != want.axes
        dims.append(want)
        sharded.append(())
    replicated = difference(new, [axis for axis_list in sharded for axis in axis_list], sizes)
    unreduced = mesh.sort_and_merge((*source.unreduced, *replicated))
    between = TensorSharding(source.mesh_or_ref, tuple(dims), target.replicated, unreduced, target.reduction)
    return UnreducedSteps(source.with_dims(dims) if needs_reshard else None, replicated, between, tuple(sharded))


def beyond(axis_list: AxisList, prefix: AxisList, sizes: AxisSizes) -> AxisList:
    """What `axis_list` has behind its strict prefix `prefix`; nothing if that is none."""
    if not is_strict_prefix(prefix, axis_list):
        return ()
    if not prefix:
        return axis_list
    last = len(prefix) - 1
    cut = None if axis_list[last] == prefix[last] else axis_list[last].suffix_without(prefix[last], sizes)
    return (*(() if cut is None else (cut,)), *axis_list[len(prefix) :])
