"""Taking out what no result of a program is made of, as it is taken out of the program of each device.

What is only said of values, by constraints and groups, does not keep them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdy.mlir import ir
from sdy.mlir.effects import holds_its_regions_only, is_effect_free
from sdy.mlir.walk import pre_order

_SAY_ONLY = frozenset({"sdy.sharding_constraint", "sdy.sharding_group"})
"""Ops that compute nothing, and yet are kept where nobody uses them, for what they say of their operand."""


def erase_unused(module: ir.Operation) -> None:
    """Erases ops that nobody would miss, with what is said of them; what is said of other values stays."""
    for op in reversed(pre_order(module)):  # users come first, and what is nested in an op before it
        if not len(op.results) or op.name in _SAY_ONLY or not all(map(_only_says, _users(op))) or _has_effects(op):
            continue
        for user in list(_users(op)):
            _erase_with_users(user)
        op.erase()


def _only_says(op: ir.Operation) -> bool:
    return op.name in _SAY_ONLY and all(map(_only_says, _users(op)))


def _users(op: ir.Operation) -> Iterator[ir.Operation]:
    return (use.owner.operation for result in op.results for use in result.uses)


def _erase_with_users(op: ir.Operation) -> None:
    for user in list(_users(op)):
        _erase_with_users(user)
    op.erase()


def _has_effects(op: ir.Operation) -> bool:
    if not holds_its_regions_only(op.name):
        return not is_effect_free(op)
    nested = (one.operation for region in op.regions for block in region.blocks for one in block.operations)
    return any(one.name not in _SAY_ONLY and _has_effects(one) for one in nested)
