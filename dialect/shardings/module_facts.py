"""What is asked about the module again and again while function after function is worked on, found out once.

A module may have thousands of functions; what looks at all of them, such as a table of symbols, must not be made anew
for each.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any, TypeVar

from sdy.dialect.shardings.meshes import enclosing_module
from sdy.mlir import ir

Fact = TypeVar("Fact")

_Facts = dict[Callable[[ir.Operation], Any], list[tuple[ir.Operation, Any]]]

_facts: ContextVar[_Facts | None] = ContextVar("_facts", default=None)


class Kept:
    """A context manager: facts are kept until the end of the block, in which no symbol is added, removed or changed."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token: Token[_Facts | None] = _facts.set({})

    def __exit__(self, *_: object) -> None:
        _facts.reset(self._token)


def of_module(find: Callable[[ir.Operation], Fact], op: ir.Operation) -> Fact:
    """What `find` (a function or class) makes of the module around `op`, from what is kept if possible."""
    module, facts = enclosing_module(op), _facts.get()
    if facts is None:
        return find(module)
    known = facts.setdefault(find, [])
    for other, fact in known:
        if other == module:
            return fact
    known.append((module, find(module)))
    return known[-1][1]
