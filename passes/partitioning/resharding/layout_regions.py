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

from sdy.dialect.lowering.layout import Layout
from sdy.passes.partitioning.resharding.layout_graph import Changes, LayoutCosts, Node, Tensor
from sdy.passes.partitioning.resharding.op_layouts import Placed

_MOST_OPS = 96
"""Ops of a region; it spreads no further."""


def beside(nodes: Changes | list[Node]) -> list[Tensor]:
    """Return the tensors next to nodes, and the tensors added to them."""
    found = dict.fromkeys(tensor for node in nodes for tensor in node.operands)
    found.update((tensor, None) for node in nodes for each in node.results for tensor in each.sums)
    return list(found)


def region(node: Node, placed: Placed, costs: LayoutCosts, least: float) -> tuple[Changes, float] | None:
    """Return the changes of a region around a node that gets other layouts, and the seconds that they save.

    None if they save less than `least` before ops leave the region.
    """
    changes = _spread(node, placed)
    order = list(changes)
    tensors = beside(order)
    saved = sum(map(costs.of, tensors)) - sum(map(_more_work, order, changes.values()))
    prices: dict[Tensor, float] = {}
    for tensor in tensors:
        prices[tensor] = costs.under(tensor, changes)
        saved -= prices[tensor]
        if saved < least:
            return None
    for each in order[:0:-1]:
        found = changes.pop(each)
        spent = _more_work(each, found) + sum(prices[tensor] for tensor in beside([each]))
        alone = {} if spent <= 0 else {tensor: costs.under(tensor, changes) for tensor in beside([each])}
        if (less := spent - sum(alone.values())) > 0:
            prices |= alone
            saved += less
        else:
            changes[each] = found
    return changes, saved


def _more_work(node: Node, placed: Placed) -> float:
    return node.rounds * (placed.seconds - node.placed.seconds)


def _spread(node: Node, placed: Placed) -> Changes:
    """Return layouts of the nodes around a node that fit its new ones, each tensor in the first layout that it gets."""
    changes = {node: placed}
    order, seen = [node], set()
    for each in order:
        placed = changes[each]
        for tensor, layout in zip((*each.operands, *each.results), (*placed.operands, placed.result), strict=True):
            if tensor in seen or (maker := tensor.node) is None:
                continue
            seen.add(tensor)
            for other, number in _ends(tensor, maker):
                if other not in changes and len(order) < _MOST_OPS:
                    found = _following(other, number, layout)
                    if found is not None:
                        changes[other] = found
                        order.append(other)
    return changes


def _ends(tensor: Tensor, maker: Node) -> Iterator[tuple[Node, int]]:
    """Yield the nodes that make and take a tensor, with its number in their rules."""
    yield maker, len(maker.op.operands)
    for want in () if tensor.is_free else tensor.wants:
        if (user := want.node) is not None:
            yield user, want.number


def _following(node: Node, number: int, layout: Layout) -> Placed | None:
    placed = node.placed
    now = placed.operands[number] if number < len(placed.operands) else placed.result
    if now is layout or now.placement == layout.placement:
        return None
    found = node.kind.following(number, layout, placed)
    return None if found is placed else found
