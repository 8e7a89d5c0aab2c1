"""Walks over nested ops, as lists taken before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cmp_to_key

from sdy.mlir import ir


def pre_order(op: ir.Operation) -> list[ir.Operation]:
    """Return `op` and all ops nested in it, parents first."""
    return _walk(op, ir.WalkOrder.PRE_ORDER)


def post_order(op: ir.Operation) -> list[ir.Operation]:
    """Return `op` and all ops nested in it, inner ones first."""
    return _walk(op, ir.WalkOrder.POST_ORDER)


def for_each(op: ir.Operation, visit: Callable[[ir.Operation], None]) -> None:
    """Calls `visit` with `op` and all ops nested in it, parents first.

    It may change attributes only. It is faster than a loop over `pre_order`, which suits all other changes.
    """
    errors: list[Exception] = []

    def call(nested: ir.Operation) -> ir.WalkResult:
        try:
            visit(nested)
        except Exception as error:  # noqa: BLE001  (raised again when the walk is over)
            # What a callback raises would leave the walk as something else.
            errors.append(error)
            return ir.WalkResult.INTERRUPT
        return advance

    advance = ir.WalkResult.ADVANCE
    op.operation.walk(call, ir.WalkOrder.PRE_ORDER)
    if errors:
        raise errors[0]


def for_each_below(root: ir.Operation, visit: Callable[[ir.Operation], None]) -> None:
    """Call as `for_each` does, but not for `root` itself.

    Where most ops have what is searched for this takes less time than `search.ops_with`, and needs no list.
    """
    for region in root.regions:
        for block in region.blocks:
            for op in block.operations:
                for_each(op.operation, visit)


def identity(op: ir.Operation) -> Hashable:
    """Return a lasting key of `op`: the hash of an op itself changes whenever the op does."""
    results = op.results
    return results[0] if len(results) else op


def ops_around(op: ir.Operation) -> Iterator[ir.Operation]:
    """Yield the ops that `op` is nested in, innermost first."""
    parent = op.parent
    while parent is not None:
        yield parent.operation
        parent = parent.operation.parent


def enclosing(op: ir.Operation, *names: str) -> ir.Operation | None:
    """Return the innermost op of one of these names around `op`; None without any."""
    return next((each for each in ops_around(op) if each.name in names), None)


def _in_block(one: ir.Operation, other: ir.Operation) -> int:
    return -1 if one.is_before_in_block(other) else int(one != other)


block_order = cmp_to_key(_in_block)
"""Key by which ops of one block are sorted as they stand there."""


def in_textual_order(ops: Sequence[ir.Operation], root: ir.Operation) -> list[ir.Operation]:
    """Return `ops`, which are distinct and below `root`, in pre-order."""
    if len(ops) < 2:
        return list(ops)
    block = ops[0].block
    if all(op.block == block for op in ops):
        return sorted(ops, key=block_order)
    wanted = set(map(identity, ops))
    return [op for op in pre_order(root) if identity(op) in wanted]


def _walk(op: ir.Operation, order: ir.WalkOrder) -> list[ir.Operation]:
    found: list[ir.Operation] = []
    advance = ir.WalkResult.ADVANCE

    def visit(nested: ir.Operation) -> ir.WalkResult:
        found.append(nested)
        return advance

    op.operation.walk(visit, order)
    return found
