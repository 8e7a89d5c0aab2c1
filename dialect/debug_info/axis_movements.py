"""Which axes came to which tensor of an op, and from where, when its shardings were updated (spec: propagation, 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, is_strict_prefix
from sdy.dialect.values.factors import FactorSharding, TensorFactors
from sdy.dialect.values.rule import DimMapping, ShardingRule


@dataclass(frozen=True, slots=True)
class AxisMovement:
    """`axis` is new on tensor `target` and came from tensor `source`; operands count from 0, results follow."""

    axis: AxisRef
    source: int
    target: int


def axis_movements(
    rule: ShardingRule, before: Sequence[TensorFactors], after: Sequence[TensorFactors], sizes: AxisSizes
) -> list[AxisMovement]:
    """The new axes of every tensor.

    Args:
      rule: the op's rule; `before` and `after` hold the factor shardings of each of its tensors.
      sizes: sizes of the axes of the mesh.
    """
    movements = []
    for target, mapping in enumerate(rule.tensors):
        sources: dict[AxisRef, int] = {}
        for dim in mapping:
            _record_dim(dim, before, after, target, sizes, sources)
        movements += [AxisMovement(axis, source, target) for axis, source in sources.items()]
    return movements


def _record_dim(
    dim: DimMapping,
    before: Sequence[TensorFactors],
    after: Sequence[TensorFactors],
    target: int,
    sizes: AxisSizes,
    sources: dict[AxisRef, int],
) -> None:
    """Adds the new axes of one dimension to `sources`; parts of an axis in neighbouring factors count as one."""
    previous: AxisRef | None = None
    for factor in dim:
        old, new = _axes(before[target][factor]), _axes(after[target][factor])
        if new == old or not new:
            continue
        last = new[-1]
        if previous is not None and previous.can_merge(last):
            sources.pop(previous, None)
            last = previous.merge(last, sizes)
        previous = new[-1]
        source = _source(factor, new, before)
        if source is None:
            continue
        listed = (*new[:-1], last)
        first = len(old) - 1 if old and old[-1] != listed[len(old) - 1] else len(old)
        for axis in listed[first:]:
            sources.setdefault(axis, source)


def _source(factor: int, axes: AxisList, before: Sequence[TensorFactors]) -> int | None:
    """The first tensor that had `axes`, and perhaps more, on the factor."""
    for tensor, factors in enumerate(before):
        had = _axes(factors[factor])
        if had == axes or is_strict_prefix(axes, had):
            return tensor
    return None


def _axes(sharding: FactorSharding | None) -> AxisList:
    return () if sharding is None else sharding.axes
