"""The command line of `sdy-opt`: flags, and passes in the order given."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sdy.dialect.assembly import PrintOptions
from sdy.passes.options import parse_options
from sdy.passes.pipeline_text import parse_pipeline
from sdy.passes.registry import Step, find, option_table, passes, pipelines

SEPARATOR = "// -----"


class UsageError(Exception):
    """The command line does not make sense."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line asks for."""

    flags: argparse.Namespace
    steps: tuple[Step, ...]

    @property
    def print_options(self) -> PrintOptions:
        return PrintOptions(
            generic=self.flags.mlir_print_op_generic,
            irdl=self.flags.mlir_print_irdl,
            debug_info=self.flags.mlir_print_debuginfo,
            local_scope=self.flags.mlir_print_local_scope,
            elide_elements_larger_than=self.flags.mlir_elide_elementsattrs_if_larger,
        )


class _Parser(argparse.ArgumentParser):
    """Raises errors instead of leaving the process."""

    def error(self, message: str) -> Any:
        raise UsageError(message)


def parser(*, with_passes: bool = False) -> argparse.ArgumentParser:
    """The parser of everything but passes; `with_passes` lists these in the help."""
    result = _Parser(
        prog="sdy-opt",
        description="Reads a module, runs passes on it in the order given, and prints it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_pass_help() if with_passes else None,
        allow_abbrev=False,
        add_help=False,
    )

    def flag(name: str, **settings: Any) -> None:
        result.add_argument(f"--{name}", f"-{name}", **settings)

    def switch(name: str, text: str) -> None:
        flag(name, action="store_true", help=text)

    result.add_argument("file", nargs="?", default="-", metavar="FILE", help="the module; - or nothing: standard input")
    result.add_argument("-o", metavar="FILE", dest="output", default="-", help="where to write; -: standard output")
    switch("help", "show this text")
    result.add_argument("-h", action="store_true", dest="help", help=argparse.SUPPRESS)
    switch("version", "show the version")
    switch("list-passes", "list the passes and pipelines")
    switch("show-dialects", "list the dialects")
    switch("split-input-file", f"treat the parts between '{SEPARATOR}' lines one by one")
    flag(
        "verify-diagnostics",
        nargs="?",
        choices=("all", "only-expected"),
        const="all",
        help="hold diagnostics against the 'expected-...' comments of the input; print no module",
    )
    switch("allow-unregistered-dialect", "accept ops of dialects that nobody knows")
    flag("pass-pipeline", metavar="TEXT", help="passes as text: 'builtin.module(sdy-a,func.func(sdy-b{opt=val}))'")
    switch("no-verify", "do not verify the module after parsing and after each pass")
    switch("verify-roundtrip", "fail if the printed module does not parse to the same module")
    switch("mlir-print-ir-before-all", "print the module before each pass, to standard error")
    switch("mlir-print-ir-after-all", "print the module after each pass, to standard error")
    flag("mlir-print-ir-before", metavar="PASSES", default="", help="... before these passes, separated by commas")
    flag("mlir-print-ir-after", metavar="PASSES", default="", help="... after these passes, separated by commas")
    switch("mlir-timing", "print how long each pass took, to standard error")
    switch("mlir-print-op-generic", "print the generic form")
    switch("mlir-print-irdl", "print the generic form that upstream tools read with --irdl-file=dialect/sdy.irdl.mlir")
    switch("mlir-print-debuginfo", "print locations")
    switch("mlir-print-local-scope", "print without aliases")
    flag("mlir-elide-elementsattrs-if-larger", type=int, metavar="N", help="leave out constants of more elements")
    switch("emit-bytecode", "write MLIR bytecode")
    flag(
        "sdy-report-communication",
        nargs="?",
        choices=("table", "json"),
        const="table",
        help="print what the module communicates after the passes, to standard error",
    )
    flag(
        "sdy-explain",
        metavar="VALUE",
        help="print why propagation shards a value as it does, given the module after the passes, to standard error: "
        "all, argument:N, result:N, %%NAME (of another function than main: @FUNCTION:...), or [FILE:]LINE[:COLUMN]",
    )
    return result


def _pass_help() -> str:
    lines = ["passes (--NAME or --NAME='opt=val opt2=val', run in the order given; upstream's, such as --cse, too):"]
    lines += _entries(passes().values())
    lines.append("\npipelines:")
    return "\n".join(lines + _entries(pipelines().values()))


def _entries(registered: Any) -> list[str]:
    lines = []
    for each in registered:
        lines += [f"  --{each.name}", f"      {each.summary}"]
        rows = option_table(each.options)
        lines += [f"      {name}={kind} ({default}): {text}" for name, kind, default, text in rows]
    return lines


def settings(argv: Sequence[str]) -> Settings:
    """Reads the command line.

    Raises:
      UsageError: it makes no sense.
      PipelineError: the textual pipeline does not parse.
    """
    flags = parser()
    known = {option: action for action in flags._actions for option in action.option_strings}
    rest: list[str] = []
    steps: list[Step] = []
    arguments = iter(argv)
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if argument == "--":
            rest += [argument, *arguments]
        elif not argument.startswith("-") or argument == "-":
            rest.append(argument)
        elif name in known:
            if not equals and known[name].nargs == "?":
                argument += f"={known[name].const}"  # lest the file be taken for the optional value
            rest.append(argument)
            if not equals and known[name].nargs is None:
                rest += [next(arguments, "")]
        else:
            steps.append(_step(argument, name.lstrip("-"), value))
    parsed = flags.parse_args(rest)
    if parsed.pass_pipeline is not None:
        if steps:
            raise UsageError(f"'--pass-pipeline' cannot be mixed with passes such as '{steps[0].name}'")
        steps = parse_pipeline(parsed.pass_pipeline)
    return Settings(parsed, tuple(steps))


def _step(argument: str, name: str, value: str) -> Step:
    if find(name) is None and not re.fullmatch(r"[a-z][\w\-]*", name):
        raise UsageError(f"unknown argument '{argument}'")
    try:
        return Step(name, parse_options(value))
    except ValueError as error:
        raise UsageError(f"in '{argument}': {error}") from None
