"""One call, replaced by what it calls."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.walk import pre_order


def inline_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Replaces `call` by a copy of the body of `callee`, which is one block; locations say where it was called."""
    copy = callee.clone(ip=False).operation
    block = body(copy)
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *nested, terminator = [op.operation for op in block.operations]
    for op in nested:
        for each in pre_order(op):
            each.location = ir.Location.callsite(each.location, [call.location])
        op.move_before(call)
    for result, value in zip(call.results, terminator.operands, strict=True):
        result.replace_all_uses_with(value)
    call.erase()
    copy.erase()
