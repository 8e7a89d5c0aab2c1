"""MLIR contexts that know the dialect."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import sdy.dialect.ops  # noqa: F401  (the declarations that loading emits)
from sdy.dialect import variadic
from sdy.dialect.dialect import Sdy
from sdy.mlir import ir, stablehlo

_groups: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def make_context(*, allow_unregistered_dialects: bool = False, groups: int = variadic.DEFAULT_GROUPS) -> Any:
    """A context with sdy, StableHLO and the upstream dialects; CHLO is loaded by `sdy.mlir.load_chlo` on demand.

    Args:
      allow_unregistered_dialects: whether ops of unknown dialects are accepted.
      groups: how many runs of values of one type a named or manual computation can have (see `sdy.dialect.variadic`);
        `sdy.parse` finds out what a program needs.
    """
    context = ir.Context()
    context.allow_unregistered_dialects = allow_unregistered_dialects
    with context, ir.Location.unknown():
        stablehlo.register_dialect(context)
        Sdy.groups = groups
        try:
            Sdy.load()
        finally:
            Sdy.groups = variadic.DEFAULT_GROUPS
            # `ext` keeps the IRDL it loaded, and with it the context.
            Sdy._mlir_module = None
    _groups[context] = groups
    return context


def groups_of(context: Any) -> int:
    """The `groups` that the context was made with."""
    return _groups.get(context, variadic.DEFAULT_GROUPS)
