"""The flags of `sdy-opt`: their names, kinds and help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn, TypedDict, Unpack

from sdy.passes.options import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MARKER = "// -----"
"""What separates the parts of an input unless told otherwise."""

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
"""Shells that can complete command lines."""


class UsageError(Exception):
    """Something on the command line cannot be used; printed as an error, without a traceback."""


class Answered(Exception):
    """A flag such as `--help` has been answered, and nothing else is to be done."""


class Parser(argparse.ArgumentParser):
    """Raises exceptions instead of leaving the process."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Answered

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Writes help and version; `argparse` passes over what cannot be written."""
        (file or sys.stdout).write(message)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def parse_args(self, args: Sequence[str] | None = None, namespace: None = None) -> argparse.Namespace:
        """The arguments; of flags that are not known what may have been meant."""
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
        """The parser of a tool in the manner of `mlir-opt`, which reads a file, or standard input.

        Args:
          usage: how it is called, its name first.
          description, epilog: what begins and ends the help.
          file: what there is in the file.
          groups: what adds groups of flags, in order; their titles are the names of the arguments in words.
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
    """The parser of everything but passes; `epilog` ends the help."""
    return Parser.of_tool(
        "sdy-opt [FILE] [-o FILE] [FLAGS] [PASSES]",
        "Reads a module, runs passes on it in the order given, and prints it.",
        "the module",
        epilog,
        input_and_output=_input_and_output,
        passes_and_verification=_passes,
        diagnostics=_diagnostics,
        how_modules_are_printed=_printing,
        what_passes_do=_observation,
        information=_information,
    )


class _Setting(TypedDict, total=False):
    """What a flag takes, as `argparse` has it."""

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
        self.add(f"--{name}", f"-{name}", help=text, **settings)

    def expected_diagnostics(self, accepted: Sequence[str] = ()) -> None:
        """Whether the input says what is wrong with it."""
        text = "hold diagnostics against the 'expected-...' comments of the input"
        self.kind("verify-diagnostics", text, ["all", "only-expected"], accepted)

    def files(self) -> None:
        """Where results go, and how an input consists of parts."""
        self.add("-o", metavar="FILE", dest="output", default="-", help="where to write; -: to standard output")
        self.flag(
            "split-input-file",
            f"treat the parts between markers, '{MARKER}' unless another one is given, one by one",
            nargs="?",
            const=MARKER,
            metavar="MARKER",
        )
        self.flag("output-split-marker", "the marker between the results", default=MARKER, metavar="MARKER")

    def kind(self, name: str, text: str, kinds: Sequence[str], accepted: Sequence[str] = ()) -> None:
        """One of several kinds, the first if only the flag is given; no help shows the ones `accepted` besides."""
        metavar = "|".join(kinds)
        self.flag(name, text, nargs="?", choices=(*accepted, *kinds), const=kinds[0], metavar=metavar)

    def each(self, name: str, text: str, metavar: str) -> None:
        """Given any number of times."""
        self.flag(name, text, metavar=metavar, action="append", default=[])

    def switch(self, name: str, text: str, *, default: bool | None = False) -> None:
        """On or off: ``--name`` or ``--name=false``."""
        self.flag(name, text, nargs="?", const="true", default=default, type=_boolean, metavar="BOOL")


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false", "1", "0"):
        raise argparse.ArgumentTypeError(f"'{text}' is no boolean")
    return text.lower() in ("true", "1")


def _colour(text: str) -> bool | None:
    """None leaves it to what is written to; upstream's tools take a boolean, others these words."""
    words = {"auto": None, "always": True, "never": False}
    return words[text.lower()] if text.lower() in words else _boolean(text)


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number")
    return int(text)


def _off(text: str) -> bool:
    if _boolean(text):
        raise argparse.ArgumentTypeError("only 'false' is supported")
    return False


def _input_and_output(group: Group) -> None:
    group.files()
    group.switch("allow-unregistered-dialect", "accept ops of dialects that nobody knows")
    group.flag("irdl-file", "load the dialects that this file defines in IRDL first", metavar="FILE")
    plugin = "import this Python module (or file), which registers dialects by sdy.register_dialect"
    group.each("load-dialect-plugin", plugin, "MODULE")
    group.switch("no-implicit-module", "put no module around what the input has at its top level")
    group.switch("emit-bytecode", "write MLIR bytecode")
    group.flag("emit-bytecode-version", "... of this version", type=_natural, metavar="N")
    group.flag("emit-sdy-version", "... with sdy as in 0.0.0, 0.0.1 or 0.0.2; what that lacks is refused", metavar="V")


def _passes(group: Group) -> None:
    group.flag("pass-pipeline", "passes as text: 'builtin.module(sdy-a,func.func(sdy-b{opt=val}))'", metavar="TEXT")
    plugin = "import this Python module (or file), which declares passes, pipelines, rules or lowerings"
    group.each("load-pass-plugin", plugin, "MODULE")
    group.switch("dump-pass-pipeline", "print the passes that will run, to standard error")
    group.switch("no-verify", "do not verify the module after parsing and after each pass")
    group.switch("verify-each", "verify the module after parsing and after each pass", default=True)
    group.switch("strict-documents", "refuse in the input what the documents on sdy forbid and the C++ dialect takes")
    group.switch("verify-roundtrip", "fail if the module, printed or as bytecode, is not read as the same module")
    group.flag(
        "mlir-pass-pipeline-crash-reproducer", "if a pass fails, write the module and the passes to it", metavar="FILE"
    )
    group.switch("mlir-pass-pipeline-local-reproducer", "... as the failing pass found the module, with that pass only")
    group.flag("mlir-generate-reproducer", "write the module and the passes to it, whatever happens", metavar="FILE")
    group.switch("run-reproducer", "run the passes that the input, such a file, says")
    group.switch("mlir-disable-threading", "accepted; passes run in one thread anyway")


def _diagnostics(group: Group) -> None:
    group.expected_diagnostics(accepted=[""])
    group.flag(
        "color",
        "colour diagnostics; auto: on terminals, unless NO_COLOR is set",
        nargs="?",
        const="always",
        type=_colour,
        metavar="auto|always|never",
    )
    group.flag(
        "mlir-print-op-on-diagnostic",
        "accepted; diagnostics never show the op",
        type=_off,
        default=False,
        metavar="false",
    )


def _printing(group: Group) -> None:
    group.switch("mlir-print-op-generic", "print the generic form")
    group.switch(
        "mlir-print-irdl", "print the generic form that upstream tools read with --irdl-file=dialect/sdy.irdl.mlir"
    )
    group.switch("mlir-print-debuginfo", "print locations")
    group.switch("mlir-pretty-debuginfo", "print locations for a reader; tools cannot parse them")
    group.switch("mlir-print-local-scope", "print without aliases")
    group.switch("mlir-print-skip-regions", "print '{...}' in place of regions")
    group.switch("mlir-print-value-users", "say behind each op, and of each block argument, who uses its results")
    group.switch("mlir-print-unique-ssa-ids", "number values over the whole module, not anew in each function")
    group.switch("mlir-use-nameloc-as-prefix", "name values after the names in their locations")
    group.flag("mlir-elide-elementsattrs-if-larger", "leave out constants of more elements", type=_natural, metavar="N")
    group.flag(
        "mlir-elide-resource-strings-if-larger", "leave out resources of longer text", type=_natural, metavar="N"
    )


def _observation(group: Group) -> None:
    group.switch("mlir-print-ir-before-all", "print the module before each pass, to standard error")
    group.switch("mlir-print-ir-after-all", "print the module after each pass, to standard error")
    for when in ("before", "after"):
        name = f"mlir-print-ir-{when}"
        group.each(name, f"... {when} these passes", "PASS,...")
    group.switch("mlir-print-ir-after-change", "... after passes only if they changed it")
    group.switch("mlir-print-ir-after-failure", "... after passes only if they failed")
    group.switch("mlir-print-ir-module-scope", "... the whole module, of passes on functions as well")
    group.flag("mlir-print-ir-tree-dir", "... into files below this directory", metavar="DIRECTORY", default="")
    group.switch("debug-patterns", "say, as a remark at the op, why a pattern of a pattern set does not match it")
    group.switch("mlir-timing", "print how long reading, each pass and writing took, to standard error")
    group.flag("mlir-timing-display", "in order, or the longest first", choices=("tree", "list"), default="tree")
    group.switch("mlir-pass-statistics", "print what each pass made, erased and sharded, to standard error")
    group.flag(
        "mlir-pass-statistics-display",
        "in order, or summed up by pass",
        choices=("list", "pipeline"),
        default="pipeline",
    )
    group.flag("mlir-output-format", "how times are printed", choices=("text", "json"), default="text")
    report = "print what the module communicates after the passes, to standard error"
    group.kind("sdy-report-communication", report, ["table", "json"])
    group.flag(
        "sdy-machine",
        "... and how long that takes on this machine: 'flops=2e14 bandwidth=5e10', an example machine, or a JSON file",
        metavar="MACHINE",
    )
    group.flag(
        "sdy-trace",
        "write the timeline of a step of the module after the passes on that machine, for Perfetto",
        metavar="FILE",
    )
    group.flag(
        "sdy-explain",
        "print why propagation shards a value as it does, given the module after the passes, to standard error: "
        "all, argument:N, result:N, %%NAME (of another function than main: @FUNCTION:...), or [FILE:]LINE[:COLUMN]",
        metavar="VALUE",
    )


def _information(group: Group) -> None:
    group.flag("help", "show this text, or what a pass does and takes", nargs="?", const="", metavar="PASS")
    group.add("-h", nargs="?", const="", dest="help", help=argparse.SUPPRESS)
    group.flag("version", "show the version", action="store_true")
    group.flag("list-passes", "list the passes and pipelines", action="store_true")
    group.flag("show-dialects", "list the dialects", action="store_true")
    group.flag("print-completion", "print what completes command lines in this shell", choices=SHELLS)
