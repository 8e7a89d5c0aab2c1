"""Run `sdy-opt`: read a module, run passes on it, print it."""

from __future__ import annotations

import dataclasses
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from types import FrameType

import sdy
from sdy.dialect.assembly import PrintOptions, parse, parse_module, print_module
from sdy.dialect.context import exclusively, make_context
from sdy.dialect.extensions import ExtensionError
from sdy.dialect.program_values import SelectorError
from sdy.dialect.values.axes import quote
from sdy.dialect.verification import check_device_ids, verify_module
from sdy.mlir import ir
from sdy.mlir.declared_dialects import TooManyTypes
from sdy.mlir.diagnostics import (
    Diagnostic,
    DiagnosticError,
    DiagnosticErrors,
    InternalError,
    Position,
    Severity,
    collecting,
    explaining_mismatches,
    position_of,
    saying_once,
)
from sdy.mlir.faults import NO_FAULTS
from sdy.mpmd_running.instructions import PipelineProgram, is_exported
from sdy.passes.ir_printing import PrintIr
from sdy.passes.manager import Observer, PlannedStep, plan, run_planned
from sdy.passes.registry import Pass, find
from sdy.passes.steps import MODULE, PipelineError
from sdy.pipeline.tables import Schedule
from sdy.pipeline.transfer_report import transfer_report
from sdy.programs.bytecode import bytecode_for_copies, is_bytecode, read_bytecode, write_bytecode
from sdy.tools.completion import opt_completion
from sdy.tools.diagnostics_output import named, placed, report
from sdy.tools.files import read_bytes, text_of, write_bytes
from sdy.tools.named_arguments import available_dialects, dialects_in, load_irdl
from sdy.tools.opt.command_line import Settings, UsageError, settings
from sdy.tools.opt.expected_diagnostics import report_mismatches
from sdy.tools.opt.pass_help import help_of, help_text, list_passes
from sdy.tools.opt.reproducer import LocalReproducer, Reproducer, steps_of
from sdy.tools.opt.timing import PassStatistics, Timing
from sdy.tools.opt.value_printing import print_with_values
from sdy.tools.outermost import run_tool

_SUFFIX = 2
"""Maximum number of wrong characters in a suspicious marker."""


def parts(text: str, marker: str) -> list[str]:
    """Return the texts between the markers, each preceded by as many line breaks as there are lines before it.

    So diagnostics on a part have its line in the whole file. Text behind a marker on its line is a comment.
    """
    found, start = [], 0
    while True:
        at = text.find(marker, start)
        blank = "\n" * text.count("\n", 0, start)
        if at < 0:
            return [*found, blank + text[start:]]
        found.append(blank + text[start:at])
        end = text.find("\n", at)
        start = end + 1 if end >= 0 else len(text)


def near_misses(text: str, marker: str, filename: str) -> Iterator[Diagnostic]:
    """Return warnings about comments that resemble a marker."""
    begin = marker[:-_SUFFIX]
    at = text.find(begin) if begin else -1
    while at >= 0:
        if not text.startswith(marker, at):
            line = text.count("\n", 0, at) + 1
            column = at - text.rfind("\n", 0, at)
            place = Position(filename, line, column)
            yield Diagnostic(Severity.WARNING, place, f"near miss with file split marker '{marker}'")
        at = text.find(begin, at + len(begin))


def telling(planned: Sequence[PlannedStep]) -> tuple[PlannedStep, ...]:
    """Return the steps; exceptions of foreign ones become `DiagnosticErrors`."""
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


_ADVICE = "with --mlir-pass-pipeline-crash-reproducer=FILE, FILE becomes a program that shows the fault"


class _OptTool:
    """One run of the tool: its settings, dialects in IRDL, and state shared by the parts of a split input."""

    def __init__(self, asked: Settings, timing: Timing, irdl: str) -> None:
        self.asked = asked
        self.flags = asked.flags
        self.prints_ir_when = asked.prints_ir_when
        self.planned = telling(plan(asked.steps))
        self.timing = timing
        self.statistics = PassStatistics()
        with timing.of("Dialects"):
            self.context = make_context(
                allow_unregistered_dialects=asked.flags.allow_unregistered_dialect,
                without=dialects_in(irdl) if irdl else (),
            )
        self.failed = False

    # One part ------------------------------------------------------------------------------------

    def process(self, text: str) -> str | bytes | None:
        """Return the result for one module; None if there is none."""
        diagnostics: list[Diagnostic] = []
        result = None
        mismatches = explaining_mismatches(self.flags.debug_patterns)
        try:
            with collecting(diagnostics.append), exclusively(self.context), mismatches:
                result = self._transformed(text)
        except DiagnosticError as error:
            diagnostics += error.diagnostics
        except InternalError as error:
            diagnostics += (_with_note(each, _ADVICE) for each in error.diagnostics)
        except TooManyTypes as error:
            message = f"an op has values of {error.needed} types in a row, more than can be written in this form"
            diagnostics.append(Diagnostic(Severity.ERROR, Position.start("-"), message))
        diagnostics = [named(each, self.asked.filename) for each in diagnostics]
        if self.flags.verify_diagnostics is not None:
            all_met = report_mismatches(text, diagnostics, self.asked.filename, self.flags.verify_diagnostics)
            self.failed = self.failed or not all_met
        else:
            for each in diagnostics:
                report(placed(each, self.asked.filename), text, self.asked.filename, color=self.flags.color)
            self.failed = self.failed or result is None
        return result

    def _transformed(self, text: str) -> str | bytes:
        verify = self.asked.verifies
        with self.timing.of("Parser"):
            module = self._parse(text)
            if self.flags.no_implicit_module:
                self._check_top_level(module)
            strict = self.flags.strict_documents
            if verify or strict:
                verify_module(module, strict_documents=strict)
            if strict:
                check_device_ids(text)
        if self.flags.verify_roundtrip:
            self._check_roundtrip(module)
        self._run_passes(module, verify)
        self._report_communication(module)
        self._draw(module)
        self._explain(module, text)
        with self.timing.of("Output"):
            return self._output(module)

    def _top_level(self, module: ir.Module) -> ir.Module | ir.Operation:
        """Return the op to print: the module, or the only op that it wraps."""
        is_wrapped = self.flags.no_implicit_module and _is_implicit(module)
        return module.body.operations[0].operation if is_wrapped else module

    def _check_top_level(self, module: ir.Module) -> None:
        """Raises `DiagnosticError` if the input is not one op of the kind that the passes run on."""
        if not _is_implicit(module):
            return
        ops = [op.operation for op in module.body.operations]
        if len(ops) != 1:
            message = f"source must contain a single top-level operation, found: {len(ops)}"
            raise DiagnosticError(Position.start("-"), message)
        for each in self.planned:
            found = find(each.step.name)
            if isinstance(found, Pass) and found.anchor == MODULE:
                raise DiagnosticError(ops[0], f"is not a '{MODULE}', which pass '{found.name}' runs on")

    def _run_passes(self, module: ir.Module, verify: bool) -> None:
        observers = self._observers()
        generated = self.flags.mlir_generate_reproducer
        if generated is not None:
            Reproducer(generated, verify).write(module, self.asked.steps)
        path = self.flags.mlir_pass_pipeline_crash_reproducer
        if path is None:
            run_planned(module, self.planned, verify=verify, observers=observers)
            return
        file = Reproducer(path, verify)
        if self.flags.mlir_pass_pipeline_local_reproducer:
            observers.append(LocalReproducer(file, module))
        else:
            file.write(module, self.asked.steps)
        run_planned(module, self.planned, verify=verify, observers=observers)
        file.remove()

    def _parse(self, text: str) -> ir.Module:
        # Text names its file only where it is asked for; bytecode has the name in it.
        filename = self.asked.filename if self.flags.emit_bytecode else "-"
        try:
            return parse_module(text, self.context, filename)
        except TooManyTypes:
            allowed = self.flags.allow_unregistered_dialect
            return parse(text, filename, allow_unregistered_dialects=allowed)

    def _output(self, module: ir.Module) -> str | bytes:
        if self.flags.emit_bytecode:
            version, sdy_version = self.flags.emit_bytecode_version, self.flags.emit_sdy_version
            try:
                return write_bytecode(module, version=version, sdy_version=sdy_version)
            except ValueError as error:
                raise UsageError(f"argument --emit-sdy-version: {error}") from None
        options = self.asked.print_options
        values = self.asked.value_options
        shown = self._top_level(module)
        printed = print_with_values(shown, options, values) if values else print_module(shown, options)
        if options.pretty_debug_info:
            printed = re.sub(r'(?<![\w"-])-(?=:\d+:\d+)', lambda _: self.asked.filename, printed)
        elif options.debug_info:
            printed = re.sub(r'"-"(?=:\d+:\d+)', lambda _: quote(self.asked.filename), printed)
        return printed if printed.endswith("\n") else printed + "\n"

    def _report_communication(self, module: ir.Module) -> None:
        form = self.flags.sdy_report_communication
        if self.flags.mpmd_report_schedule:
            print(Schedule.of(PipelineProgram.of(module)), file=sys.stderr)
        if form is None:
            return
        if is_exported(module):
            transfers = transfer_report(PipelineProgram.of(module))
            print(transfers.to_json() if form == "json" else transfers, file=sys.stderr)
            return
        found = sdy.communication(module, filename=self.asked.filename, machine=self.flags.sdy_machine)
        print(found.to_json() if form == "json" else found.table(), file=sys.stderr)

    def _draw(self, module: ir.Module) -> None:
        if self.flags.sdy_trace is not None:
            self.trace = sdy.timeline(module, self.flags.sdy_machine, filename=self.asked.filename).to_trace()

    def _explain(self, module: ir.Module, text: str) -> None:
        if self.flags.sdy_explain is None:
            return
        try:
            print(sdy.explain(module, self.flags.sdy_explain, filename=self.asked.filename, text=text), file=sys.stderr)
        except SelectorError as error:
            raise UsageError(f"argument --sdy-explain: {error}") from None

    def _check_roundtrip(self, module: ir.Module) -> None:
        """Compare by upstream's generic text, which shows differences that the dialect's own syntax may hide."""
        expected = print_module(module, PrintOptions(generic=True))
        for form, text in (("text", print_module(module)), ("bytecode", read_bytecode(bytecode_for_copies(module)))):
            if print_module(self._parse(text), PrintOptions(generic=True)) != expected:
                message = f"the module, written as {form}, is not read as the same module"
                raise DiagnosticErrors([Diagnostic(Severity.ERROR, Position.start("-"), message)])

    def _observers(self) -> list[Observer]:
        flags = self.flags
        observers: list[Observer] = []
        if self.prints_ir_when.is_ever:
            scope, folder = flags.mlir_print_ir_module_scope, flags.mlir_print_ir_tree_dir
            observers.append(PrintIr(self.prints_ir_when, self.asked.print_options, scope, folder))
        if flags.mlir_timing:
            observers.append(self.timing)
        if flags.mlir_pass_statistics:
            observers.append(self.statistics)
        return observers


def _is_implicit(module: ir.Module) -> bool:
    """Return whether the parser wrapped the top-level ops of the text in a module."""
    location = module.operation.location
    return isinstance(location, ir.FileLineColLoc) and not location.start_line


def _with_note(diagnostic: Diagnostic, text: str) -> Diagnostic:
    note = Diagnostic(Severity.NOTE, diagnostic.position, text)
    return dataclasses.replace(diagnostic, notes=(*diagnostic.notes, note))


# Files ---------------------------------------------------------------------------------------------


def _read(path: str) -> str:
    return decoded(read_bytes(path))


def decoded(data: bytes) -> str:
    """Return the text of an input, which may be bytecode.

    Raises:
      DiagnosticErrors: it starts like bytecode, but is not readable.
    """
    if is_bytecode(data):
        return read_bytecode(data)
    return text_of(data)


def _joined(results: Sequence[str | bytes | None], marker: str) -> bytes:
    """Return the results joined by the marker; a part without a result leaves only the marker."""
    encoded = [each.encode("utf-8", "replace") if isinstance(each, str) else each or b"" for each in results]
    return f"{marker}\n".encode().join(encoded)


# The tool ------------------------------------------------------------------------------------------


def _run(asked: Settings) -> int:
    flags = asked.flags
    timing = Timing()
    try:
        text = _read(flags.file)
        if flags.run_reproducer:
            asked = asked.with_steps(steps_of(text))
        irdl = "" if flags.irdl_file is None else read_bytes(flags.irdl_file).decode("utf-8", "replace")
        tool = _OptTool(asked, timing, irdl)
        if irdl:
            load_irdl(irdl, tool.context, str(flags.irdl_file))
    except DiagnosticError as error:
        for each in error.diagnostics:
            report(named(each, asked.filename), color=flags.color)
        return 1
    if flags.dump_pass_pipeline:
        print(_pipeline(asked), file=sys.stderr)
    marker = flags.split_input_file
    for each in near_misses(text, marker, asked.filename) if marker else ():
        report(each, text, asked.filename, color=flags.color)
    with saying_once():  # as upstream's tool, of which a test with several parts expects each warning once
        results = [tool.process(part) for part in (parts(text, marker) if marker else [text])]
    # As with upstream's tool, a file is there only if all went well.
    if not tool.failed or flags.output == "-":
        write_bytes(flags.output, _joined(results, flags.output_split_marker))
    if flags.sdy_trace is not None and not tool.failed:
        write_bytes(flags.sdy_trace, tool.trace.encode())
    if flags.mlir_pass_statistics:
        print(tool.statistics.report(display=flags.mlir_pass_statistics_display), file=sys.stderr)
    if flags.mlir_timing:
        print(timing.report(display=flags.mlir_timing_display, form=flags.mlir_output_format), file=sys.stderr)
    return 1 if tool.failed else 0


def _pipeline(asked: Settings) -> str:
    steps = ",\n".join(f"  {step}" for step in asked.steps)
    return f"Pass Manager with {len(asked.steps)} passes:\nbuiltin.module(\n{steps}\n)"


def _answer(asked: Settings) -> str | None:
    """Return the answer to flags that only ask for information."""
    if asked.flags.help is not None:
        names = [asked.flags.help] if asked.flags.help else [step.name for step in asked.steps]
        return help_of(names) if names else help_text()
    if asked.flags.print_completion is not None:
        return opt_completion(asked.flags.print_completion)
    if asked.flags.version:
        return f"sdy-opt {sdy.__version__}"
    if asked.flags.list_passes:
        return list_passes()
    return f"Available Dialects: {', '.join(available_dialects())}" if asked.flags.show_dialects else None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool with the given or the process's arguments; return the exit code."""
    return run_tool("sdy-opt", _main, argv, _ADVICE)


def _main(argv: Sequence[str]) -> int:
    try:
        asked = settings(argv)
        answer = _answer(asked)
        if answer is not None:
            write_bytes("-", f"{answer}\n".encode())
            return 0
        return _run(asked)
    except (PipelineError, ExtensionError) as error:
        raise UsageError(str(error)) from None
