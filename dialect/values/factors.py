"""Shardings by factor instead of by dimension (specs: propagation, 4.1 and 4.2; export-passes, 5.3).

A sharding rule splits the dimensions of an op's tensors into factors. To compare tensors, the axes of each dimension
are handed out to its factors, major to minor; afterwards the axes of the factors are put together to dimensions again.
Both ways are pure functions of the rule's mapping, the sharding and the sizes of the mesh axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, append_or_merge, merged, product
from sdy.dialect.values.rule import DimMapping, TensorMapping
from sdy.dialect.values.sharding import DimensionSharding, MeshRef, TensorSharding


@dataclass(frozen=True, slots=True)
class FactorSharding:
    """The axes of one factor in one tensor.

    `overflow` are axes behind a factor that they do not divide: no later factor of the dimension can hold them, yet
    they shard the dimension. `is_minor_most` says that the factor is the last of its dimension.
    """

    axes: AxisList = ()
    is_closed: bool = False
    is_minor_most: bool = False
    overflow: AxisList = ()

    @property
    def all_axes(self) -> AxisList:
        return self.axes + self.overflow

    def expanded(self, axis_list: AxisList) -> FactorSharding:
        """Other axes, all else as it was."""
        return FactorSharding(axis_list, self.is_closed, self.is_minor_most, self.overflow)

    def with_axes(self, axis_list: AxisList) -> FactorSharding:
        """Other axes, and no overflow."""
        return replace(self, axes=axis_list, overflow=())


TensorFactors = tuple[FactorSharding | None, ...]
"""The factor shardings of one tensor by factor index; None for a factor that the tensor does not have."""


def to_factors(
    sharding: TensorSharding | None,
    mapping: TensorMapping,
    factor_sizes: Sequence[int],
    sizes: AxisSizes,
    *,
    missing_is_closed: bool = False,
) -> TensorFactors:
    """The axes of each dimension of `sharding`, handed out to the factors of `mapping`.

    The last factor of a dimension takes whatever is left. Any other one takes axes, and the major part of an axis,
    while they divide what is left of its size. If axes remain that do not, all of them become the factor's overflow;
    the next factor of the dimension is then closed and empty, and later ones are None.

    A missing sharding has no axes; its dimensions are open unless `missing_is_closed`.
    """
    factors: list[FactorSharding | None] = [None] * len(factor_sizes)
    for position, dim in enumerate(mapping):
        if sharding is None:
            for factor in dim:
                factors[factor] = FactorSharding((), missing_is_closed, factor == dim[-1])
        else:
            _hand_out(sharding.dims[position], dim, factors, factor_sizes, sizes)
    return tuple(factors)


def _hand_out(
    dim_sharding: DimensionSharding,
    dim: DimMapping,
    factors: list[FactorSharding | None],
    factor_sizes: Sequence[int],
    sizes: AxisSizes,
) -> None:
    rest = list(dim_sharding.axes)
    for position, factor in enumerate(dim):
        if position == len(dim) - 1:
            factors[factor] = FactorSharding(merged(rest, sizes), dim_sharding.is_closed, True)
            return
        taken, remaining, rest = _take(rest, factor_sizes[factor], sizes)
        if remaining > 1 and rest:
            factors[factor] = FactorSharding(taken, dim_sharding.is_closed, False, merged(rest, sizes))
            factors[dim[position + 1]] = FactorSharding((), True, position + 2 == len(dim))
            return
        factors[factor] = FactorSharding(taken, dim_sharding.is_closed)


def _take(rest: list[AxisRef], size: int, sizes: AxisSizes) -> tuple[AxisList, int, list[AxisRef]]:
    """Axes from the front of `rest` that divide `size`, what they leave of `size`, and the other axes."""
    taken: list[AxisRef] = []
    while rest:
        axis = rest[0]
        axis_size = axis.size(sizes)
        if axis_size == 1:
            taken.append(axis)
            rest = rest[1:]
            continue
        common = math.gcd(size, axis_size)
        if common == 1:
            break
        size //= common
        head, tail = split(axis, common, sizes)
        taken.append(head)
        rest = rest[1:] if tail is None else [tail, *rest[1:]]
    return tuple(taken), size, rest


def split(axis: AxisRef, size: int, sizes: AxisSizes) -> tuple[AxisRef, AxisRef | None]:
    """The part of `axis` with its major `size` shards, a divisor of its own size, and the rest if there is any."""
    axis_size = axis.size(sizes)
    if size == axis_size:
        return axis, None
    return (
        AxisRef.sub(axis.name, axis.pre_size, size),
        AxisRef.sub(axis.name, axis.pre_size * size, axis_size // size),
    )


def is_full(sharding: FactorSharding, size: int, sizes: AxisSizes) -> bool:
    """Whether axes of the next factor may follow those of a factor of this size without a strided layout."""
    return not sharding.overflow and product(sharding.axes, sizes) >= size


def dim_axes(
    dim: DimMapping, factors: Sequence[FactorSharding | None], factor_sizes: Sequence[int], sizes: AxisSizes
) -> tuple[AxisList, bool]:
    """The axes of one dimension from those of its factors, and whether it is closed.

    The walk ends behind the first factor that is not full: the axes of the following factors are lost.
    """
    out: list[AxisRef] = []
    is_closed = False
    for factor in dim:
        sharding = factors[factor]
        if sharding is None:
            break
        is_closed |= sharding.is_closed
        _extend(out, sharding.axes, sizes)
        _extend(out, sharding.overflow, sizes)
        if not is_full(sharding, factor_sizes[factor], sizes):
            break
    return tuple(out), is_closed


def _extend(out: list[AxisRef], added: AxisList, sizes: AxisSizes) -> None:
    if added:
        append_or_merge(out, added[0], sizes)
        out += added[1:]


def from_factors(
    factors: Sequence[FactorSharding | None],
    mapping: TensorMapping,
    factor_sizes: Sequence[int],
    sizes: AxisSizes,
    mesh: MeshRef,
    like: TensorSharding | None = None,
) -> TensorSharding:
    """The sharding on `mesh` whose dimensions are put together from `factors`.

    Priorities are lost. Replicated axes, unreduced axes and reduction are those of `like`, the tensor's old sharding.
    """
    dims = []
    for dim in mapping:
        axes, is_closed = dim_axes(dim, factors, factor_sizes, sizes)
        dims.append(DimensionSharding(axes, is_closed))
    if like is None:
        return TensorSharding(mesh, tuple(dims))
    return TensorSharding(mesh, tuple(dims), like.replicated, like.unreduced, like.reduction)
