"""The checks of ops, by name of the op.

As in the reference there are two kinds: invariants look at the op and its surroundings, symbol uses at the meshes that
the op names as well. Which of several errors is reported depends on it (see `sdy.dialect.verification.order`).
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.verification.scope import Scope
from sdy.mlir import ir

OpCheck = Callable[[ir.Operation, Scope], None]
"""Raises `DiagnosticError` at an op that is wrong."""

INVARIANTS: dict[str, OpCheck] = {}
SYMBOL_USES: dict[str, OpCheck] = {}

ALL_IN_ONE: dict[str, OpCheck] = {}
"""Checks of both kinds together, for where the order does not matter."""


def invariants_of(*names: str) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of the invariants of ops of these names."""
    return _registering(INVARIANTS, names)


def symbol_uses_of(*names: str, include_invariants: bool = False) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of symbol uses in ops of these names.

    With `include_invariants` it refuses all that the check of the invariants refuses, too.
    """
    return _registering(SYMBOL_USES, names, include_invariants)


def _registering(
    checks: dict[str, OpCheck], names: tuple[str, ...], is_all: bool = False
) -> Callable[[OpCheck], OpCheck]:
    def register(function: OpCheck) -> OpCheck:
        checks.update(dict.fromkeys(names, function))
        if is_all:
            ALL_IN_ONE.update(dict.fromkeys(names, function))
        return function

    return register


def check_by_name(op: ir.Operation, scope: Scope) -> None:
    """Makes all checks for ops of this name."""
    name = op.name
    if name in ALL_IN_ONE:
        ALL_IN_ONE[name](op, scope)
        return
    for checks in (INVARIANTS, SYMBOL_USES):
        if name in checks:
            checks[name](op, scope)
