"""Which ops may use what an op gives."""

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
