"""Hatching, as the path of an SVG: in a fragment nothing may have an id, so patterns cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

STEP = 5.0
"""Between two lines, along an edge."""


def hatching(x: float, y: float, width: float, height: float) -> str:
    """Lines from the lower left to the upper right of a rectangle; none for an empty one."""
    return "".join(
        f"M{left:.1f} {below:.1f}L{right:.1f} {above:.1f}" for left, below, right, above in _lines(x, y, width, height)
    )


def _lines(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, float, float, float]]:
    """Each line holds the points of one sum of coordinates."""
    if width <= 0 or height <= 0:
        return
    at = x + y + STEP / 2
    while at < x + y + width + height:
        left, right = max(x, at - y - height), min(x + width, at - y)
        yield left, at - left, right, at - right
        at += STEP
