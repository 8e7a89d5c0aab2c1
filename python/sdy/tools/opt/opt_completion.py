"""Completion of command lines of `sdy-opt`, whose passes are flags, too."""

from __future__ import annotations

from sdy.passes.registry import passes, pipelines
from sdy.tools.completion import completion
from sdy.tools.flags import parser


def opt_completion(shell: str) -> str:
    """The script for a shell: the flags and their values, the passes, files where there are files.

    Raises:
      UsageError: shtab is not installed, or too old for the shell.
    """
    result = parser()
    names = {option for action in result._actions for option in action.option_strings}
    for each in (*passes().values(), *pipelines().values()):
        if f"--{each.name}" not in names:
            result.add_argument(f"--{each.name}", action="store_true", help=each.summary.replace("%", "%%"))
    return completion(result, shell)
