"""What is kept for an MLIR context as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import finalize

Kept = TypeVar("Kept")


class PerContext(Generic[Kept]):
    """One object for each context, made by `make` when it is first asked for.

    It must not hold the context alive: attributes, types, modules and ops do. Where threads share a context they take
    turns (see `sdy.dialect.context.exclusively`), so what is kept needs no locks of its own.
    """

    def __init__(self, make: Callable[[], Kept]) -> None:
        self._make = make
        self._kept: dict[int, Kept] = {}
        """By address of the context: a `WeakKeyDictionary` would take longer than what the objects are for."""

    def of(self, context: Any) -> Kept:
        address = id(context)
        kept = self._kept.get(address)
        if kept is None:
            made = self._make()
            # Another thread may have been faster.
            kept = self._kept.setdefault(address, made)
            if kept is made:
                finalize(context, self._kept.pop, address, None).atexit = False
        return kept

    def clear(self) -> None:
        """Forgets the objects of all contexts."""
        self._kept.clear()
