"""Lays out ops otherwise than propagation did, where devices then send less and take less time altogether.

    %0 = sdy.reshard %x <@mesh, [{}, {"x"}]> : tensor<512x64xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {... [{}, {}], unreduced={"x"}} : ...
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<512x64xf32>
==> %0 = sdy.reshard %w <@mesh, [{}, {}]> : tensor<64x64xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {... [{}, {}]} : ...

where %x is replicated and %w is sharded as [{"x"}, {}]. The program is a graph: tensors as they are made, and the
layouts in which their users want them. Products, elementwise ops, reductions, broadcasts, reshapes and transposes may
be laid out anew. Anything else stays, as do values that enter or leave a region, and shardings and reshards of the
user. At each op next to a reshard or a sum, candidates are the layouts in which its operands come, those that its users
want, and what can be put together from these; ops in front of it and behind it may follow. The change that saves most
seconds is made.

Cost model: bytes over the bandwidth, operations over the FLOPs, tensors written over the bandwidth of the memory; in a
loop as often as it runs. A reshard of what a loop does not change counts once, as do sums that a loop adds up. Sums
that are added to one another share their cost. A sum that is then sliced is a reduce-scatter; users of one tensor in
one layout share its reshard.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ir_builders.with_sharding import erase_unused, set_sharding, uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.values.axes import AxisList, product
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, terminator
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.costs.machine import Machine, machine_to_compare_for, moved_bytes
from sdy.passes.options import option
from sdy.passes.partitioning.facts.memory_budget import KeptBytesOptions
from sdy.passes.partitioning.reshard_planning.reshard_search import reshard_bytes
from sdy.passes.partitioning.resharding.op_layouts import (
    Offer,
    OpKind,
    Placed,
    adds_up,
    kind_key,
    may_be_laid_out,
    movable_rule,
)
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.idioms.loops import loop_around, loop_body, rounds_of, unchanged_variables

_RESHARD, _SUM = "sdy.reshard", "sdy.all_reduce"
GIVEN = "sdy.given"
"""Attribute of reshards, constraints and shardings of ops that were there before propagation."""

_SWEEPS = 3
_ADD = "stablehlo.add"
_LINEAR = frozenset(f"stablehlo.{name}" for name in ("add", "convert", "negate", "reshape", "subtract", "transpose"))
_SLIGHT = 1e-2
"""Part of what the dearest tensor takes for which no op is laid out anew."""

_HOPELESS = 0.25
"""Part of what an op's tensors take by which a change of it may be dearer before other ops follow it."""

_FOLLOWS = 8
"""Ops in a row that follow another one."""

_MOST_LINEAR = 64
"""Ops in a row that take parts of a sum."""

_MOST_CHANGES = 12
"""Ops that are laid out anew together."""


@dataclass(frozen=True)
class ReshardOptions(KeptBytesOptions):
    """Options of patterns that weigh reshards."""

    machine: str = option(
        "",
        "machine whose seconds decide, such as 'flops=2e14 bandwidth=5e10'; by default one of today in round figures",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        machine_to_compare_for(self.machine)


@function_pattern("reconsider-shardings")
def reconsider_shardings(func: ir.Operation, rewriter: Rewriter[ReshardOptions]) -> bool:
    """Lay out ops so that they and the reshards around them take fewer seconds.

    %0 = sdy.reshard %x <@mesh, [{}, {"x"}]> : tensor<512x64xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {... [{}, {}], unreduced={"x"}} : ...
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<512x64xf32>
    ==>  %0 = sdy.reshard %w <@mesh, [{}, {}]> : tensor<64x64xf32>
         %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {... [{}, {}]} : ...
    """
    ops = ops_named(func, _RESHARD, _SUM)
    graph = _Graph(rewriter.layouts, machine_to_compare_for(rewriter.options.machine))
    changed = _Search(graph, ops).run() if ops else []
    beside = [
        (tensor, _made_under(tensor, {})[0], list(zip(tensor.wants, _layouts(tensor, {}), strict=True)))
        for tensor in dict.fromkeys(tensor for node in changed for tensor in (*node.operands, *node.results))
    ]
    for node in changed:
        _carry_out(node)
    for tensor, made, wants in beside:
        _connect(tensor, made, wants)
    given = [op for op in ops_with(func, GIVEN) if op.name != _RESHARD]
    for op in given:
        del op.attributes[GIVEN]
    return bool(changed or given)


@function_pattern("given-shardings")
def mark_given_shardings(func: ir.Operation, _: Rewriter) -> bool:
    """Mark constraints, reshards and shardings of ops of the user or a plan: they stay where layouts are weighed.

    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<8xf32>
    ==>  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
    """
    found = ops_named(func, _RESHARD, "sdy.sharding_constraint")
    found += [op for op in ops_with(func, SHARDING) if may_be_laid_out(op)]
    for op in found:
        op.attributes[GIVEN] = ir.UnitAttr.get(func.context)
    return bool(found)


# The graph -------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Node:
    """An op that may be laid out anew."""

    op: ir.Operation
    kind: OpKind
    placed: Placed
    rounds: int
    graph: _Graph

    def __post_init__(self) -> None:
        self.given = self.placed

    @cached_property
    def operands(self) -> list[_Tensor]:
        """Return the tensors of its operands."""
        return [self.graph.tensor(value) for value in self.op.operands]

    @cached_property
    def results(self) -> list[_Tensor]:
        """Return the tensor of its result."""
        return [self.graph.tensor(_summed(self.op.results[0]))]


@dataclass(frozen=True, eq=False)
class _Want:
    """An operand that takes a tensor: of a node as that is laid out, of any other op in `layout`."""

    user: ir.Operation
    number: int
    layout: Layout
    rounds: int
    graph: _Graph

    @property
    def node(self) -> _Node | None:
        """Return the node of the user; None if that has to stay as it is."""
        return self.graph.node(self.user)


@dataclass(eq=False)
class _Tensor:
    """A value as it is made, all parts of a sum added up, and the operands that take it."""

    value: ir.Value
    node: _Node | None
    layout: Layout
    rounds: int
    is_free: bool
    graph: _Graph
    wants: list[_Want] = field(default_factory=list)

    @cached_property
    def sums(self) -> list[_Tensor]:
        """Return the tensors whose parts are added to those of this one before anybody needs the sum."""
        user = self.linear_users[-1] if self.linear_users else None
        found: list[_Tensor] = [self] if user is None else self.graph.sums.setdefault(user, [])
        if self not in found:
            found.append(self)
        return found

    @cached_property
    def linear_users(self) -> list[ir.Operation]:
        """Return the ops, one behind the other, that may be given parts of it and give parts themselves."""
        found: list[ir.Operation] = []
        tensor = self
        while len(tensor.wants) == 1 and (user := tensor.wants[0].user).name in _LINEAR and len(found) < _MOST_LINEAR:
            found.append(user)
            tensor = self.graph.tensor(user.results[0])
        return found

    @cached_property
    def rounds_of_sum(self) -> int:
        """Return how often its parts are added up: behind a loop that only adds to them, once."""
        add = self.linear_users[-1] if self.linear_users else None
        loop = None if add is None or add.name != _ADD else loop_around(add)
        if add is None or loop is None or not _adds_to_variable(add, loop):
            return self.rounds
        return self.graph.rounds(loop.block)


_Changes = dict[_Node, Placed]
"""Other layouts of some nodes."""


class _Graph:
    """Nodes and tensors of a function, made as they are asked for."""

    def __init__(self, layouts: Layouts, machine: Machine) -> None:
        self.layouts = layouts
        self.machine = machine
        self._kinds: dict[tuple, OpKind] = {}
        self.nodes: dict[ir.Operation, _Node | None] = {}
        self._tensors: dict[ir.Value, _Tensor] = {}
        self.sums: dict[ir.Operation, list[_Tensor]] = {}
        self._rounds: dict[ir.Block, int] = {}

    def tensor(self, value: ir.Value) -> _Tensor:
        """Return the tensor that `value` is, or is a reshard of."""
        while (op := defining_op(value)) is not None and _is_free_reshard(op):
            value = op.operands[0]
        found = self._tensors.get(value)
        if found is None:
            found = self._tensors[value] = self._made(value)
            found.wants = list(self._wants(value, found))
        return found

    def node(self, op: ir.Operation) -> _Node | None:
        """Return the node of an op; None if it has to stay as it is."""
        if op not in self.nodes:
            self.nodes[op] = self._movable(op)
        return self.nodes[op]

    def _made(self, value: ir.Value) -> _Tensor:
        op = defining_op(value)
        if op is not None and op.name == _SUM:
            maker = defining_op(op.operands[0])
            op = maker if maker is not None and _summed(maker.results[0]) == value else None
        node = None if op is None else self.node(op)
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        free = op is not None and op.name == "stablehlo.broadcast_in_dim" and op.operands[0].type.rank == 0
        return _Tensor(value, node, self.layouts.of_value(value), self.rounds(block), free, self)

    def _wants(self, value: ir.Value, tensor: _Tensor) -> Iterator[_Want]:
        for slot in uses_of(value):
            user = slot.user
            if _is_free_reshard(user):
                yield from self._wants(user.results[0], tensor)
                continue
            rounds = self.rounds(_hoisted(tensor.value, user))
            taken = user.results[0] if user.name == _RESHARD else value
            yield _Want(user, slot.number, self.layouts.of_value(taken), rounds, self)

    def rounds(self, block: ir.Block) -> int:
        """Return how often a block runs."""
        if block not in self._rounds:
            self._rounds[block] = rounds_of(block)
        return self._rounds[block]

    def _movable(self, op: ir.Operation) -> _Node | None:
        rule = None if GIVEN in op.attributes else movable_rule(op)
        if rule is None:
            return None
        have = [self.layouts.of_value(value) for value in (*op.operands, *op.results)]
        meshes = {layout.mesh for layout in have if layout.mesh is not None}
        sharded = next((layout for layout in reversed(have) if layout.sharding is not None), None)
        if len(meshes) != 1 or sharded is None or next(iter(meshes)).is_maximal:
            return None
        if any(layout.unreduced for layout in have[:-1]) or any(
            each.sharding and each.sharding.replicated for each in have
        ):
            return None
        if have[-1].unreduced and (not adds_up(op) or _summed(op.results[0]) == op.results[0]):
            return None
        key = kind_key(op, rule, sharded.mesh_ref)
        if key not in self._kinds:
            self._kinds[key] = OpKind(op, rule, sharded.mesh_ref, self.layouts, self.machine)
        kind = self._kinds[key]
        assignment = kind.assignment_of(have)
        placed = None if assignment is None else kind.placed(assignment)
        if assignment is None or placed is None or not _is_as_now(placed, have):
            return None
        return _Node(op, kind, placed, self.rounds(op.block), self)


def _is_free_reshard(op: ir.Operation) -> bool:
    """Return whether a reshard is none that the user asked for."""
    return op.name == _RESHARD and GIVEN not in op.attributes


def _is_as_now(placed: Placed, have: Sequence[Layout]) -> bool:
    now = [*placed.operands, placed.result]
    is_same = all(a.placement == b.placement for a, b in zip(now, have, strict=True))
    return is_same and set(placed.partial) == set(have[-1].unreduced)


def _summed(value: ir.Value) -> ir.Value:
    """Return the sum of the parts that the devices have of a value; the value itself if they have no parts of sums."""
    users = uses_of(value)
    if len(users) != 1 or users[0].user.name != _SUM:
        return value
    op = users[0].user
    is_sum = op.attributes["reduction_op"].value == Reduction.SUM.value
    return op.results[0] if is_sum else value


def _adds_to_variable(add: ir.Operation, loop: ir.Operation) -> bool:
    """Return whether an op adds to a loop variable, which nobody else uses."""
    body, result = loop_body(loop), add.results[0]
    users = uses_of(result)
    if len(users) != 1 or users[0].user != terminator(body):
        return False
    variable = body.arguments[users[0].number]
    return variable in add.operands and len(uses_of(variable)) == 1


def _hoisted(value: ir.Value, user: ir.Operation) -> ir.Block:
    """Return the block in which a reshard of `value` for `user` ends up: in front of loops that do not change it."""
    made_in = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    block = user.block
    while (loop := loop_around(user)) is not None:
        if made_in == block:
            return loop.block if value in unchanged_variables(loop) else block
        user, block = loop, loop.block
    return block


# What it costs ---------------------------------------------------------------------------------------


class _Costs:
    """Seconds of tensors and nodes of a graph."""

    def __init__(self, machine: Machine) -> None:
        self._bandwidth = machine.bandwidth * machine.directions
        self._memory = machine.memory_bandwidth
        self._known: dict[_Tensor, float] = {}
        self._reshards: dict[tuple[int, int], float] = {}

    def forget(self, tensors: Sequence[_Tensor]) -> None:
        """Forget what tensors cost: nodes beside them have changed."""
        for tensor in tensors:
            self._known.pop(tensor, None)

    def of(self, tensor: _Tensor) -> float:
        """Return the seconds of the sum and the reshards of a tensor."""
        if tensor not in self._known:
            self._known[tensor] = self.under(tensor, {})
        return self._known[tensor]

    def under(self, tensor: _Tensor, changes: _Changes) -> float:
        """Return the seconds with other assignments of some nodes."""
        made, partial = _made_under(tensor, changes)
        wanted = _wanted(tensor, changes)
        sent = 0.0
        if partial:
            base = made
            if len(wanted) == 1:
                ((layout, _),) = wanted.values()
                base = _scattered(made, partial, layout)
            along = made.local_bytes / base.local_bytes
            if along == 1 and len(wanted) == 1:
                along = self._scattered_later(tensor, partial, changes)
            joined = sum(_made_under(each, changes)[1] == partial for each in tensor.sums)
            sent += tensor.rounds_of_sum * _sum_bytes(made, partial, along) / max(1, joined)
            made = base
        written = 0.0
        for layout, rounds in wanted.values():
            if layout is not made and layout.placement != made.placement:
                sent += 0.0 if tensor.is_free else rounds * self._reshard(made, layout)
                written += rounds * layout.local_bytes
        return sent / self._bandwidth + written / self._memory

    def _reshard(self, have: Layout, want: Layout) -> float:
        key = (have.number, want.number)
        if key not in self._reshards:
            self._reshards[key] = reshard_bytes(have, want)
        return self._reshards[key]

    def _scattered_later(self, tensor: _Tensor, partial: AxisList, changes: _Changes) -> float:
        """Return along how many devices a sum is scattered behind linear ops that follow it."""
        for user in tensor.linear_users:
            tensor = tensor.graph.tensor(user.results[0])
            wanted = _wanted(tensor, changes)
            if len(wanted) != 1:
                return 1.0
            made, _ = _made_under(tensor, changes)
            ((layout, _),) = wanted.values()
            base = _scattered(made, partial, layout)
            if base is not made:
                return made.local_bytes / base.local_bytes
        return 1.0


def _made_under(tensor: _Tensor, changes: _Changes) -> tuple[Layout, AxisList]:
    if tensor.node is None:
        return tensor.layout, ()
    placed = _placed(tensor.node, changes)
    return placed.result, placed.partial


def _placed(node: _Node, changes: _Changes) -> Placed:
    return changes.get(node, node.placed)


def _layouts(tensor: _Tensor, changes: _Changes) -> Iterator[Layout]:
    """Yield the layout that each user wants."""
    for want in tensor.wants:
        node, layout = want.graph.nodes.get(want.user), want.layout
        if node is not None:
            layout = changes.get(node, node.placed).operands[want.number]
        yield layout


def _wanted(tensor: _Tensor, changes: _Changes) -> dict[int, tuple[Layout, int]]:
    """Return the layouts that users want, each with the most rounds in which one does."""
    found: dict[int, tuple[Layout, int]] = {}
    for want, layout in zip(tensor.wants, _layouts(tensor, changes), strict=True):
        known = found.get(layout.number)
        if known is None or known[1] < want.rounds:
            found[layout.number] = layout, want.rounds
    return found


def _scattered(made: Layout, partial: AxisList, wanted: Layout) -> Layout:
    """Return the layout that a sum has if it is scattered as far as `wanted` allows; `made` if it cannot be."""
    if made.mesh is None or made.sharding is None or wanted.sharding is None:
        return made
    dims = []
    for have, want in zip(made.dim_axes, wanted.dim_axes, strict=True):
        count = len(have)
        if want[:count] == have:
            while count < len(want) and want[count] in partial:
                count += 1
            have = want[:count]
        dims.append(have)
    if tuple(dims) == made.dim_axes:
        return made
    return made.with_sharding(TensorSharding.from_axes(made.sharding.mesh_or_ref, dims))


def _sum_bytes(made: Layout, partial: AxisList, along: float) -> float:
    assert made.mesh is not None
    group = product(partial, made.mesh.axis_sizes)
    along = min(along, group)
    scattered = moved_bytes("reduce_scatter", round(along), made.local_bytes)
    return scattered + moved_bytes("all_reduce", round(group / along), made.local_bytes / along)


# The search ------------------------------------------------------------------------------------------


class _Search:
    """Improves the nodes next to reshards and sums one after the other."""

    def __init__(self, graph: _Graph, ops: Sequence[ir.Operation]) -> None:
        self._costs = _Costs(graph.machine)
        self._nodes: dict[_Node, None] = {}
        self._done: set[tuple] = set()
        tensors = dict.fromkeys(graph.tensor(op.results[0]) for op in ops)
        self._slight = _SLIGHT * max(map(self._costs.of, tensors))
        for tensor in tensors:
            self._add(tensor)

    def _add(self, tensor: _Tensor) -> None:
        if self._costs.of(tensor) <= self._slight:
            return
        if tensor.node is not None:
            self._nodes[tensor.node] = None
        self._nodes.update((want.node, None) for want in tensor.wants if want.node is not None)

    def run(self) -> list[_Node]:
        """Return the nodes that have got another assignment."""
        changed: dict[_Node, None] = {}
        for sweep in range(_SWEEPS):
            nodes = list(self._nodes)
            found = [each for node in (reversed(nodes) if sweep % 2 else nodes) for each in self._improve(node)]
            if not found:
                break
            changed.update(dict.fromkeys(found))
        return [node for node in changed if node.placed is not node.given]

    def _improve(self, node: _Node) -> list[_Node]:
        """Take the best change that starts at a node; return the nodes that it changes."""
        most = sum(self._costs.of(tensor) for tensor in (*node.operands, *node.results))
        if most <= self._slight or (known := self._signature(node)) in self._done:
            return []
        best, gain = None, 0.0
        for assignment in node.kind.candidates(_offers(node)):
            placed = node.kind.placed(assignment)
            if placed is None or placed is node.placed or (placed.seconds - node.placed.seconds) * node.rounds >= most:
                continue
            for changes in self._with_followers(node, placed):
                saved = self._saved(changes)
                if saved > gain * 1.0001 + 1e-15:
                    best, gain = changes, saved
                if saved < -_HOPELESS * most:
                    break
        if best is None:
            self._done.add(known)
            return []
        for each, placed in best.items():
            each.placed = placed
        for tensor in _beside(best):
            self._add(tensor)
        self._costs.forget(_beside(best))
        return list(best)

    def _with_followers(self, node: _Node, placed: Placed) -> Iterator[_Changes]:
        """Yield the change of a node alone, and with ops in front of it, behind it, or both that follow it."""
        alone = {node: placed}
        yield alone
        ahead = any(self._costs.under(tensor, alone) > self._slight for tensor in node.operands)
        behind = self._costs.under(node.results[0], alone) > self._slight
        seen = [alone]
        for directions in ((_ahead,) * ahead, (_behind,) * behind, (_ahead, _behind) * (ahead and behind)):
            changes = dict(alone)
            for follow in directions:
                follow(node, changes, _FOLLOWS)
            if changes not in seen:
                seen.append(changes)
                yield changes
        if not placed.partial and node.placed.partial and (others := self._others_of_sum(node)):
            yield alone | others

    def _others_of_sum(self, node: _Node) -> _Changes:
        """Return the best change of each other op that makes a part of the sum of a node, so that nothing is summed."""
        found: _Changes = {}
        for tensor in node.results[0].sums:
            other = tensor.node
            if other is None or other is node or other.placed.partial != node.placed.partial:
                continue
            ways = [placed for each in other.kind.candidates(_offers(other)) if (placed := other.kind.placed(each))]
            whole = [placed for placed in ways if not placed.partial]
            if not whole:
                return {}
            found[other] = max(whole, key=lambda placed: self._saved({other: placed}))
        return found

    def _signature(self, node: _Node) -> tuple:
        """Return what nodes agree in for which the same changes are made: themselves, and what is next to them."""
        found: list[object] = [node.kind, node.placed, node.rounds]
        for tensor in (*node.operands, *node.results):
            made, partial = _made_under(tensor, {})
            found += [made.number, partial, tensor.node and tensor.node.kind, tensor.rounds]
            found += [
                (want.user.name, want.number, layout.number, want.rounds)
                for want, layout in zip(tensor.wants, _layouts(tensor, {}), strict=True)
            ]
        return tuple(found)

    def _saved(self, changes: _Changes) -> float:
        saved = sum(each.rounds * (each.placed.seconds - _placed(each, changes).seconds) for each in changes)
        return saved + sum(self._costs.of(tensor) - self._costs.under(tensor, changes) for tensor in _beside(changes))


def _beside(changes: _Changes) -> list[_Tensor]:
    """Return the tensors next to nodes, and those whose parts are added to theirs."""
    found = dict.fromkeys(tensor for node in changes for tensor in node.operands)
    found.update((tensor, None) for node in changes for each in node.results for tensor in each.sums)
    return list(found)


def _offers(node: _Node) -> list[Offer]:
    """Return the layouts that operands come in and users of the result want, largest tensors first."""
    offers = [
        Offer(number, _made_under(tensor, {})[0])
        for number, tensor in enumerate(node.operands)
        if not tensor.is_free and tensor.layout.rank
    ]
    wanted = [layout for layout, _ in _wanted(node.results[0], {}).values()]
    offers += [Offer(len(node.operands), layout) for layout in wanted[:2]]
    return sorted(offers, key=lambda each: -math.prod(each.layout.shape))


_Follow = Callable[["_Node", _Changes, int], None]


def _ahead(node: _Node, changes: _Changes, left: int) -> None:
    """Make ops in front of a node give it what it wants."""
    for tensor, layout in zip(node.operands, _placed(node, changes).operands, strict=True):
        maker = tensor.node
        if maker is None or maker in changes or not left or len(changes) == _MOST_CHANGES:
            continue
        if maker.placed.result.placement == layout.placement:
            continue
        found = maker.kind.following(len(maker.op.operands), layout, maker.placed)
        if found is not None and found is not maker.placed:
            changes[maker] = found
            _ahead(maker, changes, left - 1)


def _behind(node: _Node, changes: _Changes, left: int) -> None:
    """Make ops behind a node take what it gives."""
    placed = _placed(node, changes)
    for want in node.results[0].wants:
        user = want.node
        if user is None or user in changes or not left or len(changes) == _MOST_CHANGES:
            continue
        number = want.number
        if user.placed.operands[number].placement == placed.result.placement:
            continue
        found = user.kind.following(number, placed.result, user.placed)
        if found is not None and found is not user.placed:
            changes[user] = found
            _behind(user, changes, left - 1)


# Carrying it out -------------------------------------------------------------------------------------


def _carry_out(node: _Node) -> None:
    """Give an op its sharding, and add up its parts behind it."""
    placed, op, tensor = node.placed, node.op, node.results[0]
    assert placed.result.sharding is not None
    result = op.results[0]
    if tensor.value != result:
        old = tensor.value.owner.operation
        old.results[0].replace_all_uses_with(result)
        old.erase()
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


def _connect(tensor: _Tensor, made: Layout, wants: Sequence[tuple[_Want, Layout]]) -> None:
    """Bring a tensor to the layouts that its users want."""
    old = []
    for want, layout in wants:
        user, number = want.user, want.number
        old.append(user.operands[number])
        is_given = user.name == _RESHARD
        user.operands[number] = tensor.value if is_given else _resharded(tensor, made, layout, user)
    erase_unused(old)


def _resharded(tensor: _Tensor, made: Layout, layout: Layout, user: ir.Operation) -> ir.Value:
    if made.placement == layout.placement:
        return tensor.value
    sharding = layout.sharding
    if sharding is None:
        assert made.sharding is not None
        sharding = TensorSharding.closed(made.sharding.mesh_or_ref, made.rank)
    for use in tensor.value.uses:
        known = use.owner.operation
        is_before = known.name == _RESHARD and known.block == user.block and known.is_before_in_block(user)
        if is_before and attributes.get(known, "sharding") == sharding:
            return known.results[0]
    return builders.reshard(tensor.value, sharding, loc=user.location, ip=ir.InsertionPoint(user))
