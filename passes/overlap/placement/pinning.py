"""Starts and dones tied to the ops beside them by optimization barriers, for backends that order by data alone.

(spec: async, 14.4) A start waits for the op before it: a barrier of the start's operands and one result of that op.
What follows a done waits for it: a barrier of the done's result and the operands of the op behind. Handles cannot pass
a barrier, so the two ends of a pair are tied, not what is in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.asynchronous_pairs import family_of
from sdy.dialect.op_properties import is_constant, is_constant_value
from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.passes.overlap.placement.block_graph import BlockGraph
from sdy.stablehlo.ops import Builder

_BARRIER = "stablehlo.optimization_barrier"


def pin(graph: BlockGraph) -> None:
    """Ties the pairs of a block where they stand."""
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
    """Whether an op can be tied to: it is no part of a pair, and makes more than a scalar, such as a loop's counter."""
    if family_of(op) is not None or is_constant(op) or op.name == _BARRIER:
        return False
    return any(isinstance(result.type, ir.RankedTensorType) and result.type.rank for result in op.results)


def _barrier(b: Builder, values: Sequence[ir.Value]) -> list[ir.Value]:
    return list(b.optimization_barrier(values))
