"""Questions about definitions and uses of values."""

from __future__ import annotations

from sdy.mlir import ir


def defining_op(value: ir.Value) -> ir.Operation | None:
    """The op that `value` is a result of; None for a block argument."""
    return value.owner.operation if isinstance(value, ir.OpResult) else None


def has_one_use(value: ir.Value) -> bool:
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def is_unused(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is None


def users(value: ir.Value) -> list[ir.Operation]:
    """The users in the order of the use list, an op that uses the value twice twice."""
    return [use.owner.operation for use in value.uses]
