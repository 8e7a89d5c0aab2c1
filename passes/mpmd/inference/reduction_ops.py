"""Ops of StableHLO that reduce values of several meshes."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.mpmd.values import ReductionKind
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_one_use, terminator, users
from sdy.passes.mpmd.inference.mesh_sets import KINDS

CONCATENATE, _REDUCE = "stablehlo.concatenate", "stablehlo.reduce"


def reduction_kind(op: ir.Operation) -> ReductionKind | None:
    """Return the kind of reduction that an op computes of its operands; None for other ops.

    A concatenate of slices of size 1 counts if it is reduced over them, and so does that reduction.
    """
    if op.name in KINDS:
        return KINDS[op.name]
    if op.name == CONCATENATE:
        reduce = _reduction_of(op)
        return None if reduce is None else KINDS.get(_body_op(reduce) or "")
    return KINDS.get(_body_op(op) or "") if concatenate_of(op) is not None else None


def concatenate_of(op: ir.Operation) -> ir.Operation | None:
    """Return the concatenate of slices of size 1 that an op reduces; None for other ops."""
    source = defining_op(op.operands[0]) if op.name == _REDUCE else None
    is_one = source is not None and source.name == CONCATENATE and _reduction_of(source) == op
    return source if is_one else None


def _reduction_of(concatenate: ir.Operation) -> ir.Operation | None:
    """The reduction over the dimension of a concatenate of slices of size 1, if it is the only user."""
    dim = attributes.number_of(concatenate.attributes["dimension"])
    types = {operand.type for operand in concatenate.operands}
    if len(types) > 1 or concatenate.operands[0].type.shape[dim] != 1:
        return None
    if not has_one_use(concatenate.results[0]):
        return None
    (user,) = users(concatenate.results[0])
    is_reduction = user.name == _REDUCE and len(user.operands) == 2 and list(user.attributes["dimensions"]) == [dim]
    return user if is_reduction and KINDS.get(_body_op(user) or "") is not None else None


def _body_op(reduce: ir.Operation) -> str | None:
    """Return the name of the only op that a reduction applies to its arguments."""
    block = reduce.regions[0].blocks[0]
    inner = [view.operation for view in block.operations]
    is_plain = len(inner) == 2 and len(inner[0].operands) == 2 and set(inner[0].operands) == set(block.arguments)
    return inner[0].name if is_plain and terminator(block).operands[0] == inner[0].results[0] else None
