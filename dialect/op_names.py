"""What ops are called in tables for people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sdy.dialect.values.axes import unquote
from sdy.mlir.diagnostics import Position, location_parts

_PLACE = re.compile(r".*:\d+:\d+", re.DOTALL)

_NUMBER = re.compile(r"sdy#\d+")
"""What a report calls an op of a copy, to find it again; no name of the user's."""


def op_name(location: Any) -> str:
    """What a location says for people: the name that the frontend gave the op, else ``file:line:col``."""
    parts = list(location_parts(location))
    names = names_in(parts)
    if names:
        return _readable(outermost(names))
    position = next((part for part in parts if isinstance(part, Position)), None)
    return "unknown" if position is None else f"{_readable(position.file)}:{position.line}:{position.column}"


def names_in(parts: Iterable[str | Position]) -> list[str]:
    """The names that a frontend gave, among the parts of a location."""
    return [part for part in parts if isinstance(part, str) and not _NUMBER.fullmatch(part)]


def outermost(names: list[str]) -> str:
    """The first name of a location that is one: JAX puts the kind of op, ``tanh:``, around that of what it lowers."""
    return next((name for name in names if not name.endswith(":")), names[0])


def frontend_name(location: Any) -> str:
    """The name that the frontend gave the op, with the scopes around it; empty if there is none."""
    name = op_name(location)
    return "" if name == "unknown" or _PLACE.fullmatch(name) else name


def _readable(quoted: str) -> str:
    """The text in the quotes, with escapes only if it holds what cannot be printed."""
    text = unquote(quoted)
    return text if text.isprintable() else quoted
