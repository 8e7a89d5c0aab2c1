"""Value objects that are lists: shardings per value, axes per dimension, manual axes (spec: dialect, 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sdy.dialect.values.axes import AxisList, quote
from sdy.dialect.values.rule import DimMapping, TensorMapping, dim_mapping_text
from sdy.dialect.values.sharding import TensorSharding, axis_set
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
