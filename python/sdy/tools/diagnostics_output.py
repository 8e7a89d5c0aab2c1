"""Diagnostics on the terminal: one line each, with the source line and a caret."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
from typing import TextIO

from sdy.mlir.diagnostics import UNKNOWN, Diagnostic, DiagnosticError, Position, Severity

LONGEST_LINE = 1000
"""Characters of a source line that are printed: constants may be megabytes long."""


def named(diagnostic: Diagnostic, filename: str) -> Diagnostic:
    """Return the diagnostic with the name of the file in place of ``-``, which stands for the parsed text."""
    position = diagnostic.position
    if position.file == "-":
        position = dataclasses.replace(position, file=filename)
    notes = tuple(named(note, filename) for note in diagnostic.notes)
    return dataclasses.replace(diagnostic, position=position, notes=notes)


def placed(diagnostic: Diagnostic, filename: str) -> Diagnostic:
    """Return the diagnostic for a person: without a place, it is about the file."""
    if diagnostic.position != UNKNOWN:
        return diagnostic
    return dataclasses.replace(diagnostic, position=Position.start(filename))


def report(
    diagnostic: Diagnostic,
    source: str | None = None,
    filename: str | None = None,
    stream: TextIO | None = None,
    *,
    color: bool | None = None,
) -> None:
    """Print a diagnostic and its notes, each with its source line and a caret, as upstream's tools do.

    Args:
      diagnostic: the diagnostic to print.
      source: the text of the input; without it no lines are shown.
      filename: name of the input in diagnostics. Lines of other files, which locations may name, are not shown.
      stream: where to print; standard error by default.
      color: whether to use colours; None: on terminals, unless NO_COLOR is set (https://no-color.org).
    """
    out = stream or sys.stderr
    position, severity = diagnostic.position, diagnostic.severity
    is_colored = out.isatty() and not os.environ.get("NO_COLOR") if color is None else color

    def styled(text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if is_colored else text

    kind = styled(f"{severity.value}:", _STYLES[severity])
    print(f"{styled(f'{position}:', _BOLD)} {kind} {styled(diagnostic.message, _BOLD)}", file=out)
    if source is not None and position.line and filename in (None, position.file):
        line = _line(source, position.line)
        if line:
            # Tabs stay, so that the caret stands below its column whatever a tab is worth.
            before = re.sub(r"[^\t]", " ", line[: max(position.column - 1, 0)])
            print(line, before + styled("^", _CARET), sep="\n", file=out)
    for note in diagnostic.notes:
        report(note, source, filename, out, color=color)


def _line(source: str, number: int) -> str:
    """Return a line of the source without its end, cut if it is very long; nothing if there is no such line."""
    lines = source.split("\n", number)
    return lines[number - 1].rstrip("\r")[:LONGEST_LINE] if number <= len(lines) else ""


def report_error(error: DiagnosticError, filename: str, source: str) -> None:
    """Print the diagnostics about the text of a file."""
    for diagnostic in error.diagnostics:
        report(placed(named(diagnostic, filename), filename), source, filename)


_BOLD, _CARET = "1", "1;32"
_STYLES = {Severity.ERROR: "1;31", Severity.WARNING: "1;35", Severity.REMARK: "1;34", Severity.NOTE: "1;36"}
"""Clang's colours, as numbers of ANSI's escapes."""
