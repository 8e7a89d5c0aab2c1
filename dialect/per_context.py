"""What is kept for an MLIR context as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import finalize

Kept = TypeVar("Kept")


class PerContext(Generic[Kept]):
    """One object for each context, made by `make` when it is first asked for.

    It must not hold the context alive: attributes, types, modules and ops do.
    """

    def __init__(self, make: Callable[[], Kept]) -> None:
        self._make = make
        self._kept: dict[int, Kept] = {}
        """By address of the context: a `WeakKeyDictionary` would take longer than what the objects are for."""

    def of(self, context: Any) -> Kept:
        address = id(context)
        kept = self._kept.get(address)
        if kept is None:
            kept = self._kept[address] = self._make()
            finalize(context, self._kept.pop, address, None).atexit = False
        return kept

    def clear(self) -> None:
        """Forgets the objects of all contexts."""
        self._kept.clear()
