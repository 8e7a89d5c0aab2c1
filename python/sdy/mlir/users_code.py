"""Declarations of code outside this package: rules, lowerings, passes and so on.

Cached programs of other processes are valid only with equal declarations (`sdy.jax.caching`). This module does not need
MLIR.
"""

from __future__ import annotations

from collections.abc import Iterable
from traceback import walk_tb
from typing import TypeVar

from sdy.lazy_dataclass import dataclass

T = TypeVar("T")

_PACKAGE = __name__.partition(".")[0]

_declared: list[Declared] = []


@dataclass(frozen=True, eq=False, slots=True)
class Declared:
    """Declaration: its kind, its names, and the functions, classes and values that implement it."""

    kind: str
    names: tuple[str, ...]
    says: tuple[object, ...]


def declared(kind: str, names: Iterable[str], *says: object) -> None:
    """Record a declaration, unless all functions and classes in `says` are from this package."""
    modules = [getattr(each, "__module__", None) for each in says if callable(each)]
    if any(str(module).partition(".")[0] != _PACKAGE for module in modules):
        noted(kind, names, *says)


def noted(kind: str, names: Iterable[str], *says: object) -> None:
    """Note a declaration and its user arguments, even if its functions are from this package."""
    _declared.append(Declared(kind, tuple(names), says))


def withdrawn(kind: str) -> None:
    """Forgets all declarations of a kind."""
    _declared[:] = [one for one in _declared if one.kind != kind]


def users_line(raised: BaseException) -> str | None:
    """Return file and line of the innermost call in code that declared something; None if it was not called."""
    modules = {getattr(each, "__module__", None) for one in _declared for each in one.says}
    found = None
    for frame, line in walk_tb(raised.__traceback__):
        if frame.f_globals.get("__name__") in modules:
            found = f"{frame.f_code.co_filename}:{line}"
    return found


def declarations() -> tuple[Declared, ...]:
    """Return all declarations so far, in order."""
    return tuple(_declared)
