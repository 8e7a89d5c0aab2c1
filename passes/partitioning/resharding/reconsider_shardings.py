"""Changes the layouts of ops after propagation, where devices then send less and take less time in total.

    %0 = sdy.reshard %x <@mesh, [{}, {"x"}]> : tensor<512x64xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {... [{}, {}], unreduced={"x"}} : ...
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<512x64xf32>
==> %0 = sdy.reshard %w <@mesh, [{}, {}]> : tensor<64x64xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {... [{}, {}]} : ...

Here %x is replicated and %w is sharded as [{"x"}, {}]. The program is a graph: tensors as they are made, and the
layouts that their users need. Ops with one result that compute or move elements may get other layouts; dimensions along
which an op needs elements of other devices stay as they are, or become replicated; those of slices and pads may also be
sharded anew, for what they then send. All other ops keep theirs, and so do values that enter or leave a region, and
shardings and reshards of the user. At each op next to a reshard or a sum, and at each reshape of uneven parts,
candidates are the layouts of its operands, those that its users and other users of its operands need, and combinations
of these; ops in front of it and behind it may follow. The change that saves most seconds is made, or the part of it
that saves more. Then whole regions change around the dearest ops, and last the sums of gathers and scatters.

Cost model: bytes over the bandwidth, operations over the FLOPs, tensors written over the bandwidth of the memory; in a
loop for each round. A small reshard of a loop-invariant value counts once, and so do sums accumulated by a loop. Sums
that are added to one another share their cost. A sum that is then sliced is a reduce-scatter; users of one tensor in
one layout share its reshard, except in different branches of a conditional. A slice along a sharded dimension is sent,
or summed; for windows that reach far the dimension is gathered. A slice of a replicated tensor is written, and fused
once it lets a product compute less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ir_builders.with_sharding import erase_unused, set_sharding, uses_of
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import replace
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.costs.machine import machine_to_compare_for
from sdy.passes.options import option
from sdy.passes.partitioning.analysis.memory_budget import KeptBytesOptions, LiveBytes, Span
from sdy.passes.partitioning.resharding.layout_costs import (
    Changes,
    LayoutCosts,
    beside,
    follow,
    made_under,
    wanted_by_users,
    wanted_layouts,
)
from sdy.passes.partitioning.resharding.layout_graph import (
    GIVEN,
    RESHAPE,
    RESHARD,
    SUM,
    LayoutGraph,
    Node,
    Tensor,
    Want,
)
from sdy.passes.partitioning.resharding.layout_regions import region
from sdy.passes.partitioning.resharding.op_layouts import (
    Offer,
    Placed,
    may_be_laid_out,
)
from sdy.passes.pattern_sets import Rewriter, function_pattern

_SWEEPS = 8
"""Times that all ops are looked at, at most; most programs need two or three."""

_SLIGHT = 1e-2
"""Part of what the dearest tensor takes for which no op is laid out anew."""

_DEAR, _HOPELESS = 0.25, 1.5
"""Parts of what an op's tensors take by which a change of it may be dearer before other ops follow it: such that the
peak of memory counts, and at most."""

_DEAREST = 2
"""Ops around which regions are changed, once nothing else helps."""

_SHARE = 0.1
"""Part of the cost of all tensors that such an op's tensors have at least."""

_WORTH = 0.2
"""Part of the cost of the op's tensors that such a change, or that of a sum of a gather or scatter, saves at least."""

_WORTH_OF_STEP = 0.05
"""Part of the predicted step that the change of a region may save instead."""

_WORTH_ALIKE = 0.1
"""Part of that cost that ops which take a tensor save at least if they are laid out alike."""

_PEAK = 1.3
"""Growth of the peak of memory that such a change may cause, as a factor."""

_FOLLOWS = 8
"""Ops in a row that follow another one."""

_MOST_CHANGES = 12
"""Ops that are laid out anew together."""


@dataclass(frozen=True)
class ReshardOptions(KeptBytesOptions):
    """Options of patterns that weigh reshards."""

    machine: str = option(
        "",
        "target machine, such as 'flops=2e14 bandwidth=5e10'; by default a generic one",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        machine_to_compare_for(self.machine)


@function_pattern("reconsider-shardings")
def reconsider_shardings(func: ir.Operation, rewriter: Rewriter[ReshardOptions]) -> bool:
    """Change the layouts of ops so that they and the reshards around them take less time.

    %0 = sdy.reshard %x <@mesh, [{}, {"x"}]> : tensor<512x64xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {... [{}, {}], unreduced={"x"}} : ...
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<512x64xf32>
    ==>  %0 = sdy.reshard %w <@mesh, [{}, {}]> : tensor<64x64xf32>
         %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {... [{}, {}]} : ...
    """
    graph = LayoutGraph(func, rewriter.layouts, machine_to_compare_for(rewriter.options.machine))
    ops = [op for op in ops_named(func, RESHARD, SUM, RESHAPE) if op.name != RESHAPE or graph.is_uneven(op)]
    changed = _Search(graph, ops).run() if ops else []
    beside = [
        (tensor, made_under(tensor, {})[0], list(zip(tensor.wants, wanted_layouts(tensor, {}), strict=True)))
        for tensor in dict.fromkeys(tensor for node in changed for tensor in (*node.operands, *node.results))
    ]
    for node in changed:
        _carry_out(node)
    for tensor, made, wants in beside:
        _connect(tensor, made, wants)
    graph.release()
    given = [op for op in ops_with(func, GIVEN) if op.name != RESHARD]
    for op in given:
        del op.attributes[GIVEN]
    return bool(changed or given)


@function_pattern("given-shardings")
def mark_given_shardings(func: ir.Operation, _: Rewriter) -> bool:
    """Mark constraints, reshards and shardings of ops of the user or a plan: they stay where layouts are weighed.

    Fully open constraints ask for nothing: JAX writes them in partly manual functions.

    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<8xf32>
    ==>  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
    """
    found = ops_named(func, RESHARD, "sdy.sharding_constraint")
    found = [op for op in found if not attributes.get(op, "sharding").is_fully_open]
    found += [op for op in ops_with(func, SHARDING) if may_be_laid_out(op)]
    for op in found:
        op.attributes[GIVEN] = ir.UnitAttr.get(func.context)
    return bool(found)


# The search ------------------------------------------------------------------------------------------


class _Search:
    """Improves the nodes next to reshards and sums one after the other."""

    def __init__(self, graph: LayoutGraph, ops: Sequence[ir.Operation]) -> None:
        self._costs = LayoutCosts(graph)
        self._nodes: dict[Node, None] = {}
        self._moved: dict[Tensor, None] = {}
        self._done: set[tuple] = set()
        self._numbers: dict[Tensor, int] = {}
        self._alike: dict[tuple, int] = {}
        self._ways: dict[tuple, list[Placed]] = {}
        self._graph = graph
        self._live: LiveBytes | None = None
        self._sums_lookups = False
        """True once sums of gathers and scatters may change."""
        tensors = dict.fromkeys(graph.tensor(op.results[0]) for op in ops)
        self._slight = _SLIGHT * max(filter(math.isfinite, map(self._costs.of, tensors)), default=0.0)
        for tensor in tensors:
            self._add(tensor)
        self._nodes.update((node, None) for op in ops if op.name == RESHAPE and (node := graph.node(op)) is not None)

    def _add(self, tensor: Tensor) -> None:
        if self._costs.of(tensor) <= self._slight:
            return
        nodes = (tensor.node, *(want.node for want in tensor.wants))
        self._nodes.update((node, None) for node in nodes if node is not None)

    def _add_dear(self) -> bool:
        """Add the nodes next to tensors that changes made dear, once nothing else helps; return whether any is new."""
        before = len(self._nodes)
        for tensor in self._moved:
            self._add(tensor)
        self._moved.clear()
        return len(self._nodes) > before

    def _sum_lookups(self) -> bool:
        """Let sums of gathers and scatters change from now on; return whether there are any such ops.

        Other ops may need the same table whole, and find their layouts first.
        """
        lookups = [] if self._sums_lookups else [node for node in self._nodes if node.is_lookup]
        self._sums_lookups = True
        for node in lookups:
            known = self._signature(node)
            self._done.discard(known)
            self._ways.pop(known, None)
        return bool(lookups)

    def run(self) -> list[Node]:
        """Return the nodes that have got another assignment.

        Products get to compute less with slices of replicated operands last: counted as fused from the beginning, such
        slices would be preferred to what sends less.
        """
        changed = self._sweeps()
        self._nodes = {node: None for node in self._nodes if node.kind.is_product}
        if self._nodes:
            self._costs.fuse_slices()
            self._done.clear()
            self._ways.clear()
            changed |= self._sweeps()
        return [node for node in changed if node.placed is not node.given]

    def _sweeps(self) -> dict[Node, None]:
        """Improve the nodes until nothing helps; return those changed."""
        changed: dict[Node, None] = {}
        is_settled = False
        for sweep in range(_SWEEPS):
            nodes = list(self._nodes)
            in_order = [node for node in (reversed(nodes) if sweep % 2 else nodes) if node.is_lookup or not is_settled]
            in_order.sort(key=lambda node: node.is_lookup)  # others may have a table gathered in any case
            found = [each for node in in_order for each in self._improve(node)]
            if not found and self._add_dear():
                continue
            if not found and is_settled:
                break
            if not found and not (found := self._improve_users(nodes) or self._improve_dearest(nodes)):
                is_settled = self._sum_lookups()
                if is_settled:
                    continue
                break
            is_settled = False
            changed.update(dict.fromkeys(found))
        return changed

    def _improve(self, node: Node) -> list[Node]:
        """Apply the best change that starts at a node; return the changed nodes."""
        most = self._cost(node)
        if most <= self._slight or (known := self._signature(node)) in self._done:
            return []
        best, gain = None, _WORTH * most if node.is_lookup and self._sums_lookups else 1e-15
        least = -_HOPELESS * most
        candidates = self._candidates(node, most)
        for placed in candidates:
            alone: Changes = {node: placed}
            if (found := self._costs.saved(alone, least)) is None:
                continue
            saved, prices = found
            if saved > gain * 1.0001:
                best, gain = alone, saved
            is_dear = saved < -_DEAR * most
            for changes in self._with_followers(node, alone, prices):
                if (found := self._costs.saved(changes, least)) is None:
                    break
                if found[0] > gain * 1.0001 and (not is_dear or self._fits(changes)):
                    best, gain = changes, found[0]
        if best is None:
            self._done.add(known)
            return []
        for changes in _with_other_users(node, candidates) if len(best) > 1 else ():
            found = self._costs.saved(changes, gain)
            if found is not None and found[0] > gain * 1.0001 and self._fits(changes):
                best, gain = changes, found[0]
        for changes in _parts(node, best) if len(best) > 1 else ():
            found = self._costs.saved(changes, gain)
            if found is not None and found[0] > gain * 1.0001 and self._fits(changes):
                best, gain = changes, found[0]
        return self._apply(best)

    def _improve_users(self, nodes: Sequence[Node]) -> list[Node]:
        """Change ops that take a tensor together, once nothing else helps; return the changed nodes.

        This must save `_WORTH_ALIKE`, and `_WORTH` if an op has more to compute; if the tensor is resharded for none of
        them, `_WORTH` of what the tensors of all of them take.
        """
        found: list[Node] = []
        for node in nodes:
            shared = [each for each in node.operands if len(each.wants) > 1 and not each.is_free]
            is_resharded = any(map(self._costs.of, shared))
            if (
                (most := self._cost(node)) <= self._slight
                or not (is_resharded or any(map(self._is_resharded_behind, shared)))
                or (known := ("users", *self._signature(node))) in self._done
            ):
                continue
            self._done.add(known)
            for changes in _with_other_users(node, self._candidates(node, most)):
                computes_more = any(placed.seconds > each.placed.seconds for each, placed in changes.items())
                worth = _WORTH if computes_more or not is_resharded else _WORTH_ALIKE
                least = worth * (most if is_resharded else sum(map(self._cost, changes)))
                if self._costs.saved(changes, least) is not None and self._fits(changes):
                    found += self._apply(changes)
                    break
        return found

    def _is_resharded_behind(self, tensor: Tensor) -> bool:
        """Return whether what several ops make of a tensor is resharded, or summed."""
        nodes = dict.fromkeys(want.known.node for want in tensor.wants)
        return sum(node is not None and self._costs.of(node.results[0]) > self._slight for node in nodes) > 1

    def _improve_dearest(self, nodes: Sequence[Node]) -> list[Node]:
        """Change the region around the op with the dearest tensors, once nothing else helps.

        This must save `_WORTH` or `_WORTH_OF_STEP`, and fit the memory.
        """
        total = sum(map(self._costs.of, {tensor for node in nodes for tensor in (*node.operands, *node.results)}))
        nodes = [node for node in nodes if self._sums_lookups or not (node.is_lookup and node.placed.partial)]
        dear = [node for node in nodes if _SHARE * total <= self._cost(node) < math.inf]
        dearest = sorted(dear, key=self._cost, reverse=True)[:_DEAREST]
        everything, of_step = self._costs.total(), _WORTH_OF_STEP * self._costs.step()
        for node in dearest:
            most = self._cost(node)
            best, gain = None, min(_WORTH * most, of_step)
            for placed in dict.fromkeys((*self._candidates(node, most), *_moved(node))):
                found = region(node, placed, self._costs, everything, gain)
                if found is not None and found[1] > gain and self._fits(found[0]):
                    best, gain = found
            if best is not None:
                return self._apply(best)
        return []

    def _candidates(self, node: Node, most: float) -> list[Placed]:
        """Return other layouts of a node: combined from those of its tensors, or with an operand as others take it."""
        known = self._signature(node)
        if known in self._ways:
            return self._ways[known]
        ways = dict.fromkeys(node.kind.ways(_offers(node), node.placed))
        for number, tensor in enumerate(node.operands):
            have = (made_under(tensor, {})[0], node.placed.layouts[number])
            for layout in dict.fromkeys(wanted_layouts(tensor, {})):
                if layout not in have and (found := node.kind.following(number, layout, node.placed)) is not None:
                    ways[found] = None
        limit = node.placed.seconds + (0.0 if self._costs.fuses else most / node.rounds)
        ways = (each for each in ways if each is not node.placed and each.seconds < limit)
        stays = node.is_lookup and not self._sums_lookups
        found = self._ways[known] = [each for each in ways if not stays or each.partial == node.placed.partial]
        return found

    def _apply(self, changes: Changes) -> list[Node]:
        for node, placed in changes.items():
            node.placed = placed
        tensors = beside(changes)
        for tensor in tensors:
            self._add(tensor)
            self._numbers.pop(tensor, None)
        self._moved |= dict.fromkeys(tensors)
        self._costs.forget(tensors)
        return list(changes)

    def _cost(self, node: Node) -> float:
        sent = sum(map(self._costs.of, (*node.operands, *node.results)))
        return sent + node.rounds * node.placed.exchange

    def _fits(self, changes: Changes) -> bool:
        """Return whether memory peaks at most at `_PEAK` times the peak now, or that of the program as it was.

        `LiveBytes` estimates it. Of reshards of arguments, those count that are no longer made.
        """
        if self._live is None:
            self._live = LiveBytes(self._graph.func, self._graph.layouts)
        given = {each: isinstance(each.value, ir.BlockArgument) for each in beside(changes)}
        spans = [self._freed(each, changes) for each, is_given in given.items() if is_given]
        tensors = [each for each, is_given in given.items() if not is_given]
        before = self._live.peak_with([*spans, *(self._span(each, {}) for each in tensors)])
        after = self._live.peak_with([self._span(each, changes) for each in tensors])
        return after <= _PEAK * max(before, self._live.peak)

    def _span(self, tensor: Tensor, changes: Changes) -> Span:
        """Return when more is held of a result and its reshards than `LiveBytes` knows of."""
        assert self._live is not None
        value = ir.OpResult(tensor.value)
        held = _resharded_bytes(tensor, changes)
        if self._live.is_held(value):
            held += made_under(tensor, changes)[0].local_bytes - self._live.size(value)
        return self._live.span(value, held)

    def _freed(self, tensor: Tensor, changes: Changes) -> Span:
        """Return when less is held of the reshards of an argument."""
        assert self._live is not None
        block = ir.BlockArgument(tensor.value).owner
        users = [self._live.number(want.user, block) for want in tensor.wants]
        freed = _resharded_bytes(tensor, {}) - _resharded_bytes(tensor, changes)
        return Span(block, min(users), max(users), max(0.0, freed))

    def _with_followers(self, node: Node, alone: Changes, prices: Mapping[Tensor, float]) -> Iterator[Changes]:
        """Yield the change of a node together with following ops in front of it, behind it, or both."""
        found = [alone]
        if any(prices[tensor] > self._slight for tensor in node.operands):
            ahead = _followed(alone, node, _ahead)
            if ahead != alone:
                found.append(ahead)
                yield ahead
        if prices[node.results[0]] > self._slight:
            for start in tuple(found):
                both = _followed(start, node, _behind)
                if both not in found:
                    found.append(both)
                    yield both

    def _signature(self, node: Node) -> tuple:
        """Return a key of a node and its neighbourhood; nodes with equal keys have the same possible changes."""
        numbers = map(self._number, (*node.operands, *node.results))
        return (node.kind, node.placed, node.rounds, *numbers)

    def _number(self, tensor: Tensor) -> int:
        """Return the number of all tensors that are made and taken in the same way."""
        found = self._numbers.get(tensor)
        if found is None:
            wants = zip(tensor.wants, wanted_layouts(tensor, {}), strict=True)
            taken = [
                (each.user.name, each.number, layout, each.rounds, each.rounds > 1 and each.hoisted)
                for each, layout in wants
            ]
            if tensor.in_front:
                taken += [want.branch for want in tensor.wants]
            key = (*made_under(tensor, {}), tensor.known.op and tensor.known.op.name, tensor.rounds, *taken)
            found = self._numbers[tensor] = self._alike.setdefault(key, len(self._alike))
        return found


def _resharded_bytes(tensor: Tensor, changes: Changes) -> float:
    """Return the bytes of all reshards of a tensor."""
    made, _ = made_under(tensor, changes)
    return sum(each.local_bytes for each in wanted_by_users(tensor, changes) if each.placement != made.placement)


def _moved(node: Node) -> Iterator[Placed]:
    """Yield layouts with the axes of one factor on another one, from those now and those at first.

    At first, what is gathered now was sharded: it may move between dimensions instead.
    """
    factors = node.kind.factors
    for before in dict.fromkeys((node.placed, node.given)):
        if before is node.placed or not factors.pins(before.assignment):
            yield from node.kind.moved(before.assignment)


def _offers(node: Node) -> list[Offer]:
    """Return the layouts of operands and those that users of the result need, largest tensors first."""
    offers = [
        Offer(number, made_under(tensor, {})[0])
        for number, tensor in enumerate(node.operands)
        if not tensor.is_free and tensor.layout.rank
    ]
    wanted = list(wanted_by_users(node.results[0], {}))[:2]
    offers += [Offer(len(node.operands), layout) for layout in wanted]
    return sorted(offers, key=lambda each: -math.prod(each.layout.shape))


def _with_other_users(node: Node, candidates: Sequence[Placed]) -> Iterator[Changes]:
    """Yield the changes of a node together with the ops that take its operands in the same layouts, if there are any.

    A value that two ops take is then resharded once.
    """
    for placed in candidates:
        changes: Changes = {node: placed}
        for tensor, before, layout in zip(node.operands, node.placed.layouts[:-1], placed.layouts[:-1], strict=True):
            moved = not tensor.is_free and before.placement != layout.placement
            for other, number in [(want.node, want.number) for want in tensor.wants if moved and want.node is not None]:
                if other not in changes and other.placed.layouts[number].placement == before.placement:
                    found = other.kind.following(number, layout, other.placed, slides=True)
                    if found is not None:
                        changes[other] = found
        if len(changes) > 1:
            yield changes


def _parts(node: Node, changes: Changes) -> Iterator[Changes]:
    """Yield the changes of a node and its followers without one of them, and those of followers on one side alone."""
    for left_out in changes:
        yield {each: placed for each, placed in changes.items() if each is not left_out}
    ahead = _followed({node: changes[node]}, node, _ahead)
    for is_ahead in (True, False):
        yield {each: placed for each, placed in changes.items() if each is not node and (each in ahead) == is_ahead}


_Follow = Callable[["Node", Changes, int], None]


def _followed(changes: Changes, node: Node, follow: _Follow) -> Changes:
    found = dict(changes)
    follow(node, found, _FOLLOWS)
    return found


def _ahead(node: Node, changes: Changes, left: int) -> None:
    """Make ops in front of a node return the layouts that the node needs."""
    for tensor, layout in zip(node.operands, changes[node].layouts[:-1], strict=True):
        if len(changes) == _MOST_CHANGES:
            return
        if (maker := follow(tensor, layout, changes)) is not None and left > 1:
            _ahead(maker, changes, left - 1)


def _behind(node: Node, changes: Changes, left: int) -> None:
    """Give the ops behind a node the layout of its result."""
    layout = changes[node].result
    for want in node.results[0].wants:
        if len(changes) == _MOST_CHANGES:
            return
        if (user := follow(want, layout, changes)) is not None and left > 1:
            _behind(user, changes, left - 1)


# Carrying it out -------------------------------------------------------------------------------------


def _carry_out(node: Node) -> None:
    """Set the sharding of an op, and sum its parts behind it."""
    placed, op, tensor = node.placed, node.op, node.results[0]
    assert placed.result.sharding is not None
    result = op.results[0]
    if tensor.value != result:
        old = tensor.value.owner.operation
        replace(old, [result])
    whole, value = placed.result.sharding, result
    if placed.partial:
        users = uses_of(result)
        mesh = placed.result.mesh
        assert mesh is not None
        axes = mesh.sort_and_merge(placed.partial)
        value = builders.all_reduce(result, axes, whole, Reduction.SUM, loc=op.location, ip=ir.InsertionPoint.after(op))
        for slot in users:
            slot.user.operands[slot.number] = value
        set_sharding(result, whole.with_unreduced(axes, Reduction.SUM))
    else:
        set_sharding(result, whole)
    tensor.value = value


def _connect(tensor: Tensor, made: Layout, wants: Sequence[tuple[Want, Layout]]) -> None:
    """Reshard a tensor to the layouts that its users need."""
    old = []
    for want, layout in wants:
        user, number = want.user, want.number
        old.append(user.operands[number])
        is_given = user.name == RESHARD
        user.operands[number] = tensor.value if is_given else _resharded(tensor, made, layout, user)
    erase_unused(old)


def _resharded(tensor: Tensor, made: Layout, layout: Layout, user: ir.Operation) -> ir.Value:
    if made.placement == layout.placement:
        return tensor.value
    sharding = layout.sharding
    if sharding is None:
        assert made.sharding is not None
        sharding = TensorSharding.closed(made.sharding.mesh_or_ref, made.rank)
    for use in tensor.value.uses:
        known = use.owner.operation
        is_before = known.name == RESHARD and known.block == user.block and known.is_before_in_block(user)
        if is_before and attributes.get(known, "sharding") == sharding:
            return known.results[0]
    return builders.reshard(tensor.value, sharding, loc=user.location, ip=ir.InsertionPoint(user))
