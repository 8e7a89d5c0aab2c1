"""Columns: repeated entries are stored as lists of small numbers, with each distinct entry once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Interned(Generic[T]):
    """Distinct objects, numbered in order of first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def __getitem__(self, thing: T) -> int:
        """Return the number of an entry; a new one on first use."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def things(self) -> list[T]:
        """The things in the order of their numbers."""
        return list(self._numbers)
