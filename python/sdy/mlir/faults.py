"""Faults of this package, as opposed to errors in programs, and the op at which they happened."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType

from sdy.mlir import ir
from sdy.mlir.declared_dialects import TooManyTypes
from sdy.mlir.diagnostics import DiagnosticError, InternalError, Place
from sdy.mlir.walk import pre_order

_OUTER = ("builtin.module", "func.func")
"""Ops that every pass looks at, so they never point to a fault."""

NO_FAULTS = (DiagnosticError, InternalError, TooManyTypes, MemoryError, OSError)
"""Exceptions that are no faults of a pass; OSError means that a dump cannot be written."""


def faults_of(doing: str, at: Place, expected: tuple[type[Exception], ...] = ()) -> AbstractContextManager[None]:
    """Turn any exception of the block into an `InternalError`, except reported errors in the program.

    Args:
      doing: description of the block.
      at: the op, location or `Position` to name if no op closer to the fault is known.
      expected: further exceptions that are left alone.

    Raises:
      InternalError: something failed that should not have.
    """
    return _Watch(doing, at, expected)


class _Watch:
    """A context manager, entered for each pass and function; a generator-based one takes three times as long."""

    __slots__ = ("_at", "_doing", "_expected")

    def __init__(self, doing: str, at: Place, expected: tuple[type[Exception], ...]) -> None:
        self._doing, self._at, self._expected = doing, at, expected

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, (*NO_FAULTS, *self._expected)):
            raise InternalError(_closest_op(self._at, trace) or self._at, self._doing, error) from error


def _closest_op(around: Place, trace: TracebackType | None) -> ir.Operation | None:
    """Return the op in `around` that the innermost stack frames refer to; None if they refer to none."""
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    looked_at = [op for frame in reversed(frames) for op in map(_op_of, list(frame.f_locals.values())) if op]
    root: ir.Operation | None = getattr(around, "operation", None)
    if not looked_at or root is None:
        return None
    nested = pre_order(root)
    present = [op for op in looked_at if any(_is_same(op, each) for each in nested)]
    inner = [op for op in present if op.operation.name not in _OUTER]
    return next(iter((*inner, *present)), None)


def _is_same(op: ir.Operation, other: ir.Operation) -> bool:
    """Return whether it is that op; an erased op never is, and must not be accessed."""
    try:
        return op == other
    except RuntimeError:
        return False


def _op_of(value: object) -> ir.Operation | None:
    """Return a Python value that is an op, or its attribute `op`; None for anything else."""
    if not isinstance(getattr(type(value), "op", None), property):
        value = getattr(value, "op", value)
    return value if isinstance(value, (ir.Operation, ir.OpView)) else None
