"""Whether a value can be computed at an earlier place of its block, and doing so."""

from __future__ import annotations

from collections.abc import Container

from sdy.dialect.op_properties import is_pure
from sdy.mlir import ir
from sdy.mlir.walk import identity

_MOST = 64
"""Ops that are moved for one value."""

_MOVABLE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather",
        "concatenate",
        "constant",
        "dot_general",
        "dynamic_slice",
        "dynamic_update_slice",
        "pad",
        "reverse",
        "transpose",
    )
)


def ops_to_move(value: ir.Value, place: ir.Operation, fixed: Container[object]) -> list[ir.Operation] | None:
    """The ops that have to be moved in front of `place` so that `value` is known there, in an order in which they may.

    None if one of them has effects, or if it takes one of `fixed`, which are given by `identity`.
    """
    found: dict[object, ir.Operation] = {}
    pending = [value]
    while pending:
        each = pending.pop()
        if not isinstance(each, ir.OpResult):
            continue
        op = each.owner.operation
        if identity(op) in fixed or op == place:
            return None
        if op.block != place.block or identity(op) in found or op.is_before_in_block(place):
            continue
        if not _may_move(op) or len(found) == _MOST:
            return None
        found[identity(op)] = op
        pending += op.operands
    ordered = list(found.values())
    return sorted(ordered, key=lambda op: sum(other.is_before_in_block(op) for other in ordered))


def _may_move(op: ir.Operation) -> bool:
    return not len(op.regions) and (op.name in _MOVABLE or is_pure(op))
