"""Common axes of a reshape some of whose axes divide no factor (spec: export-passes, 5.5).

Axes behind a factor that they do not divide shard a dimension nevertheless, with padding. The side of the reshape with
more shards is the source: its axes are handed out anew to the factors of both sides, and what both sides can hold of
every factor is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, append_or_merge, common_prefix, product
from sdy.dialect.values.factors import FactorSharding, TensorFactors, from_factors, split, to_factors
from sdy.dialect.values.rule import ShardingRule, TensorMapping


def has_overflow(tensor: TensorFactors) -> bool:
    return any(sharding is not None and sharding.overflow for sharding in tensor)


def reshape_factors(
    rule: ShardingRule, operand: TensorFactors, result: TensorFactors, sizes: AxisSizes
) -> tuple[TensorFactors, TensorFactors]:
    """New factor shardings of operand and result that need no communication between them."""
    queue = _source_axes(operand, result, sizes)
    sides = []
    for mapping, old in ((rule.operands[0], operand), (rule.results[0], result)):
        handed_out = _hand_out(queue, mapping, old, rule.factor_sizes, sizes)
        whole = from_factors(handed_out, mapping, rule.factor_sizes, sizes, "")
        sides.append(to_factors(whole, mapping, rule.factor_sizes, sizes))
    common = tuple(_common(first, second) for first, second in zip(*sides, strict=True))
    return _with_axes(sides[0], common), _with_axes(sides[1], common)


def _source_axes(operand: TensorFactors, result: TensorFactors, sizes: AxisSizes) -> AxisList:
    """All axes, in the order of the factors, of the side that is cut into more shards (the operand on a tie)."""
    sides = [
        tuple(axis for sharding in tensor if sharding is not None for axis in sharding.all_axes)
        for tensor in (operand, result)
    ]
    return max(sides, key=lambda axis_list: product(axis_list, sizes))


def _hand_out(
    queue: Sequence[AxisRef],
    mapping: TensorMapping,
    old: TensorFactors,
    factor_sizes: Sequence[int],
    sizes: AxisSizes,
) -> list[FactorSharding | None]:
    """Hands out the axes to the factors of one side, in the order of its dimensions.

    An axis goes to the first factor that it divides; of one that divides a factor partly the rest goes on to the next
    factor. An axis of which no factor takes anything ends the hand-out: it and the rest overflow the last factor.
    """
    order = [factor for dim in mapping for factor in dim if old[factor] is not None]
    taken: dict[int, list[AxisRef]] = {factor: [] for factor in order}
    remaining = {factor: factor_sizes[factor] for factor in order}
    overflow: list[AxisRef] = []
    for position, axis in enumerate(queue):
        rest = _place(axis, order, taken, remaining, sizes)
        if rest is not None:
            overflow = [rest, *queue[position + 1 :]]
            break
    out: list[FactorSharding | None] = [None] * len(factor_sizes)
    for factor in order:
        is_last = factor == order[-1]
        sharding = old[factor]
        assert sharding is not None
        axes = tuple(taken[factor])
        out[factor] = FactorSharding(
            axes, sharding.is_closed, sharding.is_minor_most, tuple(overflow) if is_last else ()
        )
    return out


def _place(
    axis: AxisRef,
    order: Sequence[int],
    taken: dict[int, list[AxisRef]],
    remaining: dict[int, int],
    sizes: AxisSizes,
) -> AxisRef | None:
    """Gives `axis` to the factors that it divides; returns what none of them takes."""
    rest: AxisRef | None = axis
    while rest is not None:
        before = rest
        for factor in order:
            if remaining[factor] <= 1:
                continue
            axis_size = rest.size(sizes)
            common = math.gcd(remaining[factor], axis_size)
            if common == 1 and axis_size != 1:
                continue
            head, tail = split(rest, common, sizes)
            append_or_merge(taken[factor], head, sizes)
            remaining[factor] //= common
            if tail is None:
                return None
            rest = tail
        if rest == before:
            return rest
    return None


def _common(first: FactorSharding | None, second: FactorSharding | None) -> AxisList:
    """What both sides hold of a factor; all that the one side holds which has it."""
    if first is None or second is None:
        only = first or second
        return () if only is None else only.axes
    return common_prefix(first.axes, second.axes)


def _with_axes(tensor: TensorFactors, axes: Sequence[AxisList]) -> TensorFactors:
    pairs = zip(tensor, axes, strict=True)
    return tuple(None if sharding is None else sharding.with_axes(axis_list) for sharding, axis_list in pairs)
