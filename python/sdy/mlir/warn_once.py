"""Warnings that are said once, although they hold for many ops."""

from __future__ import annotations

from typing import Any

from sdy.mlir.diagnostics import warning
from sdy.mlir.per_context import PerContext

_said: PerContext[set[str]] = PerContext(set)


def warn_once(kind: str, context: Any, at: Any, message: str) -> None:
    """Reports something doubtful at an op or location, if nothing of that kind has been reported in the context."""
    said = _said.of(context)
    if kind not in said:
        said.add(kind)
        warning(at, message)
