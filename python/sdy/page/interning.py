"""Columns: what comes by the thousand is kept as lists of small numbers, and what these mean once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Interned(Generic[T]):
    """Different things, numbered in the order in which they came."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def __getitem__(self, thing: T) -> int:
        """The number of a thing, which is a new one at the first time."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def things(self) -> list[T]:
        """The things in the order of their numbers."""
        return list(self._numbers)
