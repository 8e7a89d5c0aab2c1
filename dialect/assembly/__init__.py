"""Parsing and printing of modules in the dialect's own syntax."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdy.dialect.assembly.fatal import fatal_type, first_fatal
from sdy.dialect.assembly.positions import Positions, join, line_column, with_hints
from sdy.dialect.assembly.reader import GAP, LIMIT, AssemblyError, Reader, deep_without_brackets, too_deep
from sdy.dialect.assembly.to_generic import STOP, Translation, translate
from sdy.dialect.context import VARIADIC, exclusively, groups_of, load_mpmd, make_context
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir import ir, load_chlo
from sdy.mlir.declared_dialects import DEFAULT_GROUPS, FILE_GROUPS, TooManyTypes, detach, segments_attached
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity, position_of
from sdy.mlir.walk import pre_order

_OF_IRDL = lazy_pattern(r"^expected .* but got|does not satisfy the constraint$")
_OF_MHLO = lazy_pattern(r"Dialect `mhlo' not found for custom op '([\w.]+)'")
_MHLO = "of which 'mhlo.copy' alone is read: convert the module to StableHLO, or write the op in generic form"
_OP_NAME = lazy_pattern(r'"?((?:sdy|hlo_async|mpmd)\.\w+)')
_LOCATION = lazy_pattern(rf'"-"{GAP}:{GAP}(\d+){GAP}:{GAP}(\d+)')
_NAME = lazy_pattern(r'(?<![\w.$#"@%^!])(?:sdy|hlo_async|mpmd)\.\w+')


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options of printing; the names are mlir-opt's flags.

    `irdl` is upstream's generic form with IRDL's parameters, for tools that have the dialect from its IRDL file alone.
    """

    generic: bool = False
    irdl: bool = False
    debug_info: bool = False
    pretty_debug_info: bool = False
    local_scope: bool = False
    name_loc_as_prefix: bool = False
    skip_regions: bool = False
    elide_elements_larger_than: int | None = None
    elide_resources_larger_than: int | None = None


def parse_module(text: str, context: ir.Context, filename: str = "-") -> ir.Module:
    """Parses a module.

    Args:
      text: the module; sdy's ops and attributes in their own syntax or in generic form.
      context: an MLIR context with the dialect (`sdy.dialect.context.make_context`).
      filename: name of the text in diagnostics and locations.

    Raises:
      DiagnosticErrors: the text is not a module; with the place in the text.
      TooManyTypes: the context was made with too few groups for an op of the module.
    """
    if "\0" in text:
        place = Position(filename, *line_column(text, text.index("\0")))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, "unexpected null character")])
    deep = too_deep(text)
    if deep is not None:
        place = Position(filename, *line_column(text, deep))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, f"nested deeper than {LIMIT} brackets")])
    deep = deep_without_brackets(text)
    if deep is not None:
        place = Position(filename, *line_column(text, deep))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, f"nested deeper than {LIMIT} levels")])
    fatal = first_fatal(text) or fatal_type(text, context)
    if fatal is not None:
        offset, message = fatal
        place = Position(filename, *line_column(text, offset))
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, message)])
    with exclusively(context):
        translation = translate(text, groups_of(context))
        if "chlo." in text and not context.is_dialect_loaded("chlo"):
            load_chlo(context)
        if "mpmd" in text:
            load_mpmd(context)
        try:
            if translation.error is not None:
                raise DiagnosticErrors([_first_error(text, translation, translation.error, context, filename)])
            return _parse_translated(text, translation, context, filename)
        except DiagnosticErrors as errors:
            raise with_hints(errors, text) from None


def parse(
    text: str, filename: str = "-", context: ir.Context | None = None, *, allow_unregistered_dialects: bool = False
) -> ir.Module:
    """Parses a module into `context`, or into a new one that has room for all its ops (see `parse_module`).

    `allow_unregistered_dialects` applies to a new context (see `make_context`).
    """
    if context is not None:
        return parse_module(text, context, filename)
    make = partial(make_context, allow_unregistered_dialects=allow_unregistered_dialects)
    return _parse_with_room(text, filename, DEFAULT_GROUPS, lambda groups: make(groups=groups))


def parse_in_lean(text: str, filename: str, context_with: Callable[[int], ir.Context]) -> ir.Module:
    """Parses a module in a context with as many groups of values as the module needs (see `make_context`).

    Raises what `parse_module` raises.
    """
    # Few groups are loaded in half the time; the ops that have any number of values come with few programs.
    groups = DEFAULT_GROUPS if any(name in text for name in VARIADIC) else FILE_GROUPS
    return _parse_with_room(text, filename, groups, context_with)


def _parse_with_room(text: str, filename: str, groups: int, context_with: Callable[[int], ir.Context]) -> ir.Module:
    try:
        return parse_module(text, context_with(groups), filename)
    except TooManyTypes as error:
        return parse_module(text, context_with(error.needed), filename)


def _parse_translated(text: str, translation: Translation, context: ir.Context, filename: str) -> ir.Module:
    translated = join(text, translation.pieces)
    if not _is_encodable(translated):
        place = Position(filename, 1, 1)
        raise DiagnosticErrors([Diagnostic(Severity.ERROR, place, "the text is not valid UTF-8")])
    with context, ir.Location.unknown():
        try:
            module = ir.Module.parse(translated)
        except ir.MLIRError as error:
            positions = Positions(text, translation.pieces)
            found = [_converted(each, Severity.ERROR, positions, filename) for each in error.error_diagnostics]
            raise DiagnosticErrors(found or [_unsaid(translated, positions, filename)]) from None
        if translation.segmented:
            detach(op for op in pre_order(module.operation) if op.name in VARIADIC)
        if translation.moved or filename != "-":
            _relocate(module, text, translation, filename)
        else:
            _relocate_first(module, text)
    return module


def _first_error(
    text: str, translation: Translation, found: AssemblyError, context: ir.Context, filename: str
) -> Diagnostic:
    """The error `found` in sdy's part of the text, unless upstream has an error before it."""
    place = Position(filename, *line_column(text, found.offset))
    stop = line_column(text, found.seen)
    try:
        _parse_translated(text, translation, context, filename)
    except DiagnosticErrors as errors:
        for each in errors.diagnostics:
            at = each.position.line, each.position.column
            is_stop = at == stop and each.message == "unexpected character"
            if at < stop or (found.is_upstreams and not is_stop):
                return each
    return Diagnostic(Severity.ERROR, place, found.message)


def _unsaid(translated: str, positions: Positions, filename: str) -> Diagnostic:
    """Return the error that upstream finds but does not report: an op of an IRDL dialect that is not in generic form.

    The remaining case is text that looks like an attribute name, ``sdy.mesh = ...``. The parser stops at the last such
    name.
    """
    names = list(_NAME.finditer(translated))
    low, high = 0, len(names)
    while high - low > 1:
        middle = (low + high) // 2
        if _says_something(translated[: names[middle].start()] + STOP):
            low = middle
        else:
            high = middle
    at = Reader(translated, names[low].end()).ahead() if names else 0
    place = Position(filename, *positions.to_original(*line_column(translated, at)))
    return Diagnostic(Severity.ERROR, place, f"'{names[low][0]}' is not written as an op" if names else "not a module")


def _says_something(text: str) -> bool:
    try:
        ir.Module.parse(text)
    except ir.MLIRError as error:
        return bool(error.error_diagnostics)
    return True


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _converted(info: ir.DiagnosticInfo, severity: Severity, positions: Positions, filename: str) -> Diagnostic:
    found = position_of(info.location)
    place, message = found, info.message
    of_mhlo = _OF_MHLO.match(message)
    if of_mhlo is not None:
        place = Position(filename, *positions.to_original(found.line, found.column))
        return Diagnostic(severity, place, f"'{of_mhlo[1]}' is of the dialect mhlo, {_MHLO}")
    if found.file == "-" and found.line:
        place = Position(filename, *positions.to_original(found.line, found.column))
        op_name = _OP_NAME.match(positions.original, positions.offset(place.line, place.column))
        if op_name is not None and _OF_IRDL.search(message):
            # The verifier of IRDL ops does not say which op it is about.
            message = f"'{op_name[1]}' op {message}"
    notes = tuple(
        _converted(note, Severity.NOTE, positions, filename)
        for note in info.notes
        if not note.message.startswith("see current operation")
    )
    return Diagnostic(severity, place, message, notes)


def _relocate(module: ir.Module, text: str, translation: Translation, filename: str) -> None:
    """Gives every op and block argument its location in the original text.

    They have locations in the translated text, on the same line. The column differs where `translation.moved` marks
    text behind a translated part. Explicit locations in the text stay as they are.
    """
    positions = Positions(text, translation.pieces) if translation.moved else None
    spelled_out = {(int(each[1]), int(each[2])) for each in _LOCATION.finditer(text)} if '"-"' in text else ()

    def relocated(location: ir.Location) -> ir.Location | None:
        if not isinstance(location, ir.FileLineColLoc) or location.filename != "-":
            return None
        line, column = location.start_line, location.start_col
        if (line, column) in spelled_out:
            return None
        if positions is not None:
            line, column = positions.to_original(line, column)
        return ir.Location.file(filename, line, column)

    for op in pre_order(module.operation):
        place = relocated(op.location)
        if place is not None:
            op.location = place
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    place = relocated(argument.location)
                    if place is not None:
                        argument.set_location(place)


def _relocate_first(module: ir.Module, text: str) -> None:
    """Gives a module that starts on the first line its original location; the aliases in front of it moved it."""
    column = len(text) - len(text.lstrip(" \t")) + 1
    if not text.startswith("module", column - 1):
        return
    for op in (module.operation, *(nested.operation for nested in list(module.body.operations)[:1])):
        at = op.location
        is_first = isinstance(at, ir.FileLineColLoc) and at.filename == "-" and at.start_line == 1
        if op.name == "builtin.module" and is_first:
            op.location = ir.Location.file("-", 1, column)
            return


def print_module(module: ir.Module | ir.Operation, options: PrintOptions = PrintOptions()) -> str:  # noqa: B008
    """Return the module as text, as the reference spells it. The module is not verified.

    Raises:
      TooManyTypes: for `options.irdl`, an op needs more groups than the IRDL file has.
    """
    from sdy.dialect.assembly.to_pretty import generic_form, prettify

    operation = module.operation
    with exclusively(operation.context):
        if options.irdl:
            with segments_attached(operation, VARIADIC, FILE_GROUPS):
                return _upstream_text(operation, options)
        convert = generic_form if options.generic else prettify
        return convert(_upstream_text(operation, options), operation.context)


def _upstream_text(operation: ir.Operation, options: PrintOptions) -> str:
    return operation.get_asm(
        assume_verified=True,
        print_generic_op_form=options.generic or options.irdl,
        enable_debug_info=options.debug_info or options.pretty_debug_info,
        pretty_debug_info=options.pretty_debug_info,
        use_local_scope=options.local_scope,
        use_name_loc_as_prefix=options.name_loc_as_prefix,
        skip_regions=options.skip_regions,
        large_elements_limit=options.elide_elements_larger_than,
        large_resource_limit=options.elide_resources_larger_than,
    )


__all__ = ["Positions", "PrintOptions", "parse", "parse_module", "print_module"]
