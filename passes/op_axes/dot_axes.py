"""When a dot is better computed with another result sharding (spec: export-passes, 5.12).

A dot whose contracting axes reappear on a free dimension of the result, instead of that dimension's own axes, would be
all-reduced and sliced, while a free dimension of an operand is gathered. Keeping the operand's axes on the result and
moving the smaller result afterwards is cheaper.
"""

from __future__ import annotations

from sdy.dialect.values.axes import AxisList, any_overlap
from sdy.passes.op_axes.common_axes import RuleProjection


def cheaper_result_axes(projection: RuleProjection) -> tuple[int, AxisList] | None:
    """The factor, and its axes in the result, with which the dot should be computed; None to leave it alone."""
    lhs, rhs, result = projection.tensors
    contracting = projection.rule.reduction
    own: list[AxisList] = []
    one_sided: list[AxisList] = []
    for left, right in zip(lhs, rhs, strict=True):
        if left is not None and right is not None:
            if left.axes != right.axes:
                return None
            own.append(left.axes)
        else:
            only = left or right
            own.append(() if only is None else only.axes)
            one_sided.append(own[-1])
    if any(any_overlap(axes, other) for i, axes in enumerate(one_sided) for other in one_sided[:i]):
        return None
    differing = [
        factor
        for factor, sharding in enumerate(result)
        if factor not in contracting and sharding is not None and sharding.axes != own[factor]
    ]
    if len(differing) != 1:
        return None
    factor = differing[0]
    wanted = result[factor]
    assert wanted is not None
    contracted = tuple(axis for index in contracting for axis in own[index])
    if not own[factor] or not wanted.axes or wanted.axes != contracted:
        return None
    operand = max(n for n, tensor in zip(projection.elements, (lhs, rhs), strict=False) if tensor[factor] is not None)
    return (factor, own[factor]) if projection.elements[2] <= operand else None
