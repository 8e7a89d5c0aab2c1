"""`--print-completion`: scripts for shell completion, by shtab (the extra `completion`)."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from sdy import __version__
from sdy.passes.registry import passes, pipelines
from sdy.tools.flags import SHELLS, UsageError, parser
from sdy.tools.opt.pass_help import summary_of

_FILES = ("FILE", "OTHER", "OUT", "PLAN", "X.npz", "Y.npz")
"""Placeholder of a file in help texts."""


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell: the flags and their values, files where a value is a file.

    Raises:
      UsageError: shtab is not installed, or too old for the shell.
    """
    try:
        shtab = importlib.import_module("shtab")
    except ModuleNotFoundError:
        raise UsageError("argument --print-completion: needs shtab: pip install 'sdy[completion]'") from None
    if shell not in shtab.SUPPORTED_SHELLS:
        raise UsageError(f"argument --print-completion: shtab {shtab.__version__} knows {', '.join(SHELLS[:3])} only")
    for action in parser._actions:
        if action.metavar in _FILES:
            setattr(action, "complete", shtab.FILE)  # noqa: B010 - what shtab reads
    return shtab.complete(parser, shell)


class PrintCompletion(argparse.Action):
    """Print the completion script for a shell and exit, with any other flags."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Print the script and stop."""
        sys.stdout.write(f"{completion(parser, str(values))}\n")
        parser.exit()


def add_information(parser: argparse.ArgumentParser) -> None:
    """Gives a tool `--version` and `--print-completion`."""
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}", help="print the version")
    text = "print the completion script of a shell"
    parser.add_argument("--print-completion", action=PrintCompletion, choices=SHELLS, help=text)


def opt_completion(shell: str) -> str:
    """Return the script for a shell: the flags and their values, the passes, files where a value is a file.

    Raises:
      UsageError: shtab is not installed, or too old for the shell.
    """
    result = parser()
    names = {option for action in result._actions for option in action.option_strings}
    for each in (*passes().values(), *pipelines().values()):
        if f"--{each.name}" not in names:
            result.add_argument(f"--{each.name}", action="store_true", help=summary_of(each).replace("%", "%%"))
    return completion(result, shell)
