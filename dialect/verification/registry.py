"""The checks of ops, by name of the op."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.verification.scope import OpCheck

CHECKS: dict[str, OpCheck] = {}


def check_of(*names: str) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of ops of these names."""

    def register(function: OpCheck) -> OpCheck:
        CHECKS.update(dict.fromkeys(names, function))
        return function

    return register
