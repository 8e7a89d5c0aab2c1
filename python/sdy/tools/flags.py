"""The flags of `sdy-opt`: their names, kinds and help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypedDict, Unpack

import sdy
from sdy.passes.options import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


MARKER = "// -----"
"""Default separator of the parts of an input."""

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
"""Shells that can complete command lines."""


class UsageError(Exception):
    """Something on the command line cannot be used; printed as an error, without a traceback."""


class Answered(Exception):
    """Raised once a flag such as `--help` has been answered; the tool exits."""


class Parser(argparse.ArgumentParser):
    """Raises exceptions instead of leaving the process."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Raise `Answered`: help or version was printed."""
        raise Answered

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write help and version; `argparse` ignores failures to write."""
        (file or sys.stdout).write(message)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with the message."""
        raise UsageError(message)

    def parse_args(self, args: Sequence[str] | None = None, namespace: None = None) -> argparse.Namespace:
        """Parse the arguments; unknown flags get a suggestion."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            known = [option for action in self._actions for option in action.option_strings]
            meant = did_you_mean(left[0].partition("=")[0], known) or f" (see {self.prog} --help)"
            self.error(f"unrecognized arguments: {' '.join(left)}{meant}")
        return found

    @classmethod
    def of_tool(
        cls, usage: str, description: str, file: str, epilog: str | None = None, **groups: Callable[[Group], None]
    ) -> Parser:
        """Return the parser of a tool in the manner of `mlir-opt`, which reads a file, or standard input.

        Args:
          usage: the usage line, which begins with the name of the tool.
          description: the beginning of the help.
          epilog: the end of the help.
          file: content of the file.
          groups: functions that add groups of flags, in order; their names, in words, are the titles.
        """
        name = usage.partition(" ")[0]
        form = argparse.RawDescriptionHelpFormatter if epilog else argparse.HelpFormatter
        result = cls(name, usage, description, epilog, formatter_class=form, allow_abbrev=False, add_help=False)
        result.add_argument(
            "file", nargs="?", default="-", metavar="FILE", help=f"{file}; - or nothing: standard input"
        )
        for title, add in groups.items():
            add(Group(result.add_argument_group(title.replace("_", " "))))
        return result


def parser(epilog: str | None = None) -> Parser:
    """Return the parser of all flags except passes; `epilog` ends the help."""
    return Parser.of_tool(
        "sdy-opt [FILE] [-o FILE] [FLAGS] [PASSES]",
        "Reads a module, runs passes on it in the order given, and prints it.",
        "the module",
        epilog,
        input_and_output=_input_and_output,
        passes_and_verification=_passes,
        diagnostics=_diagnostics,
        printing=_printing,
        dumps_and_reports=_observation,
        information=_information,
    )


class _Setting(TypedDict, total=False):
    """Settings of a flag, as `argparse` has them."""

    action: str
    choices: Sequence[str]
    const: str
    default: bool | int | str | list[str] | None
    metavar: str
    nargs: str
    type: Callable[[str], object]


class Group:
    """Adds flags to a group, with one dash or two."""

    def __init__(self, group: argparse._ArgumentGroup) -> None:
        self.add = group.add_argument

    def flag(self, name: str, text: str, **settings: Unpack[_Setting]) -> None:
        """Add a flag with one dash or two, and its help."""
        self.add(f"--{name}", f"-{name}", help=text, **settings)

    def expected_diagnostics(self, accepted: Sequence[str] = ()) -> None:
        """Add the flag that compares diagnostics with comments of the input."""
        text = "compare diagnostics with the 'expected-...' comments of the input"
        self.kind("verify-diagnostics", text, ["all", "only-expected"], accepted)

    def files(self) -> None:
        """Add the flags on outputs and on inputs with several parts."""
        self.add("-o", metavar="FILE", dest="output", default="-", help="output file; - for standard output")
        self.flag(
            "split-input-file",
            f"split the input at MARKER (default: '{MARKER}') and process each part by itself",
            nargs="?",
            const=MARKER,
            metavar="MARKER",
        )
        self.flag("output-split-marker", "marker between the results of the parts", default=MARKER, metavar="MARKER")

    def kind(self, name: str, text: str, kinds: Sequence[str], accepted: Sequence[str] = ()) -> None:
        """Parse one of several kinds, the first if only the flag is given; help hides those in `accepted`."""
        metavar = "|".join(kinds)
        self.flag(name, text, nargs="?", choices=(*accepted, *kinds), const=kinds[0], metavar=metavar)

    def each(self, name: str, text: str, metavar: str) -> None:
        """Parse a flag that may be repeated."""
        self.flag(name, text, metavar=metavar, action="append", default=[])

    def switch(self, name: str, text: str, *, default: bool | None = False) -> None:
        """On or off: ``--name`` or ``--name=false``."""
        self.flag(name, text, nargs="?", const="true", default=default, type=_boolean, metavar="BOOL")


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false", "1", "0"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a boolean")
    return text.lower() in ("true", "1")


def _colour(text: str) -> bool | None:
    """Read the colour setting; None depends on the output. Upstream's tools take a boolean, others these words."""
    words = {"auto": None, "always": True, "never": False}
    return words[text.lower()] if text.lower() in words else _boolean(text)


def natural(text: str) -> int:
    """Parse a number of a flag."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return int(text)


def _off(text: str) -> bool:
    if _boolean(text):
        raise argparse.ArgumentTypeError("only 'false' is supported")
    return False


def _input_and_output(group: Group) -> None:
    group.files()
    group.switch("allow-unregistered-dialect", "accept ops of unregistered dialects")
    group.flag("irdl-file", "load the dialects that an IRDL file defines", metavar="FILE")
    plugin = "import a Python module or file that registers dialects by sdy.register_dialect"
    group.each("load-dialect-plugin", plugin, "MODULE")
    group.switch("no-implicit-module", "do not wrap top-level ops in a module")
    group.switch("emit-bytecode", "write MLIR bytecode")
    group.flag(
        "emit-bytecode-version", "version of the bytecode that --emit-bytecode writes", type=natural, metavar="N"
    )
    group.flag(
        "emit-sdy-version",
        "version of sdy in that bytecode: 0.0.0, 0.0.1 or 0.0.2; newer ops are an error",
        metavar="V",
    )


def _passes(group: Group) -> None:
    group.flag(
        "pass-pipeline", "passes to run, as text: 'builtin.module(sdy-a,func.func(sdy-b{opt=val}))'", metavar="TEXT"
    )
    plugin = "import a Python module or file that declares passes, pipelines, rules or lowerings"
    group.each("load-pass-plugin", plugin, "MODULE")
    group.switch("dump-pass-pipeline", "print the pipeline to standard error before it runs")
    group.switch("no-verify", "do not verify the module after parsing and after each pass")
    group.switch("verify-each", "verify the module after parsing and after each pass", default=True)
    group.switch("strict-documents", "reject input that Shardy's documents forbid and its C++ verifier accepts")
    group.switch(
        "verify-roundtrip", "fail if the module changes when it is printed, or written as bytecode, and read again"
    )
    group.flag(
        "mlir-pass-pipeline-crash-reproducer",
        "if a pass fails, write a reproducer (module and passes) to FILE",
        metavar="FILE",
    )
    group.switch(
        "mlir-pass-pipeline-local-reproducer",
        "write the module before the failing pass, and that pass alone, to the reproducer",
    )
    group.flag("mlir-generate-reproducer", "write a reproducer (module and passes) to FILE in any case", metavar="FILE")
    group.switch("run-reproducer", "run the passes that the input, a reproducer, names")
    group.switch("mlir-disable-threading", "accepted for compatibility; passes run in one thread")


def _diagnostics(group: Group) -> None:
    group.expected_diagnostics(accepted=[""])
    group.flag(
        "color",
        "colour diagnostics (auto: on a terminal, unless NO_COLOR is set)",
        nargs="?",
        const="always",
        type=_colour,
        metavar="auto|always|never",
    )
    group.flag(
        "mlir-print-op-on-diagnostic",
        "accepted for compatibility; diagnostics never print the op",
        type=_off,
        default=False,
        metavar="false",
    )


def _printing(group: Group) -> None:
    group.switch("mlir-print-op-generic", "print the generic form")
    group.switch("mlir-print-irdl", "print the generic form that mlir-opt --irdl-file=dialect/sdy.irdl.mlir reads")
    group.switch("mlir-print-debuginfo", "print locations")
    group.switch("mlir-pretty-debuginfo", "print locations in a short form that cannot be parsed")
    group.switch("mlir-print-local-scope", "print without aliases")
    group.switch("mlir-print-skip-regions", "print '{...}' in place of regions")
    group.switch("mlir-print-value-users", "print the users of each result and block argument as comments")
    group.switch("mlir-print-unique-ssa-ids", "number values across functions, not from 0 in each")
    group.switch("mlir-use-nameloc-as-prefix", "use names of locations as names of values")
    group.flag(
        "mlir-elide-elementsattrs-if-larger", "omit constants with more than N elements", type=natural, metavar="N"
    )
    group.flag(
        "mlir-elide-resource-strings-if-larger",
        "omit resources with more than N characters",
        type=natural,
        metavar="N",
    )


def _observation(group: Group) -> None:
    group.switch("mlir-print-ir-before-all", "print the module to standard error before each pass")
    group.switch("mlir-print-ir-after-all", "print the module to standard error after each pass")
    for when in ("before", "after"):
        name = f"mlir-print-ir-{when}"
        group.each(name, f"print the module to standard error {when} these passes", "PASS,...")
    group.switch("mlir-print-ir-after-change", "print the module after a pass only if the pass changed it")
    group.switch("mlir-print-ir-after-failure", "print the module after a pass only if the pass failed")
    group.switch("mlir-print-ir-module-scope", "print the whole module before and after passes on functions, too")
    group.flag(
        "mlir-print-ir-tree-dir",
        "print modules to files below a directory, not to standard error",
        metavar="DIRECTORY",
        default="",
    )
    group.switch("debug-patterns", "emit a remark at each op that a pattern does not match, with the reason")
    group.switch("mlir-timing", "print the time of parsing, each pass and printing to standard error")
    group.flag(
        "mlir-timing-display",
        "order of times: as they ran, or the longest first",
        choices=("tree", "list"),
        default="tree",
    )
    group.switch("mlir-pass-statistics", "print to standard error how many ops each pass created, erased and sharded")
    group.flag(
        "mlir-pass-statistics-display",
        "statistics in order, or summed by pass",
        choices=("list", "pipeline"),
        default="pipeline",
    )
    group.flag("mlir-output-format", "format of times", choices=("text", "json"), default="text")
    report = "print the collectives of the module after the passes to standard error"
    group.kind("sdy-report-communication", report, ["table", "json"])
    group.switch(
        "mpmd-report-schedule", "print to standard error the order of fragments on each mesh of an exported module"
    )
    group.flag(
        "sdy-machine",
        "estimate their time on a machine: a name such as h100, a JSON file, or 'flops=2e14 bandwidth=5e10'",
        metavar="MACHINE",
    )
    group.flag(
        "sdy-trace",
        "write the timeline of a step on that machine for Perfetto",
        metavar="FILE",
    )
    group.flag(
        "sdy-explain",
        "print to standard error why propagation shards a value as it does, in the module after the passes: "
        "all, argument:N, result:N, %%NAME (of another function than main: @FUNCTION:...), or [FILE:]LINE[:COLUMN]",
        metavar="VALUE",
    )


def _information(group: Group) -> None:
    group.flag("help", "show this text, or the description and options of a pass", nargs="?", const="", metavar="PASS")
    group.add("-h", nargs="?", const="", dest="help", help=argparse.SUPPRESS)
    group.flag("version", "show the version", action="store_true")
    group.flag("list-passes", "list the passes and pipelines", action="store_true")
    group.flag("show-dialects", "list the dialects", action="store_true")
    group.flag("print-completion", "print the completion script of a shell", choices=SHELLS)


BUILT_IN = Path(__file__).parent / "opt" / "built_in_passes.txt"
"""The passes of this package, as the help lists them."""

EXTENSIONS = "sdy.extensions"


def quick_answer(argv: Sequence[str]) -> str | None:
    """Return the answer to a command line that only asks for the version or the help; None to any other."""
    if len(argv) != 1:
        return None
    flag = argv[0]
    if flag in ("--version", "-version"):
        return f"sdy-opt {sdy.__version__}"
    if flag in ("--help", "-help", "-h") and not entry_points(group=EXTENSIONS):
        return parser(BUILT_IN.read_text(encoding="utf-8").rstrip("\n")).format_help()
    return None
