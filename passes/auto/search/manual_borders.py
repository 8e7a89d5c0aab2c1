"""The borders of manual computations: what a tensor is outside, and what is left of it inside.

Inside, a tensor is what a device has along the manual axes, and the other axes are free to shard it further. So each
dimension outside has two factors: that which manual axes shard, as the user wrote it, and what is left inside.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sdy.dialect.values.axes import AxisList, AxisSizes, product
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.auto.search.strategies import Profile, Strategy, TensorSize
from sdy.passes.costs.op_cost import FREE


@dataclass(frozen=True, slots=True)
class Border:
    """What goes into a computation, or comes out of it, and the strategy by which it is as the user has said."""

    profile: Profile
    given: Strategy


def border(
    outside: TensorSize, inside: TensorSize, sharding: TensorSharding, manual: Collection[str], *, is_entered: bool
) -> Border:
    """That of a tensor, which is an operand of the computation if it `is_entered`, else a result."""
    manual_axes, free_axes = manual_and_free(sharding, manual)
    sizes, axes = list[int](), list[AxisList]()
    for whole, part, *listed in zip(outside.shape, inside.shape, manual_axes, free_axes, strict=True):
        sizes += [whole // part if part else 1, part]
        axes += listed
    dims = range(len(inside.shape))
    wide, narrow = tuple((2 * dim, 2 * dim + 1) for dim in dims), tuple((2 * dim + 1,) for dim in dims)
    (operand, read), (result, made) = ((outside, wide), (inside, narrow))[:: 1 if is_entered else -1]
    rule = ShardingRule(tuple(sizes), (read,), (made,), need_replication=tuple(2 * dim for dim in dims))
    profile = Profile(rule, (operand,), (result,), FREE, can_reduce=False)
    return Border(profile, Strategy(tuple(axes), ((),) * len(dims)))


def manual_and_free(
    sharding: TensorSharding, manual: Collection[str]
) -> tuple[tuple[AxisList, ...], tuple[AxisList, ...]]:
    """The axes of each dimension, by whether they are manual."""
    cut = tuple(tuple(axis for axis in axes if axis.name in manual) for axes in sharding.dim_axes)
    free = tuple(tuple(axis for axis in axes if axis.name not in manual) for axes in sharding.dim_axes)
    return cut, free


def is_even(
    outside: TensorSize, inside: TensorSize, sharding: TensorSharding, manual: Collection[str], sizes: AxisSizes
) -> bool:
    """Whether all devices have parts of the same size, as the user has said what they have."""
    rows = zip(outside.shape, inside.shape, *manual_and_free(sharding, manual), strict=True)
    return all(
        whole == part * product(cut, sizes) and part % product(free, sizes) == 0 for whole, part, cut, free in rows
    )
