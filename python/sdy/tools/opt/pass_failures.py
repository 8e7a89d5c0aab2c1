"""What passes of other packages raise, told with the line of theirs that raised it, in place of a traceback."""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Sequence
from types import FrameType

import sdy
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity, position_of
from sdy.mlir.faults import NO_FAULTS
from sdy.passes.manager import PlannedStep
from sdy.passes.registry import Pass, find


def telling(planned: Sequence[PlannedStep]) -> tuple[PlannedStep, ...]:
    """The steps, of which those of other packages raise `DiagnosticErrors` in place of what they raise."""
    return tuple(_telling(one) if _is_foreign(one) else one for one in planned)


def _is_foreign(one: PlannedStep) -> bool:
    found = find(one.step.name)
    return isinstance(found, Pass) and not found.is_built_in


def _telling(one: PlannedStep) -> PlannedStep:
    def run(op: ir.Operation) -> object:
        try:
            return one.run(op)
        except NO_FAULTS:
            raise
        except (Exception, SystemExit) as error:
            raise DiagnosticErrors([_diagnostic(one.step.name, op, error)]) from error

    return dataclasses.replace(one, run=run)


def _diagnostic(name: str, op: ir.Operation, error: BaseException) -> Diagnostic:
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    message = f"'{op.name}' op pass '{name}' failed: {reason}"
    note = Diagnostic(Severity.NOTE, _raised_at(error), "raised here")
    return Diagnostic(Severity.ERROR, position_of(op.location), message, (note,))


def _raised_at(error: BaseException) -> Position:
    """The innermost line that is not of this package."""
    lines = list(traceback.walk_tb(error.__traceback__))
    numbers = [number for number, (frame, _) in enumerate(lines) if not _is_own(frame)]
    found = traceback.extract_tb(error.__traceback__)[numbers[-1] if numbers else -1]
    return Position(found.filename, found.lineno or 0, (found.colno or 0) + 1)


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == sdy.__name__
