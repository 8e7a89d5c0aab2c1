"""Parsing and printing of modules in the dialect's own syntax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sdy.dialect.assembly.positions import Positions, join, line_column
from sdy.dialect.assembly.reader import AssemblyError
from sdy.dialect.assembly.to_generic import Translation, translate
from sdy.dialect.assembly.to_pretty import generic_form, prettify
from sdy.dialect.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity, position_of
from sdy.dialect.walk import pre_order
from sdy.mlir import ir, load_chlo


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How a module is printed; the names are mlir-opt's flags."""

    generic: bool = False
    debug_info: bool = False
    local_scope: bool = False
    elide_elements_larger_than: int | None = None


def parse_module(text: str, context: Any, filename: str = "-", first_line: int = 1) -> Any:
    """Parses a module.

    Args:
      text: the module; sdy's ops and attributes in their own syntax or in generic form.
      context: an MLIR context with the dialect (`sdy.dialect.context.make_context`).
      filename: what diagnostics and locations call the text.
      first_line: the line of the file on which the text starts.

    Raises:
      DiagnosticErrors: the text is no module; with the place in the text.
    """
    if "\0" in text:
        place = Position(filename, *_shifted(line_column(text, text.index("\0")), first_line))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, "unexpected null character")])
    try:
        translation = translate(text)
    except AssemblyError as error:
        place = Position(filename, *_shifted(line_column(text, error.offset), first_line))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, error.message)]) from None
    if "chlo." in text and not context.is_dialect_loaded("chlo"):
        load_chlo(context)
    return _parse_translated(text, translation, context, filename, first_line)


def _parse_translated(text: str, translation: Translation, context: Any, filename: str, first_line: int) -> Any:
    translated = join(text, translation.pieces)
    if not _is_encodable(translated):
        place = Position(filename, first_line, 1)
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, "the text is not valid UTF-8")])
    with context, ir.Location.unknown():
        try:
            module = ir.Module.parse(translated)
        except ir.MLIRError as error:
            positions = Positions(text, translation.pieces)
            found = [_converted(each, Severity.ERROR, positions, filename, first_line) for each in _all(error)]
            raise DiagnosticErrors(found) from None
        if translation.moved or filename != "-" or first_line != 1:
            _relocate(module, text, translation, filename, first_line)
    return module


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _all(error: Any) -> list[Any]:
    return list(error.error_diagnostics)


def _converted(info: Any, severity: Severity, positions: Positions, filename: str, first_line: int) -> Diagnostic:
    found = position_of(info.location)
    place = found
    if found.file == "-" and found.line:
        place = Position(filename, *_shifted(positions.to_original(found.line, found.column), first_line))
    notes = tuple(
        _converted(note, Severity.NOTE, positions, filename, first_line)
        for note in info.notes
        if not note.message.startswith("see current operation")
    )
    return Diagnostic(severity, place, info.message, notes)


def _shifted(place: tuple[int, int], first_line: int) -> tuple[int, int]:
    return place[0] + first_line - 1, place[1]


def _relocate(module: Any, text: str, translation: Translation, filename: str, first_line: int) -> None:
    """Gives every op the place that it has in the original text.

    Ops have locations in the translated text, on the same line; the column differs where `translation.moved` says that
    an op may stand behind something that was translated.
    """
    positions = Positions(text, translation.pieces) if translation.moved else None
    for op in pre_order(module.operation):
        location = op.location
        if not isinstance(location, ir.FileLineColLoc) or location.filename != "-":
            continue
        line, column = location.start_line, location.start_col
        if positions is not None:
            line, column = positions.to_original(line, column)
        op.location = ir.Location.file(filename, line + first_line - 1, column)


def print_module(module: Any, options: PrintOptions = PrintOptions()) -> str:
    """The module as text, as the reference spells it. The module is not verified."""
    operation = module.operation
    text = operation.get_asm(
        assume_verified=True,
        print_generic_op_form=options.generic,
        enable_debug_info=options.debug_info,
        use_local_scope=options.local_scope,
        large_elements_limit=options.elide_elements_larger_than,
    )
    convert = generic_form if options.generic else prettify
    return convert(text, operation.context)


__all__ = ["PrintOptions", "Positions", "parse_module", "print_module"]
