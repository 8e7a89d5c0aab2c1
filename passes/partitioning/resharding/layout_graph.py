"""The program as a graph: tensors with the layouts in which they are made and needed.

Nodes are the ops whose layouts may change. Nodes and tensors are made on demand. Nothing here changes a program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.with_sharding import uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.ops.model import Window, windows_of
from sdy.dialect.ops.rules import RuleFacts, rule_of
from sdy.dialect.values.axes import AxisList, any_overlap
from sdy.dialect.values.sharding import Reduction
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_one_use, holder_in, is_visible, terminator
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.analysis.neighbours import sliced_dims
from sdy.passes.partitioning.resharding.op_layouts import (
    LOOKUPS,
    OpKind,
    Placed,
    adds_up,
    assignment_of,
    factors_of,
    is_movable,
    may_be_laid_out,
    windows_by_factor,
    work_name,
)
from sdy.stablehlo.idioms.loops import BRANCHES, loop_around, loop_body, rounds_of, unchanged_variables

RESHAPE, RESHARD, SUM = "stablehlo.reshape", "sdy.reshard", "sdy.all_reduce"
SLICE = "stablehlo.slice"
GIVEN = "sdy.given"
"""Attribute of reshards, constraints and shardings of ops that were there before propagation."""

_ADD = "stablehlo.add"
_LINEAR = frozenset(f"stablehlo.{name}" for name in ("add", "convert", "negate", "reshape", "subtract", "transpose"))
_MOST_LINEAR = 64
"""Ops in a row that take parts of a sum."""


@dataclass(eq=False)
class Node:
    """An op that may be laid out anew."""

    op: ir.Operation
    kind: OpKind
    placed: Placed
    rounds: int
    graph: LayoutGraph
    whole: ir.Value
    """The result, with all parts of a sum added."""

    def __post_init__(self) -> None:
        self.given = self.placed

    @property
    def is_lookup(self) -> bool:
        """Return whether the op reads or changes a table at places that are known when the program runs."""
        return self.op.name in LOOKUPS

    @cached_property
    def operands(self) -> list[Tensor]:
        """Return the tensors of its operands."""
        return [self.graph.tensor(value) for value in self.op.operands]

    @cached_property
    def results(self) -> list[Tensor]:
        """Return the tensor of its result."""
        return [self.graph.tensor(self.whole)]


@dataclass(eq=False, slots=True)
class Known:
    """The node of an op, once it was requested."""

    op: ir.Operation | None
    graph: LayoutGraph
    is_known: bool = False
    node: Node | None = None

    def request(self) -> Node | None:
        """Return the node; None if the op has to stay unchanged, or there is none."""
        if not self.is_known:
            self.is_known, self.node = True, None if self.op is None else self.graph.movable(self.op)
        return self.node

    @property
    def is_fixed(self) -> bool:
        """Return whether the node was requested, and there is none."""
        return self.is_known and self.node is None


class Want:
    """An operand that takes a tensor: of a node in the node's layout, of any other op in `layout`."""

    def __init__(self, tensor: Tensor, user: ir.Operation, number: int, layout: Layout, known: Known) -> None:
        self.tensor = tensor
        self.user = user
        self.number = number
        self.layout = layout
        self.known = known
        self.rounds = tensor.graph.rounds(user.block)
        """Number of times that the user runs."""
        self.branch = tensor.graph.branch(user.block)
        """Innermost branch of a conditional around the user, or the block of the function."""

    @property
    def node(self) -> Node | None:
        """Return the node of the user; None if the user has to stay unchanged."""
        return self.known.node if self.known.is_known else self.known.request()

    @cached_property
    def hoisted(self) -> int:
        """Return how often a reshard for the user runs if it is small enough to be kept across loops."""
        graph = self.tensor.graph
        return graph.rounds(graph.hoisted(self.tensor.value, self.user))


@dataclass(eq=False)
class Tensor:
    """A value as it is made, with all parts of a sum added, and the operands that take it."""

    value: ir.Value
    known: Known
    layout: Layout
    rounds: int
    is_free: bool
    graph: LayoutGraph
    wants: list[Want] = field(default_factory=list)
    sliced: tuple[int, ...] = ()
    """Dimensions along which the maker takes a slice that may be summed."""
    number = -1
    """Place of the result among the layouts of its op."""

    @property
    def node(self) -> Node | None:
        """Return the node that makes the tensor; None if its maker has to stay unchanged."""
        return self.known.node if self.known.is_known else self.known.request()

    @cached_property
    def in_front(self) -> dict[Want, list[Want]]:
        """Return for each operand those of ops in front, around its branch; none if all users are in one branch."""
        if len({want.branch for want in self.wants}) < 2:
            return {}
        return {
            want: [each for each in self.wants if each.branch != want.branch and _is_in_front(each.user, want.user)]
            for want in self.wants
        }

    @property
    def ends(self) -> list[Known]:
        """Return the ops that make and take the tensor."""
        return [self.known, *(want.known for want in self.wants)]

    @cached_property
    def sums(self) -> list[Tensor]:
        """Return the tensors whose parts are added to those of this one before the sum is used."""
        user = self.linear_users[-1] if self.linear_users else None
        found: list[Tensor] = [self] if user is None else self.graph.sums.setdefault(user, [])
        if self not in found:
            found.append(self)
        return found

    @cached_property
    def linear_users(self) -> list[ir.Operation]:
        """Return the chain of ops after it that may work on parts of the sum and return parts."""
        found: list[ir.Operation] = []
        tensor = self
        while len(tensor.wants) == 1 and (user := tensor.wants[0].user).name in _LINEAR and len(found) < _MOST_LINEAR:
            found.append(user)
            tensor = self.graph.tensor(user.results[0])
        return found

    @cached_property
    def added_to(self) -> ir.BlockArgument | None:
        """Return the loop variable that it is added to in each round, and nothing else."""
        add = self.linear_users[-1] if self.linear_users else None
        loop = None if add is None or add.name != _ADD else loop_around(add)
        return None if add is None or loop is None else _variable_added_to(add, loop)

    def rounds_of_sum(self, partial: AxisList) -> int:
        """Return how often its parts along axes are summed: once behind a loop whose variable may hold parts."""
        variable, graph = self.added_to, self.graph
        if variable is None or any(any_overlap(axes, partial) for axes in graph.layout(variable).dim_axes):
            return self.rounds
        return graph.rounds(variable.owner.owner.operation.block)


class LayoutGraph:
    """Nodes and tensors of a function, made on demand."""

    def __init__(self, func: ir.Operation, layouts: Layouts, machine: Machine) -> None:
        self.func = func
        self.layouts = layouts
        self.machine = machine
        self._kinds: dict[tuple, OpKind] = {}
        self._facts = RuleFacts()
        self._alike: dict[tuple | None, tuple[OpKind, Placed] | None] = {}
        self._found: dict[ir.Value, Layout] = {}
        self._nodes: dict[ir.Operation, Known] = {}
        self._tensors: dict[ir.Value, Tensor] = {}
        self.sums: dict[ir.Operation, list[Tensor]] = {}
        self._rounds: dict[ir.Block, int] = {}
        self._branches: dict[ir.Block, ir.Block] = {}
        self._unchanged: dict[ir.Operation, dict[ir.Value, ir.Value]] = {}

    def release(self) -> None:
        """Forget all nodes and tensors: they refer to one another, and would wait for Python's collector."""
        for tensor in self._tensors.values():
            vars(tensor).clear()
        vars(self).clear()

    def tensor(self, value: ir.Value) -> Tensor:
        """Return the tensor that `value` is, or is a reshard of."""
        found = self._tensors.get(value)
        if found is None:
            op = defining_op(value)
            moved = None if op is None or op.name != RESHARD or GIVEN in op.attributes else op.operands[0]
            found = self._tensors[value] = self._made(value) if moved is None else self.tensor(moved)
        return found

    def node(self, op: ir.Operation) -> Node | None:
        """Return the node of an op; None if it has to stay unchanged."""
        return self._known(op).request()

    @property
    def nodes(self) -> list[Node]:
        """Return all nodes that were requested."""
        return [known.node for known in self._nodes.values() if known.node is not None]

    def _known(self, op: ir.Operation) -> Known:
        found = self._nodes.get(op)
        if found is None:
            found = self._nodes[op] = Known(op, self)
        return found

    def is_uneven(self, reshape: ir.Operation) -> bool:
        """Return whether devices have unequal parts of the operand or the result."""
        return not (self.layout(reshape.operands[0]).divides and self.layout(reshape.results[0]).divides)

    def layout(self, value: ir.Value) -> Layout:
        """Return the layout of a value in the program."""
        found = self._found.get(value)
        if found is None:
            found = self._found[value] = self.layouts.of_value(value)
        return found

    def _made(self, value: ir.Value) -> Tensor:
        op = defining_op(value)
        if op is not None and op.name == SUM:
            maker = defining_op(op.operands[0])
            op = maker if maker is not None and summed(maker.results[0]) == value else None
            if op is not None:
                self.node(op)  # its result is partial, which the layout of the sum does not tell
        known = Known(op, self) if op is None else self._known(op)
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        free = op is not None and op.name == "stablehlo.broadcast_in_dim" and op.operands[0].type.rank == 0
        tensor = Tensor(value, known, self.layout(value), self.rounds(block), free, self)
        tensor.wants = list(self._wants(value, tensor))
        if op is not None and op.name == SLICE:
            tensor.sliced = tuple(_summed_dims(op))
        return tensor

    def _wants(self, value: ir.Value, tensor: Tensor) -> Iterator[Want]:
        taken = self.layout(value)
        for use in value.uses:
            user = use.owner.operation
            if user.name != RESHARD:
                yield Want(tensor, user, use.operand_number, taken, self._known(user))
            elif GIVEN in user.attributes:
                yield Want(tensor, user, use.operand_number, self.layout(user.results[0]), self._known(user))
            else:
                yield from self._wants(user.results[0], tensor)

    def rounds(self, block: ir.Block) -> int:
        """Return how often a block runs."""
        found = self._rounds.get(block)
        if found is None:
            found = self._rounds[block] = rounds_of(block)
        return found

    def branch(self, block: ir.Block) -> ir.Block:
        """Return the innermost branch of a conditional around the ops of a block, or the function's own block."""
        found = self._branches.get(block)
        if found is None:
            owner = None if block.owner is None else block.owner.operation
            is_one = owner is None or owner == self.func or owner.name in BRANCHES
            found = self._branches[block] = block if owner is None or is_one else self.branch(owner.block)
        return found

    def hoisted(self, value: ir.Value, user: ir.Operation) -> ir.Block:
        """Return the block for a reshard of `value` for `user`: in front of loops that do not change `value`."""
        made_in = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        block = user.block
        while (loop := loop_around(user)) is not None:
            if made_in == block:
                if loop not in self._unchanged:
                    self._unchanged[loop] = unchanged_variables(loop)
                return loop.block if value in self._unchanged[loop] else block
            user, block = loop, loop.block
        return block

    def _is_added_up(self, result: ir.Value, whole: ir.Value, made: Layout) -> bool:
        """Return whether a result is not partial, or an all-reduce directly behind it sums its parts to `whole`."""
        if not made.unreduced or whole == result:
            return not made.unreduced and whole == result
        axes = attributes.get(whole.owner.operation, "reduction_axes").axes
        return set(axes) == set(made.unreduced) and not self.layout(whole).unreduced

    def movable(self, op: ir.Operation) -> Node | None:
        """Return a new node of an op; None if it has to stay unchanged."""
        if not may_be_laid_out(op) or GIVEN in op.attributes or len(op.results) != 1 or not len(op.operands):
            return None
        have = [self.layout(value) for value in (*op.operands, *op.results)]
        is_sum = adds_up(op)
        facts = None if SHARDING_RULE in op.attributes else self._facts.of(op, op.name)
        windows = tuple(windows_of(op))
        key = None if facts is None else (*facts, is_sum, windows, *have)
        if key is None or key not in self._alike:
            self._alike[key] = self._place(op, have, windows, is_sum=is_sum)
        found, result = self._alike[key], op.results[0]
        if found is None or (have[-1].unreduced and not is_sum):
            return None
        whole = summed(result)
        is_whole = self._is_added_up(result, whole, have[-1])
        return Node(op, *found, self.rounds(op.block), self, whole) if is_whole else None

    def _place(
        self, op: ir.Operation, have: Sequence[Layout], windows: Sequence[Window], *, is_sum: bool
    ) -> tuple[OpKind, Placed] | None:
        """Return the kind of an op and its layouts; None for ops of this kind and layouts that must stay unchanged."""
        if (rule := rule_of(op)) is None:
            return None
        sharded = next((layout for layout in reversed(have) if layout.sharding is not None), None)
        if sharded is None or sharded.mesh is None or sharded.mesh.is_maximal:
            return None
        if not is_movable(rule, have) or any(layout.mesh not in (sharded.mesh, None) for layout in have):
            return None
        shardings = [each.sharding for each in have if each.sharding is not None]
        if any(each.replicated for each in shardings) or any(layout.unreduced for layout in have[:-1]):
            return None
        factors = factors_of(rule, is_sum, sharded.mesh_ref, sharded.mesh)
        assignment = assignment_of(factors, have)
        if assignment is None:
            return None
        types = tuple(layout.type for layout in have)
        window_of = windows_by_factor(rule, [each for each in windows if each.size == 1])
        wide = windows_by_factor(rule, [each for each in windows if each.size > 1])
        before = tuple(assignment[factor] for factor in window_of)
        kind = self._kinds.get(key := (work_name(op), factors, windows, before, types))
        if kind is None:
            kind = self._kinds[key] = OpKind(
                op, types, factors, window_of, wide, assignment, self.layouts, self.machine
            )
        placed = kind.given(assignment)
        return None if placed is None or not _is_as_now(placed, have) else (kind, placed)


def _is_as_now(placed: Placed, have: Sequence[Layout]) -> bool:
    is_same = all(a.placement == b.placement for a, b in zip(placed.layouts, have, strict=True))
    return is_same and set(placed.partial) == set(have[-1].unreduced)


def summed(value: ir.Value) -> ir.Value:
    """Return the sum of the devices' parts of a value; the value itself if it is not partial."""
    op = next((use.owner.operation for use in value.uses), None)
    if op is None or op.name != SUM or not has_one_use(value):
        return value
    is_sum = op.attributes["reduction_op"].value == Reduction.SUM.value
    return op.results[0] if is_sum else value


def _variable_added_to(add: ir.Operation, loop: ir.Operation) -> ir.BlockArgument | None:
    """Return the loop variable that an op adds to, if both have no other users."""
    body, result = loop_body(loop), add.results[0]
    users = uses_of(result)
    if len(users) != 1 or users[0].user != terminator(body):
        return None
    variable = body.arguments[users[0].number]
    return variable if variable in add.operands and len(uses_of(variable)) == 1 else None


def _is_in_front(earlier: ir.Operation, op: ir.Operation) -> bool:
    """Return whether an op is in front of the op of its block that `op` is nested in."""
    return is_visible(earlier, op) and earlier.is_before_in_block(holder_in(op, earlier.block))


def _summed_dims(op: ir.Operation) -> list[int]:
    """Return the dimensions of a slice that a sum over devices may give: of a contiguous one, not of booleans."""
    element = op.results[0].type.element_type
    return [] if isinstance(element, ir.IntegerType) and element.width == 1 else sliced_dims(op) or []
