"""Sharding rules (spec: sharding-rules, 1), factor shardings, and the edges along which propagation moved axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, append_or_merge, merged, product, quote
from sdy.dialect.values.sharding import DimensionSharding, MeshRef, TensorSharding, axis_set
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True)
class ShardingPerValue:
    """One sharding per operand or result."""

    shardings: tuple[TensorSharding, ...]

    def __iter__(self) -> Iterator[TensorSharding]:
        return iter(self.shardings)

    def __len__(self) -> int:
        return len(self.shardings)

    def __getitem__(self, index: int) -> TensorSharding:
        return self.shardings[index]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.shardings)

    def __str__(self) -> str:
        return f"<[{', '.join(map(str, self.shardings))}]>"


@dataclass(frozen=True, slots=True)
class ManualAxes:
    """Names of the axes that a manual computation handles itself."""

    names: tuple[str, ...]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __str__(self) -> str:
        return "{" + ", ".join(map(quote, self.names)) + "}"


@dataclass(frozen=True, slots=True)
class AxisRefList:
    """The axes of a collective that treats all dimensions alike."""

    axes: AxisList

    def __iter__(self) -> Iterator:
        return iter(self.axes)

    def __str__(self) -> str:
        return axis_set(self.axes)


@dataclass(frozen=True, slots=True)
class ListOfAxisRefLists:
    """The axes of a collective, one list per dimension."""

    lists: tuple[AxisList, ...]

    def __iter__(self) -> Iterator[AxisList]:
        return iter(self.lists)

    def __str__(self) -> str:
        return "[" + ", ".join(map(axis_set, self.lists)) + "]"


@dataclass(frozen=True, slots=True)
class AllToAllParam:
    """An all-to-all moves `axes` from dimension `src_dim` to dimension `tgt_dim`."""

    axes: AxisList
    src_dim: int
    tgt_dim: int

    def __str__(self) -> str:
        return f"{axis_set(self.axes)}: {self.src_dim}->{self.tgt_dim}"


@dataclass(frozen=True, slots=True)
class AllToAllParamList:
    """All moves of one all-to-all."""

    params: tuple[AllToAllParam, ...]

    def __iter__(self) -> Iterator[AllToAllParam]:
        return iter(self.params)

    def __str__(self) -> str:
        return "[" + ", ".join(map(str, self.params)) + "]"


@dataclass(frozen=True, slots=True)
class DimMappingValue:
    """The factors of one dimension, as a separate attribute."""

    factors: DimMapping

    def __str__(self) -> str:
        return dim_mapping_text(self.factors)


@dataclass(frozen=True, slots=True)
class TensorMappingValue:
    """The factors of each dimension of one tensor, as a separate attribute."""

    dims: TensorMapping

    def __str__(self) -> str:
        return "[" + ", ".join(map(dim_mapping_text, self.dims)) + "]"


class FactorType(Enum):
    """Kind of a factor by the communication that sharding it costs."""

    PASS_THROUGH = 0
    REDUCTION = 1
    NEED_REPLICATION = 2
    PERMUTATION = 3

    __hash__ = object.__hash__  # Enum's own is written in Python


DimMapping = tuple[int, ...]
"""Factors of one dimension, major to minor."""

TensorMapping = tuple[DimMapping, ...]
"""Factors of each dimension of one operand or result."""


@dataclass(frozen=True)
class ShardingRule:
    """The factors of an op and where each occurs.

    `factor_sizes[f]` is the size of factor f. The four lists hold ascending factor indices; a factor in none of the
    first three passes through. `is_custom` marks a rule that the user wrote and that passes must keep.
    """

    factor_sizes: tuple[int, ...]
    operands: tuple[TensorMapping, ...]
    results: tuple[TensorMapping, ...]
    reduction: tuple[int, ...] = ()
    need_replication: tuple[int, ...] = ()
    permutation: tuple[int, ...] = ()
    blocked_propagation: tuple[int, ...] = ()
    is_custom: bool = False

    @staticmethod
    def identity(shape: Iterable[int], operands: int = 1, results: int = 1) -> ShardingRule:
        """One pass-through factor per dimension, in every operand and result (section 2.4)."""
        sizes = tuple(shape)
        mapping = tuple((dim,) for dim in range(len(sizes)))
        return ShardingRule(sizes, (mapping,) * operands, (mapping,) * results)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.factor_sizes, self.operands, self.results, *self._lists, self.is_custom))

    @property
    def _lists(self) -> tuple[tuple[int, ...], ...]:
        return (self.reduction, self.need_replication, self.permutation, self.blocked_propagation)

    def __str__(self) -> str:
        text = f"<({_mappings(self.operands)})->({_mappings(self.results)})"
        if self.factor_sizes:
            sizes = ", ".join(f"{factor_symbol(f)}={size}" for f, size in enumerate(self.factor_sizes))
            text += f" {{{sizes}}}"
        names = ("reduction", "need_replication", "permutation", "blocked_propagation")
        for name, factors in zip(names, self._lists, strict=True):
            if factors:
                text += f" {name}={{{', '.join(map(factor_symbol, factors))}}}"
        return text + (", custom>" if self.is_custom else ">")

    @property
    def num_factors(self) -> int:
        return len(self.factor_sizes)

    @property
    def tensors(self) -> tuple[TensorMapping, ...]:
        """Mappings of the operands, then of the results."""
        return self.operands + self.results

    @cached_property
    def factor_types(self) -> tuple[FactorType, ...]:
        types = [FactorType.PASS_THROUGH] * self.num_factors
        for factor in self.permutation:
            types[factor] = FactorType.PERMUTATION
        for factor in self.need_replication:
            types[factor] = FactorType.NEED_REPLICATION
        for factor in self.reduction:
            types[factor] = FactorType.REDUCTION
        return tuple(types)

    @cached_property
    def batching_factors(self) -> tuple[int, ...]:
        """Pass-through factors that occur in every tensor of rank > 0."""
        return tuple(
            factor
            for factor in range(self.num_factors)
            if self.factor_types[factor] is FactorType.PASS_THROUGH and self.is_in_all_non_scalars(factor)
        )

    def is_in_all_non_scalars(self, factor: int) -> bool:
        return all(contains_factor(mapping, factor) for mapping in self.tensors if mapping)

    @property
    def has_multi_factor_dims(self) -> bool:
        return any(len(dim) > 1 for mapping in self.tensors for dim in mapping)


def contains_factor(mapping: TensorMapping, factor: int) -> bool:
    return any(factor in dim for dim in mapping)


def factor_symbol(factor: int) -> str:
    """0..17 are i..z, then z_1, z_2, ..."""
    return chr(ord("i") + factor) if factor < 18 else f"z_{factor - 17}"


def _mappings(mappings: Iterable[TensorMapping]) -> str:
    return ", ".join("[" + ", ".join(dim_mapping_text(dim) for dim in mapping) + "]" for mapping in mappings)


def dim_mapping_text(dim: DimMapping) -> str:
    return "".join(map(factor_symbol, dim))


class EdgeNode(Enum):
    """Kind of an edge end: operand or result."""

    OPERAND = 0
    RESULT = 1


@dataclass(frozen=True, slots=True)
class EdgeValueRef:
    """Operand or result number `index` of the op that carries the record."""

    node: EdgeNode
    index: int

    def __str__(self) -> str:
        return f"{self.node.name.lower()}-{self.index}"


@dataclass(frozen=True, slots=True)
class AxisToPropagationDetails:
    """Movement of one axis from `source` to `targets`."""

    axis: AxisRef
    source: EdgeValueRef
    targets: tuple[EdgeValueRef, ...]

    def __str__(self) -> str:
        return f"{{{self.axis} = {self.source} -> [{', '.join(map(str, self.targets))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationOneStep:
    """Movements across the op at one step."""

    step_index: int
    axis_entries: tuple[AxisToPropagationDetails, ...]

    def __str__(self) -> str:
        return f"{{step-{self.step_index} = [{', '.join(map(str, self.axis_entries))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationEdges:
    """The steps of one op, in order."""

    steps: tuple[PropagationOneStep, ...]

    def __iter__(self) -> Iterator[PropagationOneStep]:
        return iter(self.steps)

    def __str__(self) -> str:
        return f"<[{', '.join(map(str, self.steps))}]>"


@dataclass(frozen=True, slots=True)
class FactorSharding:
    """The axes of one factor in one tensor.

    `overflow` are axes behind a factor that they do not divide: no later factor of the dimension can hold them, but
    they shard the dimension. `is_minor_most` tells that the factor is the last of its dimension.
    """

    axes: AxisList = ()
    is_closed: bool = False
    is_minor_most: bool = False
    overflow: AxisList = ()

    @property
    def all_axes(self) -> AxisList:
        return self.axes + self.overflow

    def expanded(self, axis_list: AxisList) -> FactorSharding:
        """Return a copy with other axes."""
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

    The last factor of a dimension takes all remaining axes. Any other factor takes axes, and the major part of an axis,
    while they divide the rest of its size. Remaining axes become the factor's overflow; the next factor of the
    dimension is then closed and empty, and later ones are None.

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
    """Take axes from the front of `rest` that divide `size`; return them, the remaining size, and the other axes."""
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
    """Split `axis` into its major `size` shards, a divisor of its size, and the rest if there is any."""
    axis_size = axis.size(sizes)
    if size == axis_size:
        return axis, None
    return (
        AxisRef.sub(axis.name, axis.pre_size, size),
        AxisRef.sub(axis.name, axis.pre_size * size, axis_size // size),
    )


def is_full(sharding: FactorSharding, size: int, sizes: AxisSizes) -> bool:
    """Return whether axes of the next factor can directly follow a factor of this size."""
    return not sharding.overflow and product(sharding.axes, sizes) >= size


def dim_axes(
    dim: DimMapping, factors: Sequence[FactorSharding | None], factor_sizes: Sequence[int], sizes: AxisSizes
) -> tuple[AxisList, bool]:
    """Return the axes of one dimension, joined from those of its factors, and whether it is closed.

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
    """Return the sharding on `mesh` whose dimensions are joined from `factors`.

    Priorities are lost. Replicated axes, unreduced axes and reduction are those of `like`, the tensor's old sharding.
    """
    dims = []
    for dim in mapping:
        axes, is_closed = dim_axes(dim, factors, factor_sizes, sizes)
        dims.append(DimensionSharding(axes, is_closed))
    if like is None:
        return TensorSharding(mesh, tuple(dims))
    return TensorSharding(mesh, tuple(dims), like.replicated, like.unreduced, like.reduction)
