"""The flags of `sdy-hlo`: their names, kinds and help."""

from __future__ import annotations

import argparse

from sdy.tools.completion import PrintCompletion
from sdy.tools.flags import SHELLS, Group, Parser


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


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return int(text)


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
    group.flag("updates", "number of updates of each of these", type=_natural, default=0, metavar="N")
    group.flag("thread", "thread that executes these", default="main", metavar="NAME")


def _information(group: Group) -> None:
    _switch(group, "help", "show this text")
    group.add("-h", dest="help", action="store_true", help=argparse.SUPPRESS)
    _switch(group, "version", "show the version")
    text = "print the completion script of a shell"
    group.add("--print-completion", action=PrintCompletion, choices=SHELLS, help=text)
