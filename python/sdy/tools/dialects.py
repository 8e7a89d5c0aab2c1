"""Dialects that `sdy-opt` knows, and learns from files."""

from __future__ import annotations

from sdy.dialect.context import registered_dialects
from sdy.dialect.irdl_loading import dialects_in, load_irdl

__all__ = ["available_dialects", "dialects_in", "load_irdl"]


def available_dialects() -> list[str]:
    """The names of all dialects; CHLO is loaded for programs that use it."""
    return sorted({"chlo", "sdy", "stablehlo", *registered_dialects()})
