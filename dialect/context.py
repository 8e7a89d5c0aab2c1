"""MLIR contexts that know the dialect."""

from __future__ import annotations

from typing import Any

import sdy.dialect.ops  # noqa: F401  (the declarations that loading emits)
from sdy.dialect.dialect import Sdy
from sdy.mlir import ir, stablehlo


def make_context(*, allow_unregistered_dialects: bool = False) -> Any:
    """A context with sdy, StableHLO and the upstream dialects; CHLO is loaded by `sdy.mlir.load_chlo` on demand."""
    context = ir.Context()
    context.allow_unregistered_dialects = allow_unregistered_dialects
    with context, ir.Location.unknown():
        stablehlo.register_dialect(context)
        Sdy.load()
    return context
