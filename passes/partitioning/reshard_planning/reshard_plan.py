"""The plan of a reshard: the effect of each collective on the axes of the dimensions (spec: collectives, 1.1).

Works on axes per dimension alone, without MLIR.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, product
from sdy.lazy_dataclass import dataclass

DimAxes = tuple[AxisList, ...]
"""Axes of every dimension of a tensor."""


@dataclass(frozen=True, slots=True)
class CollectiveStep:
    """One collective. `after` is the resulting sharding, on the mesh of the target if `on_target_mesh`."""

    after: DimAxes
    on_target_mesh: bool


@dataclass(frozen=True, slots=True)
class AllSlice(CollectiveStep):
    """Every device keeps its part along `axes[d]` of dimension d."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllGather(CollectiveStep):
    """The parts along `axes[d]` of dimension d are put together."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllToAll(CollectiveStep):
    """`axes` stop sharding dimension `source` and shard dimension `target` further."""

    axes: AxisList
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class CollectivePermute(CollectiveStep):
    """Every device sends its whole part to one other device; shard counts per dimension stay."""


Plan = tuple[CollectiveStep, ...]


def shard_counts(axes_per_dim: Iterable[Sequence[AxisRef]], sizes: AxisSizes) -> tuple[int, ...]:
    """Number of shards of every dimension."""
    return tuple(product(axis_list, sizes) for axis_list in axes_per_dim)
