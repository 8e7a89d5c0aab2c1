"""What makes a value, who uses it, and who may."""

from __future__ import annotations

from sdy.mlir import ir


def defining_op(value: ir.Value) -> ir.Operation | None:
    """The op that `value` is a result of; None for an argument of a block."""
    return value.owner.operation if isinstance(value, ir.OpResult) else None


def users(value: ir.Value) -> list[ir.Operation]:
    """The users in the order of the use list, an op that uses the value twice twice."""
    return [use.owner.operation for use in value.uses]


def has_one_use(value: ir.Value) -> bool:
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def has_no_use(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is None


def is_visible(earlier: ir.Operation, op: ir.Operation) -> bool:
    """Whether `op` may use what an op before it makes: it is in the same block, or in a block inside of that."""
    block = op.block
    while block != earlier.block:
        holder = block.owner.operation
        if holder.name in ("func.func", "sdy.manual_computation"):
            return False
        block = holder.block
    return True


def is_unused(op: ir.Operation) -> bool:
    """Whether nobody uses a result of an op."""
    return all(map(has_no_use, op.results))


def first_user(op: ir.Operation) -> ir.Operation | None:
    """The first op of the block that uses the result of `op`, or that holds an op which does; None without any."""
    first: ir.Operation | None = None
    for use in op.results[0].uses:
        user = use.owner.operation
        while user.block != op.block:
            user = user.parent.operation
        if first is None or user.is_before_in_block(first):
            first = user
    return first
