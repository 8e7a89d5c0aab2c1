"""Diagnostics on the terminal: one line each, with the source line and a caret where a person reads them."""

from __future__ import annotations

import dataclasses
import sys
from typing import TextIO

from sdy.mlir.diagnostics import UNKNOWN, Diagnostic, Position


def named(diagnostic: Diagnostic, filename: str) -> Diagnostic:
    """The diagnostic with the name of the file in place of ``-``, which stands for the parsed text."""
    position = diagnostic.position
    if position.file == "-":
        position = dataclasses.replace(position, file=filename)
    notes = tuple(named(note, filename) for note in diagnostic.notes)
    return dataclasses.replace(diagnostic, position=position, notes=notes)


def placed(diagnostic: Diagnostic, filename: str) -> Diagnostic:
    """The diagnostic, for a person: one about what has no place is about the file."""
    if diagnostic.position != UNKNOWN:
        return diagnostic
    return dataclasses.replace(diagnostic, position=Position.start(filename))


def report(diagnostic: Diagnostic, source: str | None = None, stream: TextIO | None = None) -> None:
    """Prints a diagnostic and its notes; on a terminal with the line of `source` that it is about."""
    out = stream or sys.stderr
    position = diagnostic.position
    print(f"{position}: {diagnostic.severity.value}: {diagnostic.message}", file=out)
    if source is not None and position.line and out.isatty():
        lines = source.splitlines()
        if position.line <= len(lines):
            print(lines[position.line - 1], file=out)
            print(" " * (position.column - 1) + "^", file=out)
    for note in diagnostic.notes:
        report(note, source, out)
