"""Which ops a compiler computes where their results are used, so that these never come to memory.

That is a model: what a back end does is better in some places and worse in others. It has to be the same wherever two
programs are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.mlir import ir

_MOVING = frozenset(
    f"stablehlo.{name}" for name in "broadcast_in_dim broadcast convert dynamic_slice iota slice".split()
)
"""Ops that are no arithmetic, and yet are computed element by element where their results are used."""

_TAKING = frozenset({"stablehlo.reduce"})
"""Ops that compute their operands themselves, without being computed elsewhere."""

RENAMING = frozenset({"stablehlo.reshape"})
"""Ops that only name what is there."""


def is_fused(op: ir.Operation) -> bool:
    """Whether an op is computed in all of its users, so that its result takes neither time to write nor room."""
    if not _is_element_by_element(op) or not len(op.results):
        return False
    users = list(_users(op.results[0]))
    return bool(users) and all(_is_element_by_element(user) or user.name in _TAKING for user in users)


def source(value: ir.Value) -> ir.Value:
    """The value of which `value` is another name."""
    while isinstance(value, ir.OpResult) and value.owner.operation.name in RENAMING:
        value = value.owner.operation.operands[0]
    return value


def renames(op: ir.Operation) -> bool:
    """Whether an op only gives a value another shape."""
    return op.name in RENAMING


def _is_element_by_element(op: ir.Operation) -> bool:
    return op.name in _MOVING or is_constant(op) or (not len(op.regions) and is_elementwise(op))


def _users(value: ir.Value) -> Iterator[ir.Operation]:
    for use in value.uses:
        user = use.owner.operation
        if user.name in RENAMING:
            yield from _users(user.results[0])
        else:
            yield user
