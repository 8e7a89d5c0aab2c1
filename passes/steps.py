"""What a pipeline consists of: steps, each of which names a pass or another pipeline."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from sdy.passes.options import format_options

MODULE = "builtin.module"
FUNCTION = "func.func"
ANY = "any"


@dataclass(frozen=True, slots=True)
class Step:
    """A pass, pipeline or upstream pass to run.

    `options` are given by their names on the command line (or the field names of the options class). Without one of the
    ops `needs`, if there are any, a pass changes nothing.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    on_func: bool = False
    needs: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        text = self.name + (f"{{{format_options(self.options)}}}" if self.options else "")
        return f"{FUNCTION}({text})" if self.on_func else text


@dataclass(slots=True)
class Run:
    """The names of all passes of a run, if nobody looks at the module between them; `passed` of them are over."""

    names: Sequence[str]
    passed: int = 0


_run: ContextVar[Run | None] = ContextVar("_run", default=None)


@contextmanager
def run_of(names: Sequence[str]) -> Iterator[Run]:
    """Lets the passes of a run ask which ones are next, until the end of the block."""
    run = Run(names)
    token = _run.set(run)
    try:
        yield run
    finally:
        _run.reset(token)


def are_next(*names: str) -> bool:
    """Whether the passes of those names come next in this run, one behind the other, and nobody looks before them."""
    run = _run.get()
    return run is not None and tuple(run.names[run.passed : run.passed + len(names)]) == names


def is_next(name: str, *, but_for: Container[str]) -> bool:
    """Whether the pass of that name comes next in this run, but for some of `but_for`, and nobody looks before it.

    So what it takes away need not be there, unless one of these passes, or it itself, has another use for it.
    """
    run = _run.get()
    coming = () if run is None else run.names[run.passed :]
    return next((each for each in coming if each not in but_for or each == name), None) == name
