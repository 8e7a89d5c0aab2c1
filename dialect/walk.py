"""Walks over nested ops, as lists taken before anything is changed."""

from __future__ import annotations

from typing import Any

from sdy.mlir import ir


def pre_order(op: Any, name: str | None = None) -> list[Any]:
    """`op` and all ops nested in it, parents first; only those called `name` if given."""
    return _walk(op, name, ir.WalkOrder.PRE_ORDER)


def post_order(op: Any, name: str | None = None) -> list[Any]:
    """`op` and all ops nested in it, nested ops before their parents; only those called `name` if given."""
    return _walk(op, name, ir.WalkOrder.POST_ORDER)


def _walk(op: Any, name: str | None, order: Any) -> list[Any]:
    found: list[Any] = []
    advance = ir.WalkResult.ADVANCE
    if name is None:

        def visit(nested: Any) -> Any:
            found.append(nested)
            return advance
    else:

        def visit(nested: Any) -> Any:
            if nested.name == name:
                found.append(nested)
            return advance

    op.operation.walk(visit, order)
    return found
