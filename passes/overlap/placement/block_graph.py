"""The ops of a block, each with the ops it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sdy.dialect.hlo_async.chains import chain, family_of, is_start, operation_of, start_of
from sdy.dialect.op_properties import is_constant, is_constant_value
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.effects import holds_its_regions_only, is_effect_free
from sdy.mlir.functions import callee_name, funcs, symbol_name
from sdy.mlir.tensor_types import byte_size, bytes_of
from sdy.mlir.walk import identity
from sdy.passes.costs.program_collectives import kind_of
from sdy.passes.costs.program_steps import Reader
from sdy.passes.overlap.placement.placing import NO_WORK, Begin, Block, Node, Op, Order, Pair
from sdy.stablehlo.idioms.loops import CONTROL_FLOW
from sdy.stablehlo.ops import Builder

_STATEFUL = frozenset({"stablehlo.rng"})
"""Ops that say they have no effects, but draw from a state."""

_MAY_CARRY_TOKENS = frozenset(
    f"stablehlo.{name}"
    for name in ("after_all", "create_token", "custom_call", "get_tuple_element", "optimization_barrier", "tuple")
)
"""Ops without effects that take or make tokens; loops and branches do if what is in them has effects."""


class OrderOfEffects:
    """Orders effects in one module; the effects of each function are found once."""

    def __init__(self, module: ir.Operation) -> None:
        self._functions = {symbol_name(function): function for function in funcs(module)}
        self._of_functions: dict[str, bool] = {}

    def is_ordered(self, op: ir.Operation) -> bool:
        """Return whether an op has effects other than communication, or uses or makes a token."""
        name = op.name
        if kind_of(op) is not None:
            return False
        if family_of(op) is not None:
            start = start_of(op)
            return start is not None and self.is_ordered(operation_of(start))
        if name == "func.call":
            return self._calls(callee_name(op))
        if holds_its_regions_only(name):
            return any(
                self.is_ordered(nested.operation) for region in op.regions for block in region for nested in block
            )
        return name in _STATEFUL or not is_effect_free(op) or (name in _MAY_CARRY_TOKENS and _has_token(op))

    def _calls(self, name: str) -> bool:
        if name not in self._of_functions:
            self._of_functions[name] = True  # a function that calls itself
            function = self._functions.get(name)
            regions = [] if function is None else function.regions
            self._of_functions[name] = function is None or any(
                self.is_ordered(nested.operation) for region in regions for block in region for nested in block
            )
        return self._of_functions[name]


def _has_token(op: ir.Operation) -> bool:
    return any(
        not isinstance(value.type, ir.RankedTensorType) and "token" in str(value.type)
        for value in (*op.operands, *op.results)
    )


PROGRAMS = frozenset({"func.func", *CONTROL_FLOW})
"""Ops whose regions are programs."""


def blocks_of(function: ir.Operation) -> Iterator[ir.Block]:
    """Return the blocks of a function in which ops can be placed, inner ones first."""
    for region in function.regions:
        for block in region.blocks:
            for view in block.operations:
                if view.operation.name in PROGRAMS:
                    yield from blocks_of(view.operation)
            yield block


@dataclass(slots=True)
class BlockGraph:
    """A block of MLIR, and the same as numbers.

    `ops[n]` is the op of node n, `behind[n]` the updates and the done of a start. `last` is the terminator, which
    stays.
    """

    block: Block
    ops: list[ir.Operation]
    behind: dict[int, list[ir.Operation]]
    last: ir.Operation

    @property
    def has_pairs(self) -> bool:
        return bool(self.behind)

    def apply(self, order: Order) -> None:
        """Puts the ops in that order."""
        anchor = self.last
        for place in reversed(order):
            moved = [self.ops[place.node]] if isinstance(place, (Op, Begin)) else self.behind[place.node]
            for op in reversed(moved):
                op.move_before(anchor)
                anchor = op


def graph_of(
    block: ir.Block, effects: OrderOfEffects, *, counts_bytes: bool, reader: Reader | None = None
) -> BlockGraph:
    """Return the graph of a block, whose last op stays.

    `counts_bytes` adds the bytes of its pairs, and a `reader` adds durations.

    Raises `DiagnosticError` at a pair of dynamic size if bytes are counted, and at whatever has no duration.
    """
    ops = [view.operation for view in block.operations]
    last = ops.pop()
    making = _Making(effects, counts_bytes, reader)
    for op in ops:
        making.add(op)
    return BlockGraph(Block(tuple(making.nodes()), making.operands_of(last)), making.ops, making.behind, last)


class _Making:
    """Collects the nodes of a block."""

    def __init__(self, effects: OrderOfEffects, counts_bytes: bool, reader: Reader | None) -> None:
        self.effects = effects
        self.counts_bytes = counts_bytes
        self.reader = reader
        self.ops: list[Any] = []
        self.behind: dict[int, list[Any]] = {}
        self._nodes: list[Node] = []
        self._made_by: dict[Any, int] = {}
        self._pair_of: dict[Any, int] = {}
        self._done_after: dict[int, int] = {}

    def add(self, op: ir.Operation) -> None:
        if family_of(op) is None:
            self._add_op(op)
        elif self.effects.is_ordered(op):
            self._add_kept(op)
        elif is_start(op):
            self._add_start(op)
        else:
            self._add_behind(op)

    def nodes(self) -> Iterator[Node]:
        """Return all nodes, with the places of the dones."""
        for number, node in enumerate(self._nodes):
            if node.pair is None:
                yield node
            else:
                yield Node(node.operands, _done(node.pair, self._done_after[number]), False, NO_WORK, node.result_bytes)

    def operands_of(self, op: ir.Operation) -> tuple[int, ...]:
        """Return the nodes that make the operands of an op and the values its regions use."""
        made_by = self._made_by
        found = [made_by[value] for value in op.operands if value in made_by]
        if len(op.regions) and not is_start(op):
            found += self._captured(op)
        return tuple(dict.fromkeys(found))

    def _captured(self, op: ir.Operation) -> Iterator[int]:
        for region in op.regions:
            for block in region.blocks:
                for view in block.operations:
                    yield from self.operands_of(view.operation)

    def _add_op(self, op: ir.Operation) -> None:
        work = NO_WORK if self.reader is None else self.reader.work_of(op)
        size = 0 if self.reader is None else sum(byte_size(result.type) for result in op.results)
        self._append(op, Node(self.operands_of(op), None, self.effects.is_ordered(op), work, size))
        self._made_by.update(dict.fromkeys(op.results, len(self.ops) - 1))

    def _add_kept(self, op: ir.Operation) -> None:
        """Add a start, update or done with effects, which keeps its order among other ops with effects."""
        self._append(op, Node(self.operands_of(op), None, True, NO_WORK, 0))
        self._made_by.update(dict.fromkeys(op.results, len(self.ops) - 1))

    def _add_start(self, start: ir.Operation) -> None:
        number = len(self.ops)
        self._append(start, self._started(start, number))
        self.behind[number] = list(chain(start))
        self._pair_of |= dict.fromkeys((*self.behind[number][-1].results, *start.results), number)

    def _add_behind(self, op: ir.Operation) -> None:
        """Add an update or the done, which is placed with its start."""
        number = self._pair_of[op.operands[0]]
        self._pair_of |= dict.fromkeys(op.results, number)
        self._made_by.update(dict.fromkeys(op.results, number))
        self._done_after[number] = len(self.ops)

    def _append(self, op: ir.Operation, node: Node) -> None:
        self.ops.append(op)
        self._nodes.append(node)

    def _started(self, start: ir.Operation, number: int) -> Node:
        op = operation_of(start)
        buffers: list[tuple[Any, int]] = []
        if self.counts_bytes:
            bytes_of((*op.operands, *op.results), op)  # refuses dynamic sizes
            buffers = [(value, byte_size(value.type)) for value in start.operands]
            buffers += [((number, place), byte_size(result.type)) for place, result in enumerate(op.results)]
        step = None if self.reader is None else self.reader.start_of(start)
        handle = op.attributes.get("channel_handle", None)
        seconds, channels = (0.0, ()) if step is None else (step.seconds, step.channels)
        size = sum(byte_size(result.type) for result in op.results) if self.reader is not None else 0
        return Node(self.operands_of(start), Pair(tuple(buffers), 0, seconds, channels, handle), False, NO_WORK, size)


def _done(pair: Pair, done_after: int) -> Pair:
    return Pair(pair.buffers, done_after, pair.seconds, pair.channels, pair.handle)


# Starts and dones tied to the ops beside them by optimization barriers, for backends that order by data alone.
#
# (spec: async, 14.4) A start waits for the op before it: a barrier of the start's operands and one result of that op.
# What follows a done waits for it: a barrier of the done's result and the operands of the op behind. Handles cannot
# pass a barrier, so the two ends of a pair are tied, not what is in between.


_BARRIER = "stablehlo.optimization_barrier"


def pin(graph: BlockGraph) -> None:
    """Fixes the pairs of a block at their positions."""
    ops = [view.operation for view in graph.last.block.operations]
    places = {identity(op): place for place, op in enumerate(ops)}
    for number, behind in graph.behind.items():
        start, done = graph.ops[number], behind[-1]
        _pin_start(start, next(filter(_computes, _backwards(ops, places[identity(start)])), None))
        _pin_done(done, next(filter(_computes, _forwards(ops, places[identity(done)])), None))


def _backwards(ops: Sequence[ir.Operation], place: int) -> Iterator[ir.Operation]:
    return (ops[number] for number in range(place - 1, -1, -1))


def _forwards(ops: Sequence[ir.Operation], place: int) -> Iterator[ir.Operation]:
    return (ops[number] for number in range(place + 1, len(ops)))


def _pin_start(start: ir.Operation, before: ir.Operation | None) -> None:
    if before is None:
        return
    operands = list(start.operands)
    if any(result in operands for result in before.results):
        return  # which it waits for anyway
    tied = _barrier(Builder.before(start), [*operands, before.results[0]])
    for number in range(len(operands)):
        start.operands[number] = tied[number]


def _pin_done(done: ir.Operation, after: ir.Operation | None) -> None:
    if after is None or all(map(is_constant_value, after.operands)):
        return
    operands = list(after.operands)
    if any(result in operands for result in done.results):
        return
    numbers = [number for number, operand in enumerate(operands) if not is_constant_value(operand)]
    tied = _barrier(Builder.before(after), [*(operands[number] for number in numbers), *done.results])
    for number, value in zip(numbers, tied, strict=False):
        after.operands[number] = value


def _computes(op: ir.Operation) -> bool:
    """Return whether other ops can be tied to an op: it is not in a pair and has a result that is not a scalar."""
    if family_of(op) is not None or is_constant(op) or op.name == _BARRIER:
        return False
    return any(isinstance(result.type, ir.RankedTensorType) and result.type.rank for result in op.results)


def _barrier(b: Builder, values: Sequence[ir.Value]) -> list[ir.Value]:
    return list(b.optimization_barrier(values))
