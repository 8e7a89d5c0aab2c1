"""Dialects that `sdy-opt` knows or learns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sdy.dialect.context import make_context
from sdy.dialect.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity, position_of
from sdy.mlir import ir, irdl
from sdy.tools.diagnostics_output import named

_LIST = re.compile(r"Available dialects: (.*?)(?: \(\* corresponding.*)?;")


def available_dialects() -> list[str]:
    """The names of all dialects. The bindings tell them only to someone who writes an op of another one."""
    with make_context(), ir.Location.unknown():
        try:
            ir.Module.parse("not_a_dialect.op")
        except ir.MLIRError as error:
            found = _LIST.search(str(error))
            names = found[1].split(", ") if found else []
            # CHLO is loaded for programs that use it.
            return sorted({"chlo", *(name.removesuffix(" (*)") for name in names)})
    return []


def load_irdl_file(path: str, context: Any) -> None:
    """Loads the dialects that a file defines in IRDL into a context.

    Raises:
      DiagnosticErrors: it is no IRDL.
    """
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    place = Position.start(path)
    with context, ir.Location.unknown():
        try:
            irdl.load_dialects(ir.Module.parse(text))
        except ir.MLIRError as error:
            found = [
                Diagnostic(Severity.ERROR, position_of(each.location), each.message) for each in error.error_diagnostics
            ]
            found = [named(each, path) for each in found]
            raise DiagnosticErrors(found or [Diagnostic(Severity.ERROR, place, "the file is no MLIR")]) from None
        except (RuntimeError, ValueError) as error:
            raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, str(error))]) from None
