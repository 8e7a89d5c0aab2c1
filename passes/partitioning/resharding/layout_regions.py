"""Changes of whole regions: an op gets other layouts, and so do all ops around it for which that takes less time.

    %0 = sdy.reshard %k <@mesh, [{}, {}]>
    %1 = stablehlo.dot_general %q, %0 {... [{}, {"x"}, {}]}
    %2 = stablehlo.exponential %1 {... [{}, {"x"}, {}]}
    %3 = stablehlo.dot_general %2, %v {... [{}, {"x"}, {}]}
==> all along heads, [{"x"}, {}, {}], with operands and the result moved between dimensions.

Layouts spread from the op along tensors, as far as ops allow. A minimum cut then tells which of the ops change.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.lowering.layout import Layout
from sdy.passes.partitioning.analysis.minimum_cut import UNLIMITED, FlowNetwork
from sdy.passes.partitioning.resharding.layout_graph import (
    Changes,
    LayoutCosts,
    Node,
    Tensor,
    beside,
    follow,
    more_work,
)
from sdy.passes.partitioning.resharding.op_layouts import Placed

_MOST_OPS = 96
"""Ops of a region; it spreads no further."""


def region(node: Node, placed: Placed, costs: LayoutCosts, total: float) -> tuple[Changes, float] | None:
    """Return the changes of a region around a node that gets other layouts, and the seconds that they save.

    `total` are the seconds of all tensors. None if the changes save nothing.
    """
    spread = _spread(node, placed, costs, total)
    changes = _cheapest_part(node, spread, costs) if spread else {}
    found = costs.saved(changes, 0.0) if changes else None
    return None if found is None else (changes, found[0])


def _cheapest_part(node: Node, spread: Changes, costs: LayoutCosts) -> Changes:
    """Return the changes of the part of a region with a node that save most: those on one side of a minimum cut."""
    cut = _RegionCut(spread, costs)
    cut.changes_anyway(node)
    for each in spread:
        cut.add_work(each)
    for tensor in beside(spread):
        cut.add_tensor(tensor)
    return cut.cheapest()


_UNIT = 1e18
"""Capacity of an edge for each second."""

_ENDLESS = 1e9
"""Seconds of a reshard that is impossible, such as one between meshes."""


class _RegionCut:
    """A network of ops; those on the side of the source change."""

    def __init__(self, spread: Changes, costs: LayoutCosts) -> None:
        self._spread = spread
        self._costs = costs
        self._network = FlowNetwork()
        self._numbers = {each: self._network.add_node() for each in spread}

    def cheapest(self) -> Changes:
        """Return the changes of the ops on the side of the source."""
        side = self._network.minimum_cut()
        return {each: placed for each, placed in self._spread.items() if self._numbers[each] in side}

    def changes_anyway(self, node: Node) -> None:
        """Keep a node on the side of the source."""
        self._network.add_edge(FlowNetwork.SOURCE, self._numbers[node], UNLIMITED)

    def add_work(self, node: Node) -> None:
        """Add the seconds that a changed node computes longer."""
        self._add(self._numbers[node], more_work(node, self._spread[node]))

    def add_tensor(self, tensor: Tensor) -> None:
        """Add the seconds of a tensor where its maker changes, its users do, or both.

        Users that change to one layout count as one: what that costs is spent if one of them changes, what it saves is
        saved if all of them do.
        """
        before = after = self._price(tensor, {})
        maker, made = FlowNetwork.SINK, {}
        if (node := tensor.known.node) is not None and node in self._spread:
            maker, made = self._numbers[node], {node: self._spread[node]}
            after = self._price(tensor, made)
            self._add(maker, after - before)
        for taken in self._taken(tensor):
            both = self._price(tensor, made | taken)
            only_taken = self._price(tensor, taken) if made else both
            users = [self._numbers[each] for each in taken]
            self._any(FlowNetwork.SINK, users, both - after, changes=True)
            self._any(FlowNetwork.SOURCE, users, after - both, changes=False)
            self._any(maker, users, only_taken - before - (both - after), changes=True)

    def _price(self, tensor: Tensor, changes: Changes) -> float:
        return min(_ENDLESS, self._costs.under(tensor, changes) if changes else self._costs.of(tensor))

    def _taken(self, tensor: Tensor) -> list[Changes]:
        """Return the changes of users of a tensor, by the layout that they then need."""
        groups: dict[Layout, Changes] = {}
        for want in tensor.wants:
            node = want.known.node
            if node is not None and node in self._spread:
                groups.setdefault(self._spread[node].layouts[want.number], {})[node] = self._spread[node]
        return list(groups.values())

    def _add(self, number: int, seconds: float) -> None:
        """Add seconds that a change of a node takes, or saves if they are negative."""
        if seconds > 0:
            self._edge(number, FlowNetwork.SINK, seconds)
        else:
            self._edge(FlowNetwork.SOURCE, number, -seconds)

    def _any(self, other: int, users: Sequence[int], seconds: float, *, changes: bool) -> None:
        """Add seconds taken if one of the users changes and another node does not, or the other way round."""
        if round(seconds * _UNIT) <= 0:
            return
        joint = users[0] if len(users) == 1 else self._network.add_node()
        for each in users if len(users) > 1 else ():
            self._network.add_edge(*((each, joint) if changes else (joint, each)), UNLIMITED)
        self._edge(*((joint, other) if changes else (other, joint)), seconds)

    def _edge(self, start: int, end: int, seconds: float) -> None:
        if capacity := round(seconds * _UNIT):
            self._network.add_edge(start, end, capacity)


def _spread(node: Node, placed: Placed, costs: LayoutCosts, most: float) -> Changes:
    """Return layouts of the nodes around a node that fit its new ones, each tensor in the first layout that it gets.

    None at all as soon as their work, and the tensors between ops that are laid out, take longer than `most`: half of
    the ops are then never looked at.
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
            for end in () if tensor.node is None else (tensor,) if tensor.is_free else (tensor, *tensor.wants):
                if len(order) < _MOST_OPS and (other := follow(end, layout, changes)) is not None:
                    order.append(other)
                    spent += more_work(other, changes[other])
            if all(each.is_fixed or each.node in changes for each in tensor.ends):
                spent += costs.under(tensor, changes)
            if spent > most:
                return {}
    return changes
