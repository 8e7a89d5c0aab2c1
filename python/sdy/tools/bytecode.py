"""MLIR bytecode of modules with sdy.

An IRDL dialect's attributes are kept as text in bytecode, so it can be read wherever the dialect is loaded from IRDL.
"""

from __future__ import annotations

import io
from typing import Any

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.context import groups_of, make_context
from sdy.dialect.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity
from sdy.dialect.ops import VARIADIC
from sdy.dialect.variadic import detach, segments_attached
from sdy.dialect.walk import pre_order
from sdy.mlir import ir, load_chlo

_MAGIC = b"ML\xefR"


def is_bytecode(data: bytes) -> bool:
    """Whether `data` starts like MLIR bytecode."""
    return data.startswith(_MAGIC)


def write_bytecode(module: Any) -> bytes:
    """The module as bytecode."""
    buffer = io.BytesIO()
    operation = module.operation
    # Readers verify what they read, so the segments have to be there (see `sdy.dialect.variadic`).
    with segments_attached(operation, VARIADIC, groups_of(module.context)):
        operation.write_bytecode(buffer)
    return buffer.getvalue()


def read_bytecode(data: bytes) -> str:
    """The module in `data` as text with locations.

    Raises:
      DiagnosticErrors: it is no bytecode that can be read.
    """
    context = make_context()
    load_chlo(context)
    with context, ir.Location.unknown():
        try:
            module = ir.Module.parse(data)
        except ir.MLIRError as error:
            message = next((each.message for each in error.error_diagnostics), str(error).splitlines()[0])
            raise DiagnosticErrors([Diagnostic(Severity.ERROR, Position("-"), message)]) from None
    detach(op for op in pre_order(module.operation) if op.name in VARIADIC)
    return print_module(module, PrintOptions(debug_info=True))
