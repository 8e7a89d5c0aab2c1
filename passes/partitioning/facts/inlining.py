"""Which functions are put in the place of their calls without the program growing much."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import body

_SMALL = 16
"""How many ops a function may have that is inlined wherever it is called."""


def is_small(func: ir.Operation) -> bool:
    """Whether a function with a body has so few ops that a copy for each call costs nothing."""
    return len(body(func).operations) <= _SMALL + 1  # the last one returns
