"""Verification of modules: everything that IRDL cannot say (spec: dialect, 4 to 10)."""

from __future__ import annotations

from typing import Any


def verify_module(module: Any) -> None:
    """Being filled in right now."""
