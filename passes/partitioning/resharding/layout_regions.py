"""Changes of whole regions: an op gets other layouts, and so do all ops around it for which that takes less time.

    %0 = sdy.reshard %k <@mesh, [{}, {}]>
    %1 = stablehlo.dot_general %q, %0 {... [{}, {"x"}, {}]}
    %2 = stablehlo.exponential %1 {... [{}, {"x"}, {}]}
    %3 = stablehlo.dot_general %2, %v {... [{}, {"x"}, {}]}
==> all along heads, [{"x"}, {}, {}], with operands and the result moved between dimensions.

Layouts spread from the op along tensors, as far as ops allow. Then ops leave the region where a reshard takes less.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdy.passes.partitioning.resharding.layout_graph import Changes, LayoutCosts, Node, Tensor, beside, more_work
from sdy.passes.partitioning.resharding.op_layouts import Placed

_MOST_OPS = 96
"""Ops of a region; it spreads no further."""


def region(node: Node, placed: Placed, costs: LayoutCosts, least: float, total: float) -> tuple[Changes, float] | None:
    """Return the changes of a region around a node that gets other layouts, and the seconds that they save.

    `total` are the seconds of all tensors. None if the changes save less than `least` before ops leave the region.
    """
    changes = _spread(node, placed, costs, total - least)
    found = costs.saved(changes, least) if changes else None
    if found is None:
        return None
    saved, prices = found
    for each in list(changes)[:0:-1]:
        placed = changes.pop(each)
        tensors = beside([each])
        spent = more_work(each, placed) + sum(prices[tensor] for tensor in tensors)
        alone = {} if spent <= 0 else {tensor: costs.under(tensor, changes) for tensor in tensors}
        if (less := spent - sum(alone.values())) > 0:
            prices |= alone
            saved += less
        else:
            changes[each] = placed
    return changes, saved


def _spread(node: Node, placed: Placed, costs: LayoutCosts, most: float) -> Changes:
    """Return layouts of the nodes around a node that fit its new ones, each tensor in the first layout that it gets.

    None at all as soon as their work, and the tensors between ops that are laid out, take longer than `most`: half of
    the ops are then never looked at (6,003 of 12,391 in 62 programs, 8 % of the search).
    """
    changes, spent = {node: placed}, more_work(node, placed)
    order, seen = [node], set()
    for each in order:
        for tensor, layout in zip((*each.operands, *each.results), changes[each].layouts, strict=True):
            if len(order) == _MOST_OPS:
                return changes
            if tensor in seen:
                continue
            seen.add(tensor)
            for other, number in _ends(tensor):
                if other not in changes and len(order) < _MOST_OPS:
                    found = other.kind.following(number, layout, other.placed)
                    if found is not None:
                        changes[other] = found
                        order.append(other)
                        spent += more_work(other, found)
            if all(each.is_fixed or each.node in changes for each in tensor.ends):
                spent += costs.under(tensor, changes)
            if spent > most:
                return {}
    return changes


def _ends(tensor: Tensor) -> Iterator[tuple[Node, int]]:
    """Yield the nodes that make and take a tensor that may change, with its number in their rules."""
    maker = tensor.node
    if maker is None:
        return
    yield maker, len(maker.placed.layouts) - 1
    for want in () if tensor.is_free else tensor.wants:
        if (user := want.node) is not None:
            yield user, want.number
