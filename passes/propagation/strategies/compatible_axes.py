"""The axes on which the tensors of an op agree for one factor (spec: propagation, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, behind
from sdy.passes.propagation.strategies.direction import Direction
from sdy.passes.propagation.strategies.factor_propagation import Projection, TensorProjection


def compatible_axes(projection: Projection, factor: int, direction: Direction) -> AxisList:
    """The longest axis list that extends one tensor without contradicting another.

    The tensors on the side that `direction` starts from may make the list longer; the other side only shortens it,
    unless the direction is BOTH. Once two tensors disagree the list only gets shorter.
    """
    if direction == Direction.NONE:
        return ()
    first, second = projection.operands, projection.results
    if direction == Direction.BACKWARD:
        first, second = second, first
    axes, can_grow = _fold((), True, first, factor)
    return _fold(axes, can_grow and direction == Direction.BOTH, second, factor)[0]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The axes of two tensors from where on they disagree: neither list is empty."""

    first: AxisList
    second: AxisList


def contradiction(first: AxisList, second: AxisList, sizes: AxisSizes) -> Contradiction | None:
    """From where on two tensors do not agree on the axes of a factor; None if one list extends the other."""
    agreed, do_agree = _join(first, second, True)
    return None if do_agree else Contradiction(behind(first, agreed, sizes), behind(second, agreed, sizes))


def _fold(axes: AxisList, can_grow: bool, tensors: Iterable[TensorProjection], factor: int) -> tuple[AxisList, bool]:
    for tensor in tensors:
        sharding = tensor.factors[factor]
        if sharding is not None and (sharding.axes or axes):
            axes, can_grow = _join(axes, sharding.axes, can_grow)
    return axes, can_grow


def _join(old: AxisList, new: AxisList, can_grow: bool) -> tuple[AxisList, bool]:
    """`old` and `new` as one list, up to where they disagree; and whether later tensors may still make it longer."""
    out: list[AxisRef] = []
    common = min(len(old), len(new))
    for position in range(common):
        o, n = old[position], new[position]
        if o == n:
            out.append(o)
        elif n.is_prefix_of(o):
            if position + 1 < len(new):
                return (*out, n), False
            out.append(o)
        elif o.is_prefix_of(n):
            if not can_grow or position + 1 < len(old):
                return (*out, o), False
            out.append(n)
        else:
            return tuple(out), False
    out += old[common:]
    if can_grow:
        out += new[common:]
    return tuple(out), can_grow
