"""Putting the body of an op, or of the function that a call names, in its place."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.walk import pre_order


def replace(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Uses `values` in place of the results of `op`, which is erased."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def move_out(block: ir.Block, operands: Sequence[ir.Value], place: ir.Operation) -> list[ir.Value]:
    """Moves the ops of `block` in front of `place`, on `operands` as its arguments, and returns what it returns.

    The op that ends the block stays in it.
    """
    for argument, operand in zip(block.arguments, operands, strict=True):
        argument.replace_all_uses_with(operand)
    *nested, terminator = [view.operation for view in block.operations]
    for op in nested:
        op.move_before(place)
    return list(terminator.operands)


def inline(op: ir.Operation) -> None:
    """Puts the body of an op with one block in its place, a named computation's, say."""
    replace(op, move_out(op.regions[0].blocks[0], list(op.operands), op))


def inline_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Replaces `call` by a copy of the body of `callee`, which is one block; locations say where it was called."""
    copy = callee.clone(ip=False).operation
    for op in body(copy).operations:
        for each in pre_order(op.operation):
            each.location = ir.Location.callsite(each.location, [call.location])
    inline_last_call(call, copy)


def inline_last_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Replaces `call` by the body of `callee`, which is one block and goes with it; locations stay."""
    replace(call, move_out(body(callee), list(call.operands), call))
    callee.erase()
