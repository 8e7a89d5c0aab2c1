"""In which directions an op passes shardings on (spec: propagation, 5 and 12)."""

from __future__ import annotations

from enum import IntFlag


class Direction(IntFlag):
    """From operands to results, from results to operands, or both.

    The union of two directions is ``|`` and their intersection ``&``; the numbers are those of
    `sdy.propagation_barrier`'s `allowed_direction`.
    """

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    BOTH = 3
