"""sdy-opt: reads a module, runs passes on it, prints it; with mlir-opt's habits."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sdy.dialect.assembly import PrintOptions, parse_module, print_module
from sdy.dialect.context import make_context
from sdy.dialect.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, collecting
from sdy.passes.manager import check, run_pipeline
from sdy.passes.options import parse_options
from sdy.passes.pipeline_text import parse_pipeline
from sdy.passes.registry import PipelineError, Step, find, option_table, passes, pipelines
from sdy.tools.diagnostics_output import diagnostics_of, named, report

SEPARATOR = "// -----"
_SPLIT = re.compile(r"^// -----.*\n?", re.MULTILINE)


class UsageError(Exception):
    """The command line does not make sense."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line asks for."""

    arguments: argparse.Namespace
    steps: tuple[Step, ...]

    @property
    def print_options(self) -> PrintOptions:
        given = self.arguments
        return PrintOptions(
            generic=given.mlir_print_op_generic,
            debug_info=given.mlir_print_debuginfo,
            local_scope=given.mlir_print_local_scope,
            elide_elements_larger_than=given.mlir_elide_elementsattrs_if_larger,
        )


class _Parser(argparse.ArgumentParser):
    """Reports errors in one line, with exit code 1."""

    def error(self, message: str) -> Any:
        raise UsageError(message)


def _flags() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sdy-opt",
        description="Reads a module, runs passes on it in the order given, and prints it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )

    def flag(name: str, **settings: Any) -> None:
        parser.add_argument(f"--{name}", f"-{name}", **settings)

    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the module; - or nothing: standard input")
    parser.add_argument("-o", metavar="FILE", dest="output", default="-", help="where to write; -: standard output")
    flag("help", action="store_true", help="show this text")
    parser.add_argument("-h", action="store_true", dest="help", help=argparse.SUPPRESS)
    flag("version", action="store_true", help="show the version")
    flag("split-input-file", action="store_true", help=f"treat the parts between '{SEPARATOR}' lines one by one")
    flag("allow-unregistered-dialect", action="store_true", help="accept ops of dialects that nobody knows")
    flag("pass-pipeline", metavar="PIPELINE", help="passes as text: 'builtin.module(sdy-a,func.func(sdy-b{opt=val}))'")
    flag("no-verify", action="store_true", help="do not verify the dialect's conditions")
    flag("mlir-print-ir-after-all", action="store_true", help="print the module after each pass, to standard error")
    flag("mlir-print-op-generic", action="store_true", help="print the generic form")
    flag("mlir-print-debuginfo", action="store_true", help="print locations")
    flag("mlir-print-local-scope", action="store_true", help="print without aliases")
    flag(
        "mlir-elide-elementsattrs-if-larger", type=int, metavar="N", help="leave out constants with more than N elements"
    )
    return parser


def _pass_help() -> str:
    lines = ["passes (--NAME or --NAME='opt=val opt2=val', run in the order given; upstream's, such as --cse, too):"]
    for each in passes().values():
        lines += [f"  --{each.name}", f"      {each.summary}"]
        lines += [f"      {name}={kind} ({default}): {text}" for name, kind, default, text in option_table(each.options)]
    lines.append("\npipelines:")
    for each in pipelines().values():
        lines += [f"  --{each.name}", f"      {each.summary}"]
        lines += [f"      {name}={kind} ({default}): {text}" for name, kind, default, text in option_table(each.options)]
    return "\n".join(lines)


def _settings(argv: Sequence[str]) -> Settings:
    """Reads the command line; passes keep their order."""
    parser = _flags()
    known = {option for action in parser._actions for option in action.option_strings}
    rest: list[str] = []
    steps: list[Step] = []
    only_files = False
    takes_value = False
    for argument in argv:
        name, _, value = argument.partition("=")
        if takes_value or only_files or not argument.startswith("-") or argument == "-" or name in known:
            rest.append(argument)
            takes_value = not takes_value and "=" not in argument and _wants_value(parser, argument)
        elif argument == "--":
            only_files = True
            rest.append(argument)
        else:
            steps.append(_step(argument, name.lstrip("-"), value))
    arguments = parser.parse_args(rest)
    if arguments.pass_pipeline is not None:
        if steps:
            raise UsageError(f"'--pass-pipeline' cannot be mixed with passes such as '{steps[0].name}'")
        steps = parse_pipeline(arguments.pass_pipeline)
    return Settings(arguments, tuple(steps))


def _wants_value(parser: argparse.ArgumentParser, argument: str) -> bool:
    return any(argument in action.option_strings and action.nargs is None for action in parser._actions)


def _step(argument: str, name: str, value: str) -> Step:
    if find(name) is None and not re.fullmatch(r"[a-z][\w\-]*", name):
        raise UsageError(f"unknown argument '{argument}'")
    try:
        return Step(name, parse_options(value))
    except ValueError as error:
        raise UsageError(f"in '{argument}': {error}") from None


class _PrintAfter:
    """Prints the module after each pass, to standard error."""

    def __init__(self, options: PrintOptions) -> None:
        self.options = options

    def before(self, step: Step, op: Any) -> None:
        pass

    def after(self, step: Step, op: Any) -> None:
        print(f"// -----// IR Dump After {step.name} //----- //", file=sys.stderr)
        print(print_module(op, self.options), file=sys.stderr)


def _process(text: str, filename: str, settings: Settings, context: Any) -> str | None:
    """The printed result for one module; None after errors, which have been reported."""

    def show(diagnostic: Diagnostic) -> None:
        report(named(diagnostic, filename), text)

    observers = [_PrintAfter(settings.print_options)] if settings.arguments.mlir_print_ir_after_all else []
    verify = not settings.arguments.no_verify
    try:
        with collecting(show):
            module = parse_module(text, context)
            if verify:
                check(module.operation)
            run_pipeline(module, settings.steps, verify=verify, observers=observers)
            printed = print_module(module, settings.print_options)
    except (DiagnosticError, DiagnosticErrors) as error:
        for diagnostic in diagnostics_of(error):
            show(diagnostic)
        return None
    if settings.print_options.debug_info:
        printed = printed.replace('loc("-":', f'loc("{filename}":')
    return printed if printed.endswith("\n") else printed + "\n"


def _parts(text: str) -> list[str]:
    """The parts of a split input, each behind as many line breaks as lines precede it."""
    parts, start = [], 0
    for found in [*_SPLIT.finditer(text), None]:
        end = found.start() if found else len(text)
        parts.append("\n" * text.count("\n", 0, start) + text[start:end])
        start = found.end() if found else end
    return parts


def _read(path: str) -> str:
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        Path(path).write_text(text, encoding="utf-8")


def _run(settings: Settings) -> int:
    arguments = settings.arguments
    text = _read(arguments.file)
    filename = "<stdin>" if arguments.file == "-" else arguments.file
    context = make_context(allow_unregistered_dialects=arguments.allow_unregistered_dialect)
    results = [
        _process(part, filename, settings, context) for part in (_parts(text) if arguments.split_input_file else [text])
    ]
    printed = [result for result in results if result is not None]
    _write(arguments.output, f"{SEPARATOR}\n".join(printed))
    return 0 if len(printed) == len(results) else 1


def _version() -> str:
    try:
        return version("sdy")
    except PackageNotFoundError:
        return "unknown"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool; returns the exit code."""
    try:
        settings = _settings(sys.argv[1:] if argv is None else argv)
        if settings.arguments.help:
            parser = _flags()
            parser.epilog = _pass_help()
            parser.print_help()
            return 0
        if settings.arguments.version:
            print(f"sdy-opt {_version()}")
            return 0
        return _run(settings)
    except (UsageError, PipelineError) as error:
        print(f"sdy-opt: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(f"{error.filename or 'sdy-opt'}: error: {error.strerror or error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
