"""Replacing an op by the values that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def replace(op: Any, values: Sequence[Any]) -> None:
    """Uses `values` in place of the results of `op`, which is erased."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def inline(op: Any) -> None:
    """Puts the body of a named computation in its place."""
    block = op.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, op.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, terminator = [nested.operation for nested in block.operations]
    results = list(terminator.operands)
    for nested in body:
        nested.move_before(op)
    replace(op, results)
