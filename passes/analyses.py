"""What a pass has found out about a module, handed on to the passes that come next in the same run of a pipeline."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import ClassVar, TypeVar


class Analysis:
    """Something about a module that holds until a pass runs that may change it.

    `survives` has the names of the passes that leave it true.
    """

    survives: ClassVar[frozenset[str]] = frozenset()


Kind = TypeVar("Kind", bound=Analysis)


class Analyses:
    """The analyses of one run, one of a kind.

    `names` are those of all passes of the run, if nobody looks at the module between them; the first `passed` of them
    do not come any more.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.passed = 0
        self._valid: dict[type[Analysis], Analysis] = {}
        self._new: dict[type[Analysis], Analysis] = {}
        """Those of the pass that is running."""

    def leave(self, analysis: Analysis) -> None:
        self._new[type(analysis)] = analysis

    def take(self, kind: type[Kind]) -> Kind | None:
        found = self._valid.pop(kind, None)
        return found if isinstance(found, kind) else None

    def end_pass(self, name: str) -> None:
        """The pass of that name has run: what it may have made untrue goes, and what it has left is there."""
        kept = {kind: analysis for kind, analysis in self._valid.items() if name in analysis.survives}
        self._valid, self._new = kept | self._new, {}


_of_run: ContextVar[Analyses | None] = ContextVar("_of_run", default=None)


@contextmanager
def of_run(names: Sequence[str]) -> Iterator[Analyses]:
    """Analyses are handed on until the end of the block, in which passes run on one module (see `Analyses`)."""
    found = Analyses(names)
    token = _of_run.set(found)
    try:
        yield found
    finally:
        _of_run.reset(token)


def leave(analysis: Analysis) -> None:
    """Hands `analysis` of the module, as the running pass leaves it, on to the next pass, if there is one to come."""
    found = _of_run.get()
    if found is not None:
        found.leave(analysis)


def take(kind: type[Kind]) -> Kind | None:
    """The analysis of that kind, if an earlier pass has left one that is still true; nobody else gets it any more."""
    found = _of_run.get()
    return None if found is None else found.take(kind)


def is_next(name: str, *, but_for: Container[str]) -> bool:
    """Whether the pass of that name comes next in this run, but for some of `but_for`, and nobody looks before it.

    So what it takes away need not be there, unless one of these passes, or it itself, has another use for it.
    """
    found = _of_run.get()
    if found is None:
        return False
    coming = islice(found.names, found.passed, None)
    return next((each for each in coming if each not in but_for or each == name), None) == name
