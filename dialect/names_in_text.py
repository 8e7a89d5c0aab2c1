"""What the user's text calls a value, where the printed module has another name for it.

Names are not kept by the parser, but places are: that of an argument is where its name stands, that of an op where the
name of the op does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_RESULTS = re.compile(r"(?:[ \t]*,[ \t]*%[\w$.\-]+(?::\d+)?)*[ \t]*=[ \t]*(?=[\w\"])")
_RESULT = re.compile(r"(%[\w$.\-]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined: `line` and `column` from 1, of an argument, or of an op, of which it names `results`."""

    line: int
    column: int
    results: range | None


def definitions(text: str, name: str) -> Iterator[Definition]:
    """Wherever the text may define `name`; a place in a comment or a string is none of any value."""
    for found in re.finditer(rf"{re.escape(name)}(?![\w$.\-])", text):
        line_start = text.rfind("\n", 0, found.start()) + 1
        line = text.count("\n", 0, line_start) + 1
        rest = _RESULTS.match(text, found.end()) or _RESULTS.match(text, _behind_count(text, found.end()))
        if rest is None:
            yield Definition(line, found.start() - line_start + 1, None)
        else:
            left = text[line_start : rest.end()]
            yield Definition(line, rest.end() - line_start + 1, _numbers(left, name))


def _behind_count(text: str, position: int) -> int:
    """Behind the ``:2`` of a name that stands for several results."""
    count = re.compile(r":\d+").match(text, position)
    return position if count is None else count.end()


def _numbers(left: str, name: str) -> range:
    """Which results `name` is among those to the left of a ``=``."""
    number = 0
    for found in _RESULT.finditer(left):
        count = int(found[2] or 1)
        if found[1] == name:
            return range(number, number + count)
        number += count
    return range(0)
