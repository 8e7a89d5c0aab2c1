"""Hints for syntax that the documents on the dialect show and the parser does not read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from sdy.dialect.assembly.positions import Positions
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors


class _Hint(NamedTuple):
    """Expressions for a message, for the last text in front of its place, and for what is there; what was meant."""

    message: str
    before: str
    there: str
    meant: str


_HINTS = (
    _Hint("expected operation name in quotes", "", r"(?P<name>@[\w$.-]+)\s*=\s*<", "sdy.mesh {name} = <"),
    _Hint("cannot name an operation with no results", "", r"%[\w$.-]+\s*=\s*(?P<op>\w[^\n]{1,100})", "{op}"),
    _Hint("expected 'group_id'", "", r",\s*id\s*=\s*(?P<id>\d+)", "group_id={id}"),
    _Hint("expected SSA operand", r"(?P<op>[\w$]+\.[\w$.]+)\s*\Z", r"\(\s*(?P<values>[^()\n]+?)\s*\)", "{op} {values}"),
    _Hint(r"expected ',' or '\]'", "", r"\\\]", "]"),
    _Hint(r"custom op '(?P<op>func|return|call)' is unknown", "", "", "func.{op}"),
    _Hint(
        "op 'return' lacks the name of its dialect",
        r"\b(?P<dialect>sdy|hlo_async)\.(?:manual_computation|named_computation|start|update)\b",
        "",
        "{dialect}.return",
    ),
)


def with_hints(errors: DiagnosticErrors, text: str) -> DiagnosticErrors:
    """The errors; the messages of mistakes that are known end with what was meant."""
    return DiagnosticErrors([_with_hint(each, text) for each in errors.diagnostics])


def _with_hint(error: Diagnostic, text: str) -> Diagnostic:
    place = None
    for hint in _HINTS:
        said = re.match(hint.message, error.message)
        if said is None or not error.position.line:
            continue
        if place is None:
            place = Positions(text, ()).offset(error.position.line, error.position.column)
        *_, before = [None, *re.finditer(hint.before or r"\Z", text[:place])]
        there = re.match(rf"\s*{hint.there}", text[place:])
        if before and there:
            meant = hint.meant.format(**said.groupdict(), **before.groupdict(), **there.groupdict())
            return replace(error, message=f"{error.message}, did you mean '{meant}'?")
    return error
