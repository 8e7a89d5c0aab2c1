"""Errors and warnings with their positions."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from sdy.lazy_dataclass import dataclass
from sdy.mlir.users_code import users_line

if TYPE_CHECKING:
    from sdy.mlir import ir


class Severity(Enum):
    """Severity of a diagnostic; the value is the printed word."""

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

    @classmethod
    def start(cls, file: str) -> Position:
        """Return the first position of a text, used for its module and for diagnostics about the whole text."""
        return cls(file, 1, 1)


Place: TypeAlias = "ir.Operation | ir.Module | ir.Location | Position | None"
"""Place of a fault; None if unknown."""

UNKNOWN = Position("unknown")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Message with its severity, position and notes."""

    severity: Severity
    position: Position
    message: str
    notes: tuple[Diagnostic, ...] = field(default=())

    def __str__(self) -> str:
        lines = [f"{self.position}: {self.severity.value}: {self.message}"]
        return "\n".join([*lines, *map(str, self.notes)])


class DiagnosticError(Exception):
    """Stops an operation because the program is wrong or not supported.

    Args:
      at: the op (its name is put in front of the message), or a location, or a `Position`.
      message: the problem, without the place and without the op's name.
      notes: pairs of a place and a message.

    Attributes:
      diagnostics: all errors; a check of a program reports every error.
    """

    def __init__(self, at: Place, message: str, notes: Sequence[tuple[Place, str]] = ()) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (_diagnostic(Severity.ERROR, at, message, notes),)
        super().__init__(str(self.diagnostic))

    def __reduce__(self) -> tuple[type[DiagnosticErrors], tuple[tuple[Diagnostic, ...]]]:
        return DiagnosticErrors, (self.diagnostics,)

    @property
    def diagnostic(self) -> Diagnostic:
        """First diagnostic."""
        return self.diagnostics[0]


@contextmanager
def at_argument(func: ir.Operation, number: int | None) -> Iterator[None]:
    """Move errors of the block from a function to its argument of that number, if that has a position.

    Nothing moves for None, or for a declaration.
    """
    try:
        yield
    except DiagnosticError as error:
        blocks = [*func.regions[0].blocks]
        if number is None or not blocks or (position := position_of(blocks[0].arguments[number].location)) == UNKNOWN:
            raise
        raise DiagnosticErrors([replace(each, position=position) for each in error.diagnostics]) from None


class RefusedByUser(DiagnosticError):
    """A function of a user fails for given shardings, or returns an impossible result."""


class DiagnosticErrors(DiagnosticError):
    """Several errors that are diagnostics already: from the bindings, or from several ops."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        Exception.__init__(self, "\n".join(map(str, diagnostics)))
        self.diagnostics = tuple(diagnostics)


class InternalError(Exception):
    """A fault of this package or of a user's declaration, not of the program; its `__cause__` is what was raised.

    Args:
      at: an op or location that was being worked on, or a `Position`.
      doing: the failing pass or step.
      cause: the raised exception.

    Attributes:
      diagnostics: the one that tools print in place of a traceback.
    """

    def __init__(self, at: Place, doing: str, cause: BaseException) -> None:
        reason = f"{type(cause).__name__}: {cause}".splitlines()[0]
        op: ir.Operation | None = getattr(at, "operation", None)
        where = "" if op is None else f" at '{op.name}'"
        location = at if op is None else op.location
        line = users_line(cause)
        said = (
            f"internal: {doing} failed{where}: {reason}"
            if line is None
            else f"{doing} failed{where}: {reason} ({line})"
        )
        found = _diagnostic(Severity.ERROR, location, said, ())
        self.diagnostics: tuple[Diagnostic] = (found,)
        super().__init__(str(found))

    def __reduce__(self) -> tuple[Callable[[Diagnostic], InternalError], tuple[Diagnostic]]:
        return _internal_error, self.diagnostics


def _internal_error(found: Diagnostic) -> InternalError:
    """Return the error of a diagnostic from another process, where its cause stays."""
    error = InternalError.__new__(InternalError, str(found))
    error.diagnostics = (found,)
    return error


class Faults:
    """Collects the errors of a check, so that all of them are reported.

        with Faults() as faults:
            for op in ops:
                with faults.one():
                    check(op)

    Raises:
      DiagnosticError: at the end of the block, if there were any: with all of them, in the order found.
    """

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        """Collect the error of the block; execution continues behind it."""
        try:
            yield
        except DiagnosticError as error:
            self._found += error.diagnostics

    def __enter__(self) -> Faults:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._found:
            raise DiagnosticErrors(list(dict.fromkeys(self._found)))


_collector: ContextVar[Callable[[Diagnostic], None] | None] = ContextVar("collector", default=None)


@contextmanager
def collecting(handle: Callable[[Diagnostic], None]) -> Iterator[None]:
    """Hands warnings and remarks to `handle` for the time of the block."""
    token = _collector.set(handle)
    try:
        yield
    finally:
        _collector.reset(token)


def warning(at: Place, message: str) -> None:
    """Reports something doubtful at an op or location."""
    _report(_diagnostic(Severity.WARNING, at, message, ()))


def remark(at: Place, message: str) -> None:
    """Reports something worth knowing at an op or location."""
    _report(_diagnostic(Severity.REMARK, at, message, ()))


_explains: ContextVar[bool] = ContextVar("_explains", default=False)


@contextmanager
def explaining_mismatches(on: bool = True) -> Iterator[None]:
    """Report why rewrite patterns do not match, as remarks at the ops, until the end of the block."""
    token = _explains.set(on)
    try:
        yield
    finally:
        _explains.reset(token)


def mismatch(at: Place, message: str) -> None:
    """Report why a rewrite pattern does not match at an op, if requested."""
    if _explains.get():
        remark(at, message)


def _report(diagnostic: Diagnostic) -> None:
    handle = _collector.get()
    if handle is not None:
        handle(diagnostic)
    else:
        print(diagnostic, file=sys.stderr)


def _diagnostic(severity: Severity, at: Place, message: str, notes: Sequence[tuple[Place, str]]) -> Diagnostic:
    op: ir.Operation | None = getattr(at, "operation", None)
    if op is not None:
        return _diagnostic(severity, op.location, f"'{op.name}' op {message}", notes)
    listed = tuple(_diagnostic(Severity.NOTE, place, text, ()) for place, text in notes)
    return Diagnostic(severity, at if isinstance(at, Position) else position_of(at), message, listed)


_PART = re.compile(r'"((?:[^"\\]|\\.)*)"(?::(\d+):(\d+))?')
"""A name, or a file with line and column."""


def location_parts(location: object) -> Iterator[str | Position]:
    """Return the names and file positions in an MLIR location, in print order and quoted as printed.

    Lines and columns count from 1: an implicit module has no line, and frontends without columns write column 0.
    """
    for found in _PART.finditer(str(location)):
        name, line, column = found.groups()
        yield name if line is None else Position(name, int(line) or 1, int(column) or 1)


def position_of(location: object) -> Position:
    """Return the first file position in an MLIR location; `UNKNOWN` if it has none."""
    return next((part for part in location_parts(location) if isinstance(part, Position)), UNKNOWN)


_said: ContextVar[set[str] | None] = ContextVar("_said", default=None)


@contextmanager
def saying_once() -> Iterator[None]:
    """Open a block for one module, in which each `warn_once` warning is reported once.

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
    """Open a block for a copy whose warnings are dropped, so that they are reported again for the original."""
    token = _said.set(set())
    try:
        yield
    finally:
        _said.reset(token)


def warn_once(kind: str, at: Place, message: str) -> None:
    """Report a warning at an op or location, once per kind in the block."""
    said = _said.get()
    if said is None:
        warning(at, message)
    elif kind not in said:
        said.add(kind)
        warning(at, message)
