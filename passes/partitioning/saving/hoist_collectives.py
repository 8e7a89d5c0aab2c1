"""sdy-hoist-collectives: sends what every round of a loop needs in the same way once, before the loop.

    stablehlo.while(%x = %0, ...) do {
      %1 = sdy.all_gather [{"x"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
      ...
      stablehlo.return %x, ...
==> %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    stablehlo.while(%x = %0, ...) do {
      ...
      stablehlo.return %x, ...

What a collective works on may be a value from outside, a loop variable that the body hands on unchanged, or made of
those by ops on elements and shapes, which move with it. Cost model: a loop is taken to run more than once; the result
lives as long as the loop.
"""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.saving.analysis.sending import FREE, SENDING
from sdy.passes.registry import pass_
from sdy.stablehlo.idioms.loop_variables import WHILE, loop_body, unchanged_variables

_MOVABLE = frozenset({"stablehlo.transpose", *FREE})


@pass_("sdy-hoist-collectives", on="func.func")
def hoist_collectives(func: ir.Operation) -> None:
    for loop in ops_named(func, WHILE):
        _hoist(loop)


def _hoist(loop: ir.Operation) -> None:
    body, outside = loop_body(loop), unchanged_variables(loop)
    for op in [view.operation for view in body.operations]:
        if op.name in SENDING and _is_invariant(op.operands[0], body, outside):
            moved = _moved(op.results[0], loop, body, outside)
            op.results[0].replace_all_uses_with(moved)
            op.erase()


def _is_invariant(value: ir.Value, body: ir.Block, outside: dict[ir.Value, ir.Value]) -> bool:
    """Whether `value` can be had before the loop."""
    if value in outside:
        return True
    if isinstance(value, ir.BlockArgument):
        return value.owner != body
    op = value.owner.operation
    if op.block != body:
        return True
    if op.name not in _MOVABLE and op.name not in COLLECTIVES and not is_pure(op) and not is_constant(op):
        return False
    return all(_is_invariant(operand, body, outside) for operand in op.operands)


def _moved(value: ir.Value, loop: ir.Operation, body: ir.Block, outside: dict[ir.Value, ir.Value]) -> ir.Value:
    """A copy of an invariant value before the loop."""
    if value in outside:
        return outside[value]
    if isinstance(value, ir.BlockArgument) or value.owner.operation.block != body:
        return value
    op = value.owner.operation
    operands = [_moved(operand, loop, body, outside) for operand in op.operands]
    copy = op.clone(ip=ir.InsertionPoint(loop)).operation
    for number, operand in enumerate(operands):
        copy.operands[number] = operand
    return copy.results[ir.OpResult(value).result_number]
