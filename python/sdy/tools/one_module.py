"""Tools that work on the one module that their command line names."""

from __future__ import annotations

from collections.abc import Callable

from sdy.mlir.diagnostics import DiagnosticError
from sdy.tools.diagnostics_output import report_error
from sdy.tools.files import name_of, read_text


def on_module(path: str, work: Callable[[str, str], int]) -> int:
    """Runs `work` on the text of a file and its name in diagnostics; returns its exit code, or 1 after a diagnostic.

    Raises `UsageError` if there is no text to read.
    """
    filename, text = name_of(path), read_text(path)
    try:
        return work(text, filename)
    except DiagnosticError as error:
        report_error(error, filename, text)
        return 1
