"""Price the tensors and ops of a layout graph in seconds: reshards, sums, and the work of devices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.axes import AxisList, product
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.memory_budget import SMALL
from sdy.passes.partitioning.reshard_planning.reshard_search import padded_reshard_bytes, reshard_bytes
from sdy.passes.partitioning.resharding.layout_graph import LayoutGraph, Node, Tensor, Want
from sdy.passes.partitioning.resharding.op_layouts import FUSED, Placed

Changes = dict[Node, Placed]
"""Other layouts of some nodes."""


class LayoutCosts:
    """Seconds of tensors and nodes of a graph."""

    def __init__(self, graph: LayoutGraph) -> None:
        self._graph = graph
        self._layouts = graph.layouts
        self._bandwidth = graph.machine.bandwidth * graph.machine.directions
        self._memory = graph.machine.memory_bandwidth
        self.fuses = False
        """True once slices of replicated tensors count as fused, like ops that move elements."""
        self._known: dict[Tensor, float | None] = {}
        self._reshards: dict[tuple[Layout, Layout], tuple[float, float]] = {}
        self._sums: dict[tuple[Layout, AxisList, Layout], Layout] = {}

    def total(self) -> float:
        """Return the seconds of all tensors that were ever asked for."""
        return sum(map(self.of, list(self._known)))

    def step(self) -> float:
        """Return the predicted seconds of a step: of these tensors, and of the work of all nodes asked for."""
        return self.total() + sum(node.rounds * node.placed.seconds for node in self._graph.nodes)

    def fuse_slices(self) -> None:
        """Count slices of replicated tensors as fused from now on."""
        self.fuses = True
        self._reshards.clear()
        self.forget(self._known)

    def forget(self, tensors: Iterable[Tensor]) -> None:
        """Forget the costs of tensors, after a node next to them has changed."""
        self._known |= dict.fromkeys(tensors)

    def of(self, tensor: Tensor) -> float:
        """Return the seconds of the sum and the reshards of a tensor."""
        found = self._known.get(tensor)
        if found is None:
            found = self._known[tensor] = self.under(tensor, {})
        return found

    def under(self, tensor: Tensor, changes: Changes) -> float:
        """Return the seconds with other assignments of some nodes."""
        made, partial = made_under(tensor, changes)
        wanted = wanted_by_users(tensor, changes, None if partial else made)
        if not wanted and not partial:
            return 0.0
        seconds = 0.0
        if partial:
            base = self._scattered(made, partial, *wanted) if len(wanted) == 1 else made
            along = made.local_bytes / base.local_bytes
            if along == 1 and len(wanted) == 1:
                along = self._scattered_later(tensor, partial, changes)
            joined = sum(made_under(each, changes)[1] == partial for each in tensor.sums)
            sent = tensor.rounds_of_sum(partial) * _sum_bytes(made, partial, along) / max(1, joined)
            seconds += sent / self._bandwidth
            made = base
        for layout, rounds in wanted.items():
            if layout is not made:
                sent, written = self._reshard(made, layout)
                if any(map(made.is_sharded, tensor.sliced)):
                    sent = min(sent, self._summed_slice(made, layout, tensor, changes))
                seconds += rounds * (written if tensor.is_free else sent + written)
        return seconds

    def saved(self, changes: Changes, least: float) -> tuple[float, dict[Tensor, float]] | None:
        """Return the seconds that changes save, and those of the tensors next to changed nodes.

        None if they save less than `least`.
        """
        tensors, prices = beside(changes), {}
        saved = sum(map(self.of, tensors)) - sum(map(more_work, changes, changes.values()))
        for tensor in tensors:
            if saved < least:
                break
            prices[tensor] = self.under(tensor, changes)
            saved -= prices[tensor]
        return None if saved < least else (saved, prices)

    def _reshard(self, have: Layout, want: Layout) -> tuple[float, float]:
        """Return the seconds in which a tensor is sent for another layout, and those in which it is written."""
        found = self._reshards.get((have, want))
        if found is None:
            found = (0.0, 0.0)
            if have.placement != want.placement:
                sent, written = reshard_bytes(have, want), want.local_bytes
                if sent:
                    sent = min(sent, padded_reshard_bytes(have, want, self._layouts))
                if not sent and self.fuses:
                    written *= FUSED
                found = sent / self._bandwidth, written / self._memory
            self._reshards[have, want] = found
        return found

    def _summed_slice(self, have: Layout, want: Layout, tensor: Tensor, changes: Changes) -> float:
        """Return the seconds to sum a slice along sharded dimensions and to reshard it, less those of its exchange."""
        assert have.sharding is not None
        whole = self._layouts.of(have.type, have.sharding.replicated_along(tensor.sliced).close())
        count = math.prod(have.shards[dim] for dim in tensor.sliced)
        summed = moved_bytes("all_reduce", count, whole.local_bytes) / self._bandwidth + self._reshard(whole, want)[0]
        node = tensor.known.node
        return max(0.0, summed - (0.0 if node is None else changes.get(node, node.placed).exchange))

    def _scattered_later(self, tensor: Tensor, partial: AxisList, changes: Changes) -> float:
        """Return along how many devices a sum is scattered behind linear ops that follow it."""
        for user in tensor.linear_users:
            tensor = tensor.graph.tensor(user.results[0])
            wanted = wanted_by_users(tensor, changes)
            if len(wanted) != 1:
                return 1.0
            made, _ = made_under(tensor, changes)
            base = self._scattered(made, partial, *wanted)
            if base is not made:
                return made.local_bytes / base.local_bytes
        return 1.0

    def _scattered(self, made: Layout, partial: AxisList, wanted: Layout) -> Layout:
        """Return the layout of a sum scattered as far as `wanted` allows; `made` if that is impossible."""
        if made is wanted or made.mesh is None or made.sharding is None or wanted.sharding is None:
            return made
        key = (made, partial, wanted)
        if key not in self._sums:
            pairs = zip(made.dim_axes, wanted.dim_axes, strict=True)
            dims = tuple(_scattered_axes(partial, have, want) for have, want in pairs)
            sharding = TensorSharding.from_axes(made.sharding.mesh_or_ref, dims)
            self._sums[key] = made if dims == made.dim_axes else self._layouts.of(made.type, sharding)
        return self._sums[key]


def follow(end: Tensor | Want, layout: Layout, changes: Changes) -> Node | None:
    """Give the op at an end of a tensor another layout there; return its node, or None if the op stays unchanged.

    A node is only made where the layout is another one. Gathers and scatters do not begin to sum by it.
    """
    node = end.known.node
    now = end.layout if node is None else node.placed.layouts[end.number]
    if now.placement == layout.placement or (node := end.node) is None or node in changes:
        return None
    found = node.kind.following(end.number, layout, node.placed)
    if found is None or (node.is_lookup and not {*found.partial} <= {*node.placed.partial}):
        return None
    changes[node] = found
    return node


def made_under(tensor: Tensor, changes: Changes) -> tuple[Layout, AxisList]:
    """Return the layout in which a tensor is made, and the axes along which it is partial."""
    node = tensor.known.node
    if node is None:
        return tensor.layout, ()
    placed = changes.get(node, node.placed)
    return placed.layouts[-1], placed.partial


def beside(nodes: Iterable[Node]) -> list[Tensor]:
    """Return the tensors next to nodes, and the tensors added to them."""
    operands = [tensor for node in nodes for tensor in node.operands]
    added = [tensor for node in nodes for tensor in node.results[0].sums]
    return list(dict.fromkeys(operands + added))


def more_work(node: Node, placed: Placed) -> float:
    """Return the seconds that a node computes longer under other layouts."""
    return node.rounds * (placed.seconds - node.placed.seconds)


def wanted_layouts(tensor: Tensor, changes: Changes) -> list[Layout]:
    """Return the layout that each user wants."""
    return [
        want.layout if (node := want.known.node) is None else changes.get(node, node.placed).layouts[want.number]
        for want in tensor.wants
    ]


def wanted_by_users(tensor: Tensor, changes: Changes, but: Layout | None = None) -> dict[Layout, int]:
    """Return the layouts that users need, without `but`, each with the number of reshards.

    That is the most rounds of one user, for each branch of a conditional unless an op in front of it has the layout.
    """
    found: dict[Layout, int] = {}
    for want in tensor.wants:
        node = want.known.node
        layout = want.layout if node is None else changes.get(node, node.placed).layouts[want.number]
        if layout is not but:
            found[layout] = max(_rounds(want, layout), found.get(layout, 0))
    if not tensor.in_front:
        return found
    wanted = list(zip(tensor.wants, wanted_layouts(tensor, changes), strict=True))
    return {
        layout: _rounds_in_branches(tensor, [want for want, each in wanted if each == layout], layout)
        for layout in found
    }


def _rounds(want: Want, layout: Layout) -> int:
    return want.hoisted if want.rounds > 1 and layout.local_bytes <= SMALL else want.rounds


def _rounds_in_branches(tensor: Tensor, wants: Sequence[Want], layout: Layout) -> int:
    by_branch: dict[ir.Block, int] = {}
    for want in wants:
        if not any(each in wants for each in tensor.in_front[want]):
            by_branch[want.branch] = max(_rounds(want, layout), by_branch.get(want.branch, 0))
    return sum(by_branch.values())


def _scattered_axes(partial: AxisList, have: AxisList, want: AxisList) -> AxisList:
    """Return the axes of a dimension of a sum, with those of `partial` behind them that `want` has there."""
    count = len(have)
    if want[:count] == have:
        while count < len(want) and want[count] in partial:
            count += 1
        return want[:count]
    return have


def _sum_bytes(made: Layout, partial: AxisList, along: float) -> float:
    assert made.mesh is not None
    group = product(partial, made.mesh.axis_sizes)
    along = min(along, group)
    scattered = moved_bytes("reduce_scatter", round(along), made.local_bytes)
    return scattered + moved_bytes("all_reduce", round(group / along), made.local_bytes / along)
