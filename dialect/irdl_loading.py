"""IRDL dialects of users, loaded from files, and the IRDL files of this package."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sdy.dialect.assembly.positions import line_column
from sdy.dialect.assembly.reader import LIMIT, too_deep
from sdy.dialect.context import DIALECTS, exclusively, make_context, registered_dialects
from sdy.mlir import ir, irdl
from sdy.mlir.declared_dialects import FILE_GROUPS, canonical_text
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, Position, Severity, position_of
from sdy.mlir.walk import pre_order


def load_irdl_file(path: str | Path, context: ir.Context) -> None:
    """Loads the dialects that a file defines in IRDL into a context.

    From then on their ops and attributes are read, verified and printed in generic form. Rules, data-flow edges and
    local lowerings may be declared for them as for ops of any dialect.

        context = sdy.make_context()
        sdy.load_irdl_file("npu.irdl.mlir", context)
        module = sdy.parse(text, context=context)

    Args:
      path: the file, as text.
      context: the MLIR context (`sdy.make_context`); for a dialect with the name of an upstream one, made `without` it.

    Raises:
      DiagnosticError: the file is not IRDL, defines an op twice, or a dialect that the context has already.
      OSError: the file cannot be read.
    """
    load_irdl(Path(path).read_text(encoding="utf-8", errors="replace"), context, str(path))


def load_irdl(text: str, context: ir.Context, name: str) -> None:
    """Loads the dialects that a text defines, as `load_irdl_file` does; `name` is what diagnostics call it."""
    if "\0" in text:
        raise DiagnosticError(Position(name, *line_column(text, text.index("\0"))), "unexpected null character")
    deep = too_deep(text)
    if deep is not None:
        raise DiagnosticError(Position(name, *line_column(text, deep)), f"nested deeper than {LIMIT} brackets")
    with context, ir.Location.unknown(), exclusively(context):
        try:
            module = ir.Module.parse(text)
            found = list(_not_loadable(module.operation, context))
            if not found:
                irdl.load_dialects(module)
        except ir.MLIRError as error:
            found = [_error(each.location, each.message) for each in error.error_diagnostics]
            found = found or [Diagnostic(Severity.ERROR, Position.start("-"), "the file is not MLIR")]
        except (RuntimeError, ValueError) as error:
            found = [Diagnostic(Severity.ERROR, Position.start("-"), str(error))]
    if found:
        raise DiagnosticErrors([_in_file(each, name) for each in found])


def dialects_in(text: str) -> list[str]:
    """Return the names of the dialects that a text defines in IRDL; none for other text, which loading reports."""
    if too_deep(text) is not None:
        return []
    with ir.Context(), ir.Location.unknown():
        try:
            module = ir.Module.parse(text)
        except (ir.MLIRError, ValueError):
            return []
        return [_symbol(op) for op in pre_order(module.operation) if op.name == "irdl.dialect"]


def _not_loadable(module: ir.Operation, context: ir.Context) -> Iterator[Diagnostic]:
    """Return the part of the text that would abort the process if it were loaded."""
    defined: set[tuple[str, str]] = set()
    for op in pre_order(module):
        if op.name == "irdl.dialect":
            dialect = _symbol(op)
            if context.is_dialect_loaded(dialect):
                advice = f"; make it with sdy.make_context(without=['{dialect}'])" if _can_lack(dialect) else ""
                yield _error(op.location, f"the context has a dialect '{dialect}' already{advice}")
        elif op.name in ("irdl.operation", "irdl.attribute", "irdl.type"):
            # Dialects of one name are merged.
            name = f"{_symbol(op.parent.operation)}.{_symbol(op)}"
            if (op.name, name) in defined:
                yield _error(op.location, f"'{name}' is defined twice")
            defined.add((op.name, name))


def _can_lack(dialect: str) -> bool:
    """Return whether a context can be made without a dialect, which no other dialect needs."""
    if dialect not in registered_dialects():
        return False
    return not make_context(without=[dialect]).is_dialect_loaded(dialect)


def _symbol(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["sym_name"]).value


def _error(location: ir.Location, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, position_of(location), message)


def _in_file(diagnostic: Diagnostic, name: str) -> Diagnostic:
    """The diagnostic with the name of the file in place of ``-``, the name of the parsed text."""
    place = diagnostic.position
    shown = Position(name, place.line, place.column) if place.file == "-" else place
    return Diagnostic(diagnostic.severity, shown, diagnostic.message)


_HEADER = "// The {} dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_loading`.\n"

PATHS: Mapping[str, Path] = {each.name: each.file.relative_to(Path(__file__).parent) for each in DIALECTS}
"""Path of each dialect's file in the folder, by name of the dialect."""


def irdl_text(dialect: Any) -> str:
    """The text of the file of a dialect."""
    lines = canonical_text(dialect.emit, FILE_GROUPS).splitlines()
    return _HEADER.format(dialect.name) + "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    for each in DIALECTS:
        (Path(sys.argv[1]) / PATHS[each.name]).write_text(irdl_text(each), encoding="utf-8")
