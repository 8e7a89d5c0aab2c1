"""The custom calls by which GSPMD goes from whole values to those of one device and back (spec: interchange, 5.2)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL, target_of


def conversion_of(op: ir.Operation) -> str:
    """What `op` calls if it is a conversion, else nothing."""
    if op.name != CUSTOM_CALL:
        return ""
    target = target_of(op)
    return target if target in (FULL_TO_SHARD, SHARD_TO_FULL) else ""


def constraint_before(op: ir.Operation) -> ir.Operation | None:
    """The `@Sharding` call whose result `op`, a conversion, takes."""
    value = op.operands[0]
    if not isinstance(value, ir.OpResult):
        return None
    source = value.owner.operation
    return source if source.name == CUSTOM_CALL and target_of(source) == SHARDING_CALL else None
