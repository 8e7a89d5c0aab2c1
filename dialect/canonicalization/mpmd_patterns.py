"""Patterns of the dialect `mpmd` (spec: mpmd, 2)."""

from __future__ import annotations

from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition.attributes import get, value_of
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import ReductionKind
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting import defining_op


def _operand_op(op: ir.Operation, name: str) -> ir.Operation | None:
    """The op called `name` that the first operand is a result of."""
    inner = defining_op(op.operands[0])
    return inner if inner is not None and inner.name == name else None


@canonicalization("mpmd.transfer", benefit=2)
def transfer_to_the_same_type(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a transfer between equal types by its operand."""
    if op.operands[0].type != op.results[0].type:
        return False
    rewriter.replace_op(op, [op.operands[0]])
    return True


@canonicalization("mpmd.transfer")
def transfer_of_transfer(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Merge two transfers in a row that stay on one mesh."""
    inner = _operand_op(op, op.name)
    if inner is None:
        return False
    types = (inner.operands[0].type, inner.results[0].type, op.results[0].type)
    if len({value_of(type_).mesh_name for type_ in types}) > 1:
        return False
    new = mpmd_builders.transfer(inner.operands[0], op.results[0].type, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    rewriter.replace_op(op, [new])
    return True


@canonicalization("mpmd.broadcast")
def broadcast_of_broadcast(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a broadcast of a broadcast by the inner one."""
    if _operand_op(op, op.name) is None:
        return False
    rewriter.replace_op(op, [op.operands[0]])
    return True


@canonicalization("mpmd.reduce")
def reduce_of_reduce(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a reduction of one tensor by the inner one, which is of the same kind."""
    inner = _operand_op(op, op.name)
    if inner is None:
        return False
    kind = get(op, "reduction").kind
    if kind not in (ReductionKind.NONE, get(inner, "reduction").kind):
        return False
    rewriter.replace_op(op, [op.operands[0]])
    return True


@canonicalization("mpmd.fragment")
def use_what_passes_through(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Uses of a result that is an argument of the body are uses of the operand; result and argument stay."""
    changed = False
    for argument, operand in zip(op.regions[0].blocks[0].arguments, op.operands, strict=True):
        returned = next((use for use in argument.uses if use.owner.operation.name == "mpmd.return"), None)
        if returned is None:
            continue
        result = op.results[returned.operand_number]
        if result.type == operand.type and next(iter(result.uses), None) is not None:
            result.replace_all_uses_with(operand)
            changed = True
    return changed
