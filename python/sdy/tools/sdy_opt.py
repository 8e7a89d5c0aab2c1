"""sdy-opt: reads a module, runs passes on it, prints it; with mlir-opt's habits."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import sdy
from sdy.dialect.assembly import parse, parse_module, print_module
from sdy.dialect.context import make_context
from sdy.dialect.diagnostics import (
    Diagnostic,
    DiagnosticError,
    DiagnosticErrors,
    Position,
    Severity,
    collecting,
)
from sdy.dialect.variadic import TooManyTypes
from sdy.dialect.verification import verify_module
from sdy.passes.manager import Observer, plan, run_planned
from sdy.passes.registry import PipelineError, passes, pipelines
from sdy.program_values import SelectorError
from sdy.tools.bytecode import is_bytecode, read_bytecode, write_bytecode
from sdy.tools.command_line import SEPARATOR, Settings, UsageError, parser, settings
from sdy.tools.diagnostics_output import diagnostics_of, named, report
from sdy.tools.expected_diagnostics import compare
from sdy.tools.observers import PrintIr, Timing

_SPLIT = re.compile(r"^// -----.*\n?", re.MULTILINE)


class _Tool:
    """One run of the tool: its settings, and what lasts over the parts of a split input."""

    def __init__(self, asked: Settings, filename: str) -> None:
        self.asked = asked
        self.flags = asked.flags
        self.filename = filename
        self.context = make_context(allow_unregistered_dialects=asked.flags.allow_unregistered_dialect)
        self.planned = plan(asked.steps)
        self.timing = Timing()
        self.failed = False

    # One part ------------------------------------------------------------------------------------

    def process(self, text: str) -> str | bytes | None:
        """The result for one module; None if there is nothing to print."""
        diagnostics: list[Diagnostic] = []
        result = None
        try:
            with collecting(diagnostics.append):
                result = self._transformed(text)
        except (DiagnosticError, DiagnosticErrors) as error:
            diagnostics += diagnostics_of(error)
        except TooManyTypes as error:
            message = f"an op has values of {error.needed} types in a row, more than can be written in this form"
            diagnostics.append(Diagnostic(Severity.ERROR, Position("-"), message))
        diagnostics = [named(each, self.filename) for each in diagnostics]
        if self.flags.verify_diagnostics:
            self._compare(text, diagnostics)
            return None
        for each in diagnostics:
            report(each, text)
        self.failed = self.failed or result is None
        return result

    def _transformed(self, text: str) -> str | bytes:
        verify = not self.flags.no_verify
        module = self._parse(text)
        if verify:
            verify_module(module)
        if self.flags.verify_roundtrip:
            self._check_roundtrip(module)
        run_planned(module, self.planned, verify=verify, observers=self._observers())
        self._report_communication(module)
        self._explain(module)
        if self.flags.emit_bytecode:
            return write_bytecode(module)
        printed = print_module(module, self.asked.print_options)
        if self.asked.print_options.debug_info:
            printed = printed.replace('loc("-":', f'loc("{self.filename}":')
        return printed if printed.endswith("\n") else printed + "\n"

    def _parse(self, text: str) -> Any:
        try:
            return parse_module(text, self.context)
        except TooManyTypes:
            return parse(text, allow_unregistered_dialects=self.flags.allow_unregistered_dialect)

    def _report_communication(self, module: Any) -> None:
        form = self.flags.sdy_report_communication
        if form is None:
            return
        found = sdy.communication(module, filename=self.filename)
        print(found.to_json() if form == "json" else found.table(), file=sys.stderr)

    def _explain(self, module: Any) -> None:
        if self.flags.sdy_explain is None:
            return
        try:
            print(sdy.explain(module, self.flags.sdy_explain, filename=self.filename), file=sys.stderr)
        except SelectorError as error:
            raise UsageError(f"argument --sdy-explain: {error}") from None

    def _check_roundtrip(self, module: Any) -> None:
        printed = print_module(module)
        again = print_module(self._parse(printed))
        if printed != again:
            message = "the printed module does not parse to the same module"
            raise DiagnosticErrors([Diagnostic(Severity.ERROR, Position("-"), message)])

    def _observers(self) -> list[Observer]:
        flags = self.flags
        before = frozenset(flags.mlir_print_ir_before.split(",")) - {""}
        after = frozenset(flags.mlir_print_ir_after.split(",")) - {""}
        observers: list[Observer] = []
        if before or after or flags.mlir_print_ir_before_all or flags.mlir_print_ir_after_all:
            everywhere = (flags.mlir_print_ir_before_all, flags.mlir_print_ir_after_all)
            observers.append(PrintIr(self.asked.print_options, before, after, *everywhere))
        if flags.mlir_timing:
            observers.append(self.timing)
        return observers

    def _compare(self, text: str, diagnostics: Sequence[Diagnostic]) -> None:
        only_expected = self.flags.verify_diagnostics == "only-expected"
        problems = compare(text, diagnostics, self.filename, only_expected=only_expected)
        for problem in problems:
            print(problem, file=sys.stderr)
        self.failed = self.failed or bool(problems)


def _parts(text: str) -> list[str]:
    """The parts of a split input, each behind as many line breaks as lines precede it."""
    parts, start = [], 0
    for found in [*_SPLIT.finditer(text), None]:
        end = found.start() if found else len(text)
        parts.append("\n" * text.count("\n", 0, start) + text[start:end])
        start = found.end() if found else end
    return parts


def _read(path: str) -> str:
    return decoded(sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes())


def decoded(data: bytes) -> str:
    """The text of an input, which may be bytecode.

    Raises:
      DiagnosticErrors: it starts like bytecode, but is none that can be read.
    """
    if is_bytecode(data):
        return read_bytecode(data)
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def _write(path: str, results: Sequence[str | bytes]) -> None:
    separator = f"{SEPARATOR}\n".encode()
    data = separator.join(each if isinstance(each, bytes) else each.encode("utf-8", "replace") for each in results)
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(path).write_bytes(data)


def _run(asked: Settings) -> int:
    flags = asked.flags
    filename = "<stdin>" if flags.file == "-" else flags.file
    tool = _Tool(asked, filename)
    try:
        text = _read(flags.file)
    except DiagnosticErrors as error:
        for each in error.diagnostics:
            report(named(each, filename))
        return 1
    results = [tool.process(part) for part in (_parts(text) if flags.split_input_file else [text])]
    printed = [result for result in results if result is not None]
    if not flags.verify_diagnostics and (printed or not tool.failed):
        _write(flags.output, printed)
    if flags.mlir_timing:
        print(tool.timing.table(), file=sys.stderr)
    return 1 if tool.failed else 0


def _list_passes() -> str:
    return "\n".join(f"{each.name}: {each.summary}" for each in [*passes().values(), *pipelines().values()])


def _show_dialects() -> str:
    names = ("builtin", "func", "arith", "math", "tensor", "quant", "sdy", "stablehlo", "chlo")
    return "\n".join(("Available dialects:", *sorted(names)))


def _version() -> str:
    try:
        return version("sdy")
    except PackageNotFoundError:
        return "unknown"


def _answer(asked: Settings) -> str | None:
    """What flags that only ask for information answer."""
    if asked.flags.help:
        return parser(with_passes=True).format_help()
    if asked.flags.version:
        return f"sdy-opt {_version()}"
    if asked.flags.list_passes:
        return _list_passes()
    return _show_dialects() if asked.flags.show_dialects else None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool; returns the exit code."""
    try:
        asked = settings(sys.argv[1:] if argv is None else argv)
        answer = _answer(asked)
        if answer is not None:
            print(answer)
            return 0
        return _run(asked)
    except (UsageError, PipelineError) as error:
        print(f"sdy-opt: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(f"{error.filename or 'sdy-opt'}: error: {error.strerror or error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
