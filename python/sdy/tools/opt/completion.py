"""`--print-completion`: what makes a shell complete command lines, by shtab (the extra `completion`)."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping

from sdy.passes.registry import passes, pipelines
from sdy.tools.flags import UsageError, parser

_FILES = ("file", "output", "irdl_file", "sdy_trace", "mlir_pass_pipeline_crash_reproducer", "mlir_generate_reproducer")


def completion(shell: str) -> str:
    """The script for a shell: the flags and their values, the passes, files where there are files.

    Raises:
      UsageError: shtab is not installed.
    """
    try:
        shtab = importlib.import_module("shtab")
    except ModuleNotFoundError:
        raise UsageError("argument --print-completion: needs shtab: pip install 'sdy[completion]'") from None
    return shtab.complete(_complete_parser(shtab.FILE), shell)


def _complete_parser(files: Mapping[str, str]) -> argparse.ArgumentParser:
    """The flags, and the passes as flags."""
    result = parser()
    for action in result._actions:
        if action.dest in _FILES:
            setattr(action, "complete", files)  # noqa: B010 - what shtab reads
    names = {option for action in result._actions for option in action.option_strings}
    for each in (*passes().values(), *pipelines().values()):
        if f"--{each.name}" not in names:
            result.add_argument(f"--{each.name}", action="store_true", help=each.summary.replace("%", "%%"))
    return result
