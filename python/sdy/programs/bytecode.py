"""MLIR bytecode of modules with sdy.

An IRDL dialect's attributes are kept as text in bytecode, so it can be read wherever the dialect is loaded from IRDL.
"""

from __future__ import annotations

import io
import re

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.context import groups_of, make_context
from sdy.dialect.definition.declared_ops import VARIADIC
from sdy.mlir import ir, load_chlo
from sdy.mlir.declared_dialects.variadic import detach, segments_attached
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity
from sdy.mlir.walk import pre_order
from sdy.programs.isolated import Died, isolated

_MAGIC = b"ML\xefR"


def is_bytecode(data: bytes) -> bool:
    """Whether `data` starts like MLIR bytecode."""
    return data.startswith(_MAGIC)


def write_bytecode(module: ir.Module | ir.Operation, version: int | None = None) -> bytes:
    """The module as bytecode.

    Raises:
      DiagnosticErrors: it cannot be written in that version of the format.
    """
    buffer = io.BytesIO()
    operation = module.operation
    said: list[str] = []
    handler = module.context.attach_diagnostic_handler(lambda found: said.append(found.message) or True)
    # Readers verify what they read, so the segments have to be there (see `sdy.mlir.declared_dialects.variadic`).
    with segments_attached(operation, VARIADIC, groups_of(module.context)):
        try:
            operation.write_bytecode(buffer, version)
        except ValueError as error:
            message = "; ".join(said) or str(error)
            raise DiagnosticErrors([_error(message)]) from None
        finally:
            handler.detach()
    return buffer.getvalue()


def read_bytecode(data: bytes) -> str:
    """The module in `data` as text with locations.

    Damaged bytecode may end the process that reads it, so another one does.

    Raises:
      DiagnosticErrors: it is no bytecode that can be read.
    """
    try:
        return isolated(_read, data)
    except (Died, RuntimeError, TypeError, ValueError, LookupError):
        # Nothing in it has been verified: strings that are no text, names of dialects with a letter changed.
        raise DiagnosticErrors([_error("the bytecode is damaged")]) from None


def _read(data: bytes) -> str:
    # Whether unknown dialects are welcome is for the reader of the text to say.
    context = make_context(allow_unregistered_dialects=True)
    load_chlo(context)
    with context, ir.Location.unknown():
        try:
            module = ir.Module.parse(data)
        except ir.MLIRError as error:
            raise DiagnosticErrors([_converted(error)]) from None
    detach(op for op in pre_order(module.operation) if op.name in VARIADIC)
    return print_module(module, PrintOptions(debug_info=True))


def _error(message: str, *notes: str) -> Diagnostic:
    place = Position.start("-")
    return Diagnostic(Severity.ERROR, place, message, tuple(Diagnostic(Severity.NOTE, place, each) for each in notes))


def _converted(error: ir.MLIRError) -> Diagnostic:
    """What was wrong, and by which version of the bytecode's writer."""
    for found in error.error_diagnostics:
        notes = [note.message for note in found.notes]
        if _OTHER_SDY.search(found.message):
            return _error("the bytecode holds sdy as another implementation encodes it", _AS_TEXT, *notes)
        return _error(found.message, *notes)
    return _error(str(error).splitlines()[0])


_OTHER_SDY = re.compile(r"\bsdy\b")
"""What is said about bytecode of a dialect that is not defined in IRDL: its ops and attributes are encoded in C++."""

_AS_TEXT = "write the module as text where it was made, with `str(module)` or without --emit-bytecode, and read that"
