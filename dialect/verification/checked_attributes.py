"""What attributes of ops say, and the diagnostics for those that are wrong."""

from __future__ import annotations

from typing import TypeVar

from sdy.dialect.definition import attributes
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

T = TypeVar("T")


def expect(op: ir.Operation, problem: str | None, what: str = "") -> None:
    """Raises `DiagnosticError` at `op` if there is a problem; `what` is put in front of it."""
    if problem is not None:
        raise DiagnosticError(op, what + problem)


def value(op: ir.Operation, name: str, kind: type[T]) -> T:
    """The value object of attribute `name`, which is of class `kind`; `DiagnosticError` if it is something else."""
    return as_value(op, op.attributes[name], kind, name)


def as_value(op: ir.Operation, attr: ir.Attribute, kind: type[T], name: str, what: str = "") -> T:
    """The value object of `attr`, which is of class `kind` and found at `op` under `name`.

    What is said if it is not starts with `what`.

    Raises:
      DiagnosticError: it is something else, or its parts do not fit together.
    """
    try:
        found = attributes.value_of(attr)
    except ValueError as error:
        raise DiagnosticError(op, f"{what}has an attribute '{name}' that is not valid: {error}") from None
    except (TypeError, AttributeError):
        found = None
    if not isinstance(found, kind):
        raise DiagnosticError(op, f"{what}has an attribute '{name}' that is no '{attributes.MNEMONICS[kind]}'")
    return found
