"""What is kept for an MLIR context as long as it lives; see `sdy.per_context`."""

from __future__ import annotations

from sdy.per_context import PerContext

__all__ = ["PerContext"]
