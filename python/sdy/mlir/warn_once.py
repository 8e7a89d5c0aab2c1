"""Warnings that are said once about a module, although they hold for many ops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sdy.mlir.diagnostics import Place, warning

_said: ContextVar[set[str] | None] = ContextVar("_said", default=None)


@contextmanager
def saying_once() -> Iterator[None]:
    """Around all that is done to one module: what is said once is said once in the block, whatever was said before.

    A block in a block is part of it.
    """
    if _said.get() is not None:
        yield
        return
    token = _said.set(set())
    try:
        yield
    finally:
        _said.reset(token)


@contextmanager
def saying_apart() -> Iterator[None]:
    """Around what is done to a copy of which nobody is told: what is said there is said again where it counts."""
    token = _said.set(set())
    try:
        yield
    finally:
        _said.reset(token)


def warn_once(kind: str, at: Place, message: str) -> None:
    """Reports something doubtful at an op or location, if nothing of that kind has been reported in the block."""
    said = _said.get()
    if said is None:
        warning(at, message)
    elif kind not in said:
        said.add(kind)
        warning(at, message)
