"""Errors, warnings and remarks at a place in the program.

Passes raise `DiagnosticError`, which stops them, or call `warning` and `remark`, which do not. Who runs the passes
collects the latter with `collecting`; without a collector they go to standard error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Severity(Enum):
    """How bad it is; the value is the word that is printed."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file; line and column count from 1, 0 where unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"


UNKNOWN = Position("unknown")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message and where it belongs, with notes that say more."""

    severity: Severity
    position: Position
    message: str
    notes: tuple[Diagnostic, ...] = field(default=())

    def __str__(self) -> str:
        lines = [f"{self.position}: {self.severity.value}: {self.message}"]
        return "\n".join([*lines, *map(str, self.notes)])


class DiagnosticError(Exception):
    """Stops what is being done because the program is wrong or not supported.

    Args:
      at: the op (its name is put in front of the message), or a location, or a `Position`.
      message: what is wrong, without the place and without the op's name.
      notes: pairs of a place and a message.
    """

    def __init__(self, at: Any, message: str, notes: Sequence[tuple[Any, str]] = ()) -> None:
        self.diagnostic = _diagnostic(Severity.ERROR, at, message, notes)
        super().__init__(str(self.diagnostic))


class DiagnosticErrors(Exception):
    """Several errors at once."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))


_collector: ContextVar[Callable[[Diagnostic], None] | None] = ContextVar("collector", default=None)


@contextmanager
def collecting(handle: Callable[[Diagnostic], None]) -> Iterator[None]:
    """Hands warnings and remarks to `handle` for the time of the block."""
    token = _collector.set(handle)
    try:
        yield
    finally:
        _collector.reset(token)


def warning(at: Any, message: str) -> None:
    """Reports something doubtful at an op or location."""
    _report(_diagnostic(Severity.WARNING, at, message, ()))


def remark(at: Any, message: str) -> None:
    """Reports something worth knowing at an op or location."""
    _report(_diagnostic(Severity.REMARK, at, message, ()))


def _report(diagnostic: Diagnostic) -> None:
    handle = _collector.get()
    if handle is not None:
        handle(diagnostic)
    else:
        print(diagnostic, file=sys.stderr)


def _diagnostic(severity: Severity, at: Any, message: str, notes: Sequence[tuple[Any, str]]) -> Diagnostic:
    if hasattr(at, "operation"):
        op = at.operation
        return _diagnostic(severity, op.location, f"'{op.name}' op {message}", notes)
    listed = tuple(_diagnostic(Severity.NOTE, place, text, ()) for place, text in notes)
    return Diagnostic(severity, at if isinstance(at, Position) else position_of(at), message, listed)


_FILE_POSITION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')


def position_of(location: Any) -> Position:
    """The first file position in an MLIR location; `UNKNOWN` if it has none."""
    text = str(location)
    found = _FILE_POSITION.search(text)
    return Position(found[1], int(found[2]), int(found[3])) if found else UNKNOWN
