"""sdy-hlo: reads HLO text, checks and changes asynchronous operations in it, prints it; with sdy-opt's habits."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

import sdy
from sdy import hlo_text
from sdy.dialect.context import make_context
from sdy.hlo_text import HloModule, HloRuleError, HloSyntaxError, InFlight, Problem, Rules
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, Position, Severity
from sdy.report.text_table import columns
from sdy.tools.completion import PrintCompletion
from sdy.tools.diagnostics_output import named, placed, report
from sdy.tools.files import name_of, read_bytes, text_of, write_text
from sdy.tools.flags import SHELLS, Group, Parser, UsageError, natural
from sdy.tools.hlo.verdicts import Verdict, Verdicts
from sdy.tools.named_arguments import machine_of
from sdy.tools.opt.expected_diagnostics import report_mismatches
from sdy.tools.opt.opt_tool import near_misses, parts
from sdy.tools.outermost import run_tool

_HEADINGS = ("start", "done", "first", "last", "operands", "result", "context")


def table(found: Sequence[InFlight]) -> str:
    """A table per computation; sizes are bytes, `first` and `last` are positions of instructions from 0."""
    parts = []
    for each in found:
        rows = [
            (
                f"%{held.chain.start.name}",
                f"%{held.chain.done.name}" if held.chain.done else "",
                str(held.first),
                str(held.last),
                f"{held.operand_bytes:,}",
                f"{held.result_bytes:,}",
                f"{held.context_bytes:,}",
            )
            for held in each.held
        ]
        parts.append(f"%{each.computation}: at most {each.peak:,} bytes in flight\n{columns([_HEADINGS, *rows])}\n")
    return "\n".join(parts) if parts else "nothing is in flight\n"


def as_json(found: Sequence[InFlight]) -> str:
    """Return the same as an array of objects, with the bytes at each instruction."""
    return json.dumps(
        [
            {
                "computation": each.computation,
                "peak_bytes": each.peak,
                "bytes": each.bytes,
                "chains": [
                    {
                        "start": held.chain.start.name,
                        "updates": [update.name for update in held.chain.updates],
                        "done": held.chain.done.name if held.chain.done else None,
                        "thread": held.chain.thread,
                        "first": held.first,
                        "last": held.last,
                        "operand_bytes": held.operand_bytes,
                        "result_bytes": held.result_bytes,
                        "context_bytes": held.context_bytes,
                    }
                    for held in each.held
                ],
            }
            for each in found
        ],
        indent=2,
    )


_ADVICE = "the smallest HLO text that shows the fault is of help"


class _Refused(Exception):
    """The module is not as required; the errors have been collected."""


class _HloTool:
    """One run of the tool, over the parts of a split input."""

    def __init__(self, flags: argparse.Namespace) -> None:
        self.flags = flags
        self.filename = name_of(flags.file)
        self.failed = False
        self.context = make_context(allow_unregistered_dialects=flags.allow_unregistered_dialect)
        self._xla = Verdicts()

    def close(self) -> None:
        self._xla.close()

    def process(self, text: str) -> str | None:
        """Return the result for one module; None if there is none."""
        diagnostics: list[Diagnostic] = []
        result = None
        try:
            result = self._transformed(text, diagnostics)
        except _Refused:
            pass
        except HloSyntaxError as error:
            diagnostics.append(self._error(error.message, (error.line, error.column)))
        except HloRuleError as error:
            # What was made of MLIR has no place in the input.
            diagnostics.append(self._error(error.message, None if self.flags.from_mlir else error.position))
        except DiagnosticError as error:
            diagnostics += (placed(named(each, self.filename), self.filename) for each in error.diagnostics)
        if self.flags.verify_diagnostics is not None:
            all_met = report_mismatches(text, diagnostics, self.filename, self.flags.verify_diagnostics)
            self.failed = self.failed or not all_met
            return result
        for each in diagnostics:
            report(each, text, self.filename)
        self.failed = self.failed or result is None
        return result

    def _error(self, message: str, position: tuple[int, int] | None) -> Diagnostic:
        return Diagnostic(Severity.ERROR, Position(self.filename, *(position or (1, 1))), message)

    def _transformed(self, text: str, diagnostics: list[Diagnostic]) -> str:
        flags = self.flags
        hlo = to_hlo(text, self.context) if flags.from_mlir else text
        module = hlo_text.parse(hlo)
        if flags.compare_with_xla:
            self._compare(hlo, module)
        if flags.check is not None:
            problems = hlo_text.check(module, Rules(flags.check))
            diagnostics += map(self._diagnostic, problems)
            if problems:
                raise _Refused
        module = self._changed(module)
        if flags.in_flight is not None:
            self._report_in_flight(module)
        if flags.schedule is not None or flags.to_mlir:
            converted = self._converted(module)
            if flags.to_mlir:
                return converted if converted.endswith("\n") else converted + "\n"
        return module.text(sugar=not flags.generic, operand_shapes=flags.operand_shapes)

    def _diagnostic(self, problem: Problem) -> Diagnostic:
        position = None if self.flags.from_mlir else problem.position
        return self._error(f"%{problem.instruction}: {problem.message} [{problem.rule}]", position)

    # Changes and reports -------------------------------------------------------------------------

    def _changed(self, module: HloModule) -> HloModule:
        if self.flags.synchronous:
            module = hlo_text.synchronous(module)
        for name in self.flags.asynchronous:
            module = hlo_text.wrap(module, name, updates=self.flags.updates, thread=self.flags.thread)
        return module

    def _report_in_flight(self, module: HloModule) -> None:
        found = hlo_text.in_flight(module)
        print(as_json(found) if self.flags.in_flight == "json" else table(found), file=sys.stderr)

    def _converted(self, module: HloModule) -> str:
        """Return the module in MLIR; report its timeline if requested."""
        schedule = self.flags.schedule
        machine = None if schedule is None else machine_of(schedule, "argument --schedule")
        converted = from_hlo(module)
        if machine is not None:
            print(sdy.timeline(converted, machine), file=sys.stderr)
        return str(converted)

    def _compare(self, text: str, module: HloModule) -> None:
        """Print both verdicts; both should be equal for the module as printed."""
        problems = hlo_text.check(module, hlo_text.XLA)
        try:
            as_given = self._xla.of(text)
            as_printed = self._xla.of(module.text(sugar=False))
        except RuntimeError as error:
            raise HloRuleError(str(error)) from None
        print(f"sdy, by XLA's rules: {'; '.join(map(str, problems)) or 'valid'}", file=sys.stderr)
        print(f"the text as it is: {as_given}", file=sys.stderr)
        print(f"the text in generic form: {as_printed}", file=sys.stderr)
        if _disagree(problems, as_printed):
            raise HloRuleError("sdy and XLA do not think the same of this module")


def _disagree(problems: Sequence[Problem], verdict: Verdict) -> bool:
    is_unknown = verdict.is_read and verdict.is_valid is None
    return not is_unknown and bool(problems) == (verdict.is_valid is True)


# The tool ------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool with the given or the process's arguments; return the exit code."""
    return run_tool("sdy-hlo", _main, argv, _ADVICE)


def _main(argv: Sequence[str]) -> int:
    flags = parser().parse_args(argv)
    if flags.help:
        write_text("-", parser().format_help())
        return 0
    if flags.version:
        write_text("-", f"sdy-hlo {sdy.__version__}\n")
        return 0
    return _run(flags)


def _run(flags: argparse.Namespace) -> int:
    text = text_of(read_bytes(flags.file))
    tool = _HloTool(flags)
    marker = flags.split_input_file
    for each in near_misses(text, marker, tool.filename) if marker else ():
        report(each, text, tool.filename)
    try:
        results = [tool.process(part) for part in (parts(text, marker) if marker else [text])]
    finally:
        tool.close()
    # As with upstream's tool, a file is there only if all went well.
    if not tool.failed or flags.output == "-":
        write_text(flags.output, f"{flags.output_split_marker}\n".join(each or "" for each in results))
    return 1 if tool.failed else 0


def to_hlo(text: str, context: ir.Context) -> str:
    """A module of StableHLO and hlo_async as HLO text.

    Raises:
      DiagnosticError: it is not such a module, or HLO cannot express it.
      HloRuleError: jaxlib does not convert it.
      UsageError: jaxlib is not installed.
    """
    module = sdy.parse(text, context=context)
    try:
        return sdy.hlo_conversion.to_hlo(module)
    except ImportError as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        raise HloRuleError(str(error)) from None


def from_hlo(module: HloModule) -> ir.Module:
    """Return the module in MLIR, with ops of MHLO where StableHLO has none; in schedule order if it is scheduled.

    Raises:
      HloRuleError: MLIR cannot express it, or jaxlib does not convert it.
      UsageError: jaxlib is not installed.
    """
    try:
        return sdy.hlo_conversion.from_hlo(module, keep_order=True)
    except ImportError as error:
        raise UsageError(str(error)) from None
    except HloRuleError:
        raise
    except ValueError as error:
        raise HloRuleError(str(error)) from None


def parser() -> Parser:
    """The parser of the command line."""
    return Parser.of_tool(
        "sdy-hlo [FILE] [-o FILE] [FLAGS]",
        "Reads HLO text, checks and changes the asynchronous operations in it, and prints it.",
        "HLO text",
        input_and_output=_input_and_output,
        checks_and_reports=_reports,
        changes=_changes,
        information=_information,
    )


def _switch(group: Group, name: str, text: str) -> None:
    group.flag(name, text, action="store_true")


def _input_and_output(group: Group) -> None:
    group.files()
    _switch(group, "from-mlir", "read StableHLO, with hlo_async, instead of HLO; needs jaxlib")
    _switch(group, "to-mlir", "print StableHLO, with hlo_async, instead of HLO; needs jaxlib")
    _switch(group, "allow-unregistered-dialect", "accept ops of unregistered dialects, such as MHLO")
    _switch(group, "generic", "print asynchronous operations as async-start, -update and -done, never as sugar")
    _switch(group, "operand-shapes", "print the shape of each operand")


def _reports(group: Group) -> None:
    group.kind(
        "check",
        "report violations of XLA's rules for asynchronous instructions: of its document, or of its verifier",
        ["strict", "xla"],
    )
    group.expected_diagnostics()
    _switch(
        group,
        "compare-with-xla",
        "compare the verdicts of XLA's parser and verifier, which run in a process of their own, with sdy's",
    )
    group.kind("in-flight", "report the bytes that asynchronous operations hold, to standard error", ["text", "json"])
    group.flag(
        "schedule",
        "report when starts, dones and computation take place on a machine such as "
        "'flops=2e14 bandwidth=5e10', to standard error; needs jaxlib",
        metavar="MACHINE",
    )


def _changes(group: Group) -> None:
    _switch(group, "synchronous", "make all asynchronous operations synchronous")
    group.flag(
        "asynchronous",
        "execute these instructions asynchronously",
        type=lambda text: [name.strip().lstrip("%") for name in text.split(",")],
        default=[],
        metavar="NAME,NAME",
    )
    group.flag("updates", "number of updates of each of these", type=natural, default=0, metavar="N")
    group.flag("thread", "thread that executes these", default="main", metavar="NAME")


def _information(group: Group) -> None:
    _switch(group, "help", "show this text")
    group.add("-h", dest="help", action="store_true", help=argparse.SUPPRESS)
    _switch(group, "version", "show the version")
    text = "print the completion script of a shell"
    group.add("--print-completion", action=PrintCompletion, choices=SHELLS, help=text)


if __name__ == "__main__":
    sys.exit(main())
