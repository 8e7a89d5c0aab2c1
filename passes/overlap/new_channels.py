"""Channels for new collectives."""

from __future__ import annotations

from collections.abc import Iterator


def channels_from(first: int) -> Iterator[int]:
    """Channels that are not used yet."""
    while True:
        yield first
        first += 1
