"""The checks of ops, by name of the op.

As in the reference there are two kinds: invariants look at the op and its surroundings, symbol uses at the meshes that
the op names as well. Which of several errors is reported depends on it (see `sdy.dialect.verification.order`).
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.verification.scope import OpCheck

INVARIANTS: dict[str, OpCheck] = {}
SYMBOL_USES: dict[str, OpCheck] = {}


def invariants_of(*names: str) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of the invariants of ops of these names."""
    return _registering(INVARIANTS, names)


def symbol_uses_of(*names: str) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of symbol uses in ops of these names."""
    return _registering(SYMBOL_USES, names)


def _registering(checks: dict[str, OpCheck], names: tuple[str, ...]) -> Callable[[OpCheck], OpCheck]:
    def register(function: OpCheck) -> OpCheck:
        checks.update(dict.fromkeys(names, function))
        return function

    return register
