"""Verification of StableHLO ops by sdy, in place of the registered dialect or beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import sdy.dialect.definition.inferred_types
import sdy.dialect.definition.mesh_groups  # noqa: F401  (meshes that replica groups refer to)
from sdy.dialect.assembly import parse_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Severity, position_of
from sdy.stablehlo.unchecked import plain_message, restore, unchecked_text
from sdy.stablehlo.verification import diagnose


def read_verified(
    text: str, context: ir.Context, filename: str, parse: Callable[[], ir.Module]
) -> tuple[ir.Module, bool]:
    """The module, whose ops of StableHLO and CHLO in generic form are verified by ours; the others are read as ever.

    Args:
      text, context, filename: what is read.
      parse: reads it with the registered dialect.

    Returns:
      The module, and whether the registered dialect refuses what our verifiers admit.

    Raises:
      DiagnosticErrors: what is wrong, each at its op, all at once.
    """
    module = _unchecked_module(text, context, filename)
    check(module)
    try:
        return parse(), False
    except DiagnosticErrors as refused:
        if not _OF_VERIFIER.match(refused.diagnostics[0].message):
            raise
    restore(module.operation)
    return module, True


_OF_VERIFIER = re.compile(r"'(stablehlo|chlo)\.[\w-]+' op ")
"""What is said of an op that has been read, but is not valid."""


def check(module: ir.Module) -> None:
    """Verifies ops of StableHLO and CHLO by our verifiers.

    Raises:
      DiagnosticErrors: what is wrong, each at its op, all at once.
    """
    errors = diagnose(module)
    if errors:
        raise DiagnosticErrors([_diagnostic(op, str(error)) for op, error in errors])


def check_agreement(text: str, context: ir.Context, filename: str, parse: Callable[[], ir.Module]) -> None:
    """Verifies the same ops by both, and says where one refuses what the other admits.

    Raises:
      DiagnosticErrors: one of them refuses the text, the other does not.
    """
    errors = diagnose(_unchecked_module(text, context, filename))
    try:
        parse()
    except DiagnosticErrors as refused:
        if errors:
            return
        message = "the registered dialect refuses what sdy admits: "
        first = refused.diagnostics[0]
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, first.position, message + first.message)]) from None
    if errors:
        message = "sdy refuses what the registered dialect admits: "
        raise DiagnosticErrors([_diagnostic(op, message + str(error)) for op, error in errors])


def _unchecked_module(text: str, context: ir.Context, filename: str) -> ir.Module:
    allowed = context.allow_unregistered_dialects
    context.allow_unregistered_dialects = True
    try:
        return parse_module(unchecked_text(text), context, filename)
    except DiagnosticErrors as error:
        plain = [replace(each, message=plain_message(each.message)) for each in error.diagnostics]
        raise DiagnosticErrors(plain) from None
    finally:
        context.allow_unregistered_dialects = allowed


def _diagnostic(op: ir.Operation, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, position_of(op.location), message)
