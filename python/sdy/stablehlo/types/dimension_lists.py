"""Questions about lists of dimensions."""

from __future__ import annotations

from collections.abc import Sequence


def is_unique(dims: Sequence[int]) -> bool:
    """Whether no dimension occurs twice."""
    return len(dims) < 2 or len(set(dims)) == len(dims)


def is_ascending(dims: Sequence[int], *, strictly: bool = True) -> bool:
    """Whether the dimensions are sorted, with `strictly` also different."""
    return len(dims) < 2 or list(dims) == (sorted(set(dims)) if strictly else sorted(dims))


def are_dimensions(dims: Sequence[int], rank: int) -> bool:
    """Whether each is a dimension of a tensor of that rank."""
    return not dims or 0 <= min(dims) <= max(dims) < rank
