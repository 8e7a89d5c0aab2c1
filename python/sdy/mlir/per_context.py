"""Objects cached per MLIR context for its lifetime, or until they are too many."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload
from weakref import finalize

if TYPE_CHECKING:
    from sdy.mlir import ir

Kept = TypeVar("Kept")
Counted = TypeVar("Counted", bound=Sized)

MOST = 1 << 16
"""Number of entries that a cache of a context may keep when the next module comes."""


def own_bound(_kept: object) -> int:
    """Return 0, for caches that have a bound of their own."""
    return 0


class PerContext(Generic[Kept]):
    """Cache of one object per context; `make` creates it on first use.

    It must not keep the context alive, so it may not hold attributes, types, modules or ops. Threads that share a
    context take turns (see `sdy.dialect.context.exclusively`), so cached objects need no locks.

    A module adds its own caches. A cache with more than `most` entries by `size` is emptied before the next turn (see
    `forget_excess`), never during one.
    """

    @overload
    def __init__(self: PerContext[Counted], make: Callable[[], Counted], *, most: int = MOST) -> None: ...
    @overload
    def __init__(self, make: Callable[[], Kept], *, most: int = MOST, size: Callable[[Kept], int]) -> None: ...
    def __init__(self, make: Callable[[], Kept], *, most: int = MOST, size: Callable[..., int] = len) -> None:
        self._make = make
        self._most, self._size = most, size
        self._kept: dict[int, Kept] = {}
        """By the hash of the context: a `WeakKeyDictionary` would take longer than what the objects are for.

        That is its address. `id` takes ten times as long under an audit hook, as JAX adds one with filelock.
        """
        _all.append(self)

    def of(self, context: ir.Context) -> Kept:
        address = hash(context)
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

    def forget_excess(self, context: ir.Context) -> None:
        """Replaces the object of `context` by a new one if it has become too large."""
        kept = self._kept.get(hash(context))
        if kept is not None and self._size(kept) > self._most:
            self._kept[hash(context)] = self._make()


_all: list[PerContext[Any]] = []


def forget_excess(context: ir.Context) -> None:
    """Empty the caches of a context that have become too large; they must not be in use."""
    for each in _all:
        each.forget_excess(context)


def count() -> int:
    """Return the number of objects kept for live contexts."""
    return sum(len(each._kept) for each in _all)
