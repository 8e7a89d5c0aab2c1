"""Who uses what an op gives, and who may."""

from __future__ import annotations

from sdy.mlir import ir


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
    return all(next(iter(result.uses), None) is None for result in op.results)


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
