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
from sdy.passes.partitioning.resharding.layout_costs import Changes, LayoutCosts, beside, follow, more_work
from sdy.passes.partitioning.resharding.layout_graph import Node, Tensor
from sdy.passes.partitioning.resharding.op_layouts import Placed

_MOST_OPS = 96
"""Ops of a region; it spreads no further."""


def region(node: Node, placed: Placed, costs: LayoutCosts, total: float, least: float) -> tuple[Changes, float] | None:
    """Return the changes of a region around a node that gets other layouts, and the seconds that they save.

    `total` are the seconds of all tensors. None if the changes save less than `least`.
    """
    spread = _spread(node, placed, costs, total)
    changes = _cheapest_part(node, spread, costs, least) if spread else {}
    found = costs.saved(changes, least) if changes else None
    return None if found is None else (changes, found[0])


def _cheapest_part(node: Node, spread: Changes, costs: LayoutCosts, least: float) -> Changes:
    """Return the changes of the part of a region with a node that save most: those on one side of a minimum cut.

    None at all if they save less than `least`.
    """
    cut = _RegionCut(node, spread, costs)
    for each in spread:
        cut.add_work(each)
    for tensor in beside(spread):
        cut.add_tensor(tensor)
    return cut.cheapest(least)


_UNIT = 1e18
"""Capacity of an edge for each second."""

_ENDLESS = 1e9
"""Seconds of a reshard that is impossible, such as one between meshes."""


class _RegionCut:
    """A network of ops; those on the side of the source change, and `node` is the source."""

    def __init__(self, node: Node, spread: Changes, costs: LayoutCosts) -> None:
        self._spread = spread
        self._costs = costs
        self._network = FlowNetwork()
        self._numbers = {each: FlowNetwork.SOURCE if each is node else self._network.add_node() for each in spread}
        self._saved = dict.fromkeys(self._numbers.values(), 0)
        """Seconds, in units, that each op saves by changing alone, by number of its node."""
        self._most = 0
        """Seconds, in units, that ops save only by changing together."""

    def cheapest(self, least: float) -> Changes:
        """Return the changes of the ops on the side of the source; none if they save less than `least` seconds."""
        network = self._network
        most = self._most + self._saved.pop(FlowNetwork.SOURCE) - round(least * _UNIT)
        for number, saved in self._saved.items():
            if saved > 0:
                network.add_edge(FlowNetwork.SOURCE, number, saved)
                most += saved
            elif saved < 0:
                network.add_edge(number, FlowNetwork.SINK, -saved)
        if not network.push(most):
            return {}
        side = network.minimum_cut()
        return {each: placed for each, placed in self._spread.items() if self._numbers[each] in side}

    def add_work(self, node: Node) -> None:
        """Add the seconds that a changed node computes longer."""
        self._add([self._numbers[node]], more_work(node, self._spread[node]))

    def add_tensor(self, tensor: Tensor) -> None:
        """Add the seconds of a tensor where its maker changes, its users do, or both.

        Users that change to one layout count as one: what that costs is spent if one of them changes, what it saves is
        saved if all of them do.
        """
        before = after = self._price(tensor, {})
        maker, made = None, {}
        if (node := tensor.known.node) is not None and node in self._spread:
            maker, made = self._numbers[node], {node: self._spread[node]}
            after = self._price(tensor, made)
            self._add([maker], after - before)
        for taken in self._taken(tensor):
            users = [self._numbers[each] for each in taken]
            both = self._price(tensor, made | taken)
            self._add(users, both - after)
            if maker is not None:
                self._add_without(maker, users, self._price(tensor, taken) - before - (both - after))

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

    def _add(self, nodes: Sequence[int], seconds: float) -> None:
        """Add seconds taken if one of the nodes changes; negative ones are saved if all of them do."""
        saved = -round(seconds * _UNIT)
        if len(nodes) == 1:
            self._saved[nodes[0]] += saved
        elif saved < 0:
            self._network.add_edge(self._one_of(nodes), FlowNetwork.SINK, -saved)
        elif saved:
            self._most += saved
            everyone = self._network.add_node()
            self._network.add_edge(FlowNetwork.SOURCE, everyone, saved)
            for each in nodes:
                self._network.add_edge(everyone, each, UNLIMITED)

    def _add_without(self, maker: int, users: Sequence[int], seconds: float) -> None:
        """Add seconds taken if one of the users changes and the maker does not."""
        if (capacity := round(seconds * _UNIT)) > 0:
            self._network.add_edge(self._one_of(users), maker, capacity)

    def _one_of(self, nodes: Sequence[int]) -> int:
        """Return a node on the side of the source if one of the nodes is."""
        if len(nodes) == 1:
            return nodes[0]
        found = self._network.add_node()
        for each in nodes:
            self._network.add_edge(each, found, UNLIMITED)
        return found


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
