"""Makes a program smaller as long as something about it stays true."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

_RESULT = re.compile(r"^\s*(%[\w#]+)(?::(\d+))? = ")
_ATTRIBUTES = [
    re.compile(r" \{sdy\.sharding = #sdy\.sharding(?:_per_value)?<[^{}]*(?:\{[^{}]*\}[^{}]*)*>\}"),
    re.compile(r"(?:, )?\?(?=\})"),
    re.compile(r"(?<=\})p\d+"),
    re.compile(r", replicated=\{[^}]*\}"),
    re.compile(r'(?<=\{)"[^}]*(?=\})'),
]


def reduced(text: str, keeps: Callable[[str], bool], seconds: float) -> str:
    """A smaller text for which `keeps` still holds; the best that was found in that time.

    The text is a module as MLIR prints it, one op per line. Tried are: an op and what is nested in it removed (its
    results replaced by other values), a function's results and arguments removed, sharding attributes removed. `keeps`
    sees invalid modules too and has to refuse them.
    """
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in _candidates(text):
            if time.monotonic() > end:
                break
            if len(candidate) < len(text) and keeps(candidate):
                text, progress = candidate, True
                break
    return text


def _candidates(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for start in range(len(lines) - 2, 0, -1):
        end = _end(lines, start)
        rest = lines[:start] + lines[end:]
        yield "\n".join(rest)
        match = _RESULT.match(lines[start])
        if match:
            yield from _replaced(rest, match[1], start)
    yield from _without_results(text)
    yield from _without_arguments(text)
    for pattern in _ATTRIBUTES:
        for match in pattern.finditer(text):
            yield text[: match.start()] + text[match.end() :]


def _end(lines: list[str], start: int) -> int:
    """The line behind the op that starts at `start`, with its regions."""
    depth = _depth(lines[start])
    end = start + 1
    if not lines[start].rstrip().endswith("{"):
        return end
    while end < len(lines) and (_depth(lines[end]) > depth or lines[end].lstrip().startswith(("}", "cond", "do"))):
        end += 1
        if _depth(lines[end - 1]) == depth and not lines[end - 1].rstrip().endswith("{"):
            break
    return end


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _replaced(rest: list[str], name: str, start: int) -> Iterator[str]:
    """The program with the uses of a removed result replaced by a value from before; types decide which fits."""
    pattern = re.compile(re.escape(name) + r"(?:#\d+)?(?![\w#])")
    if not any(pattern.search(line) for line in rest[start:]):
        return
    before = dict.fromkeys(re.findall(r"%[\w]+(?=:| = )", "\n".join(rest[:start])))
    for other in list(before)[-12:]:
        yield "\n".join(rest[:start] + [pattern.sub(other, line) for line in rest[start:]])


def _without_results(text: str) -> Iterator[str]:
    """The program with a function that returns nothing."""
    for match in re.finditer(r"(func\.func [^\n]*?\)) -> [^\n]*? \{\n", text):
        end = text.find("\n  }", match.end())
        last = text.rfind("    return", match.end(), end)
        if last >= 0:
            yield f"{text[: match.start()]}{match[1]} {{\n{text[match.end() : last]}    return{text[end:]}"


def _without_arguments(text: str) -> Iterator[str]:
    """The program without one argument of a function."""
    for match in re.finditer(r"func\.func [^\n(]*\(([^\n]*?)\)(?= ->| \{\n)", text):
        pieces = re.split(r", (?=%)", match[1])
        for position in range(len(pieces)):
            kept = ", ".join(pieces[:position] + pieces[position + 1 :])
            yield text[: match.start(1)] + kept + text[match.end(1) :]
