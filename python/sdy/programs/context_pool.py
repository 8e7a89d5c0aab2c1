"""Pool of contexts, used by one program after the other.

Making a context and filling its caches takes longer than a small program.
"""

from __future__ import annotations

from contextlib import suppress

from sdy.dialect.context import CHLO, groups_of, loaded_dialects, make_context
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, load_chlo
from sdy.mlir.users_code import declarations

_CHARACTERS = 1 << 20
"""Maximum total length of the programs of one context, which keeps their types and attributes."""

_PROGRAMS = 64
"""Maximum number of programs of one context, since passes may make much of a short one."""

_IDLE = 2
"""Maximum number of idle contexts that are kept."""


@dataclass(slots=True, eq=False)
class _Lean:
    """A context, its first dialects (see `loaded_dialects`), and the programs that used it."""

    context: ir.Context
    dialects: frozenset[str]
    characters: int = 0
    programs: int = 0


_idle: list[_Lean] = []
"""In the order of release. They never have threads, which a child process would lack."""


class PooledContext:
    """The lean context (see `make_context`) of one program, given as text.

    Programs are isolated: a context is not used again where users have declared anything, since their code may keep its
    objects; nor if it has got further dialects, or accepts ops of unknown ones. A context that is not released, after a
    failure, is dropped.
    """

    def __init__(self, text: str, *, allow_unregistered_dialects: bool = False) -> None:
        self._characters, self._has_chlo = len(text), "chlo." in text
        self._allows_unregistered = allow_unregistered_dialects
        self._taken: _Lean | None = None

    def context(self, groups: int) -> ir.Context:
        """Return a context with this number of `groups`; earlier ones are not released."""
        self._taken = None
        if self._allows_unregistered or self._characters > _CHARACTERS or declarations():
            return make_context(groups=groups, is_lean=True, allow_unregistered_dialects=self._allows_unregistered)
        taken = _take(groups, has_chlo=self._has_chlo)
        if taken is None:
            context = make_context(groups=groups, is_lean=True)
            if self._has_chlo:
                load_chlo(context)
            context.enable_multithreading(False)
            taken = _Lean(context, loaded_dialects(context))
        taken.characters += self._characters
        taken.programs += 1
        self._taken = taken
        return taken.context

    def release(self) -> None:
        """Return the context to the pool; the module must be gone."""
        taken, self._taken = self._taken, None
        if taken is None or taken.characters >= _CHARACTERS or taken.programs >= _PROGRAMS or declarations():
            return
        if loaded_dialects(taken.context) == taken.dialects:
            _idle.append(taken)
            del _idle[:-_IDLE]


def _take(groups: int, *, has_chlo: bool) -> _Lean | None:
    """Return the idle context with this number of groups, with CHLO or not, that was released last."""
    for each in reversed(_idle):
        if groups_of(each.context) == groups and (CHLO in each.dialects) == has_chlo:
            with suppress(ValueError):  # another thread has taken it
                _idle.remove(each)
                return each
    return None


def forget_idle() -> None:
    """Drop all idle contexts."""
    _idle.clear()
