"""Canonicalization of reshards (spec: dialect, 11)."""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition import attributes
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting.uses import defining_op, has_one_use


@canonicalization("sdy.reshard", label="sdy-reshard", benefit=2)
def reshard_of_reshard(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """What comes in between is of no interest if nobody else looks at it."""
    inner = defining_op(op.operands[0])
    if inner is None or inner.name != "sdy.reshard" or not has_one_use(op.operands[0]):
        return False
    sharding = attributes.get(op, "sharding")
    new = builders.reshard(inner.operands[0], sharding, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    rewriter.replace_op(op, [new])
    return True
