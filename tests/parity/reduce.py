"""Makes a program smaller as long as something about it stays true."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

Keeps = Callable[[str], bool]

_RESULT = re.compile(r"^\s*(%[\w]+)(?::\d+)? = ")
_FUNCTION = re.compile(r"func\.func [^\n(]*\(([^\n]*?)\)(?: -> ([^\n]*?))? \{\n")
_SHARDING = re.compile(r" \{sdy\.sharding = #sdy\.sharding(?:_per_value)?<[^{}]*(?:\{[^{}]*\}[^{}]*)*>\}")
_DETAILS = [
    re.compile(r"(?:, )?\?(?=\})"),
    re.compile(r"(?<=\})p\d+"),
    re.compile(r", replicated=\{[^}]*\}"),
    re.compile(r'(?<=\{)"[^}]*(?=\})'),
    re.compile(r" \{stablehlo\.mesh = [^\n]*\}(?=\n)"),
]


def reduced(text: str, keeps: Keeps, seconds: float) -> str:
    """A smaller text for which `keeps` still holds; the best that was found in that time.

    The text is a module as MLIR prints it, one op per line. Tried are: an op and what is nested in it removed (its
    results replaced by other values), functions, their results and arguments removed, attributes removed. `keeps` sees
    invalid modules too and has to refuse them.
    """
    reducer = _Reducer(text, keeps, time.monotonic() + seconds)
    before = ""
    while before != reducer.text and not reducer.is_late:
        before = reducer.text
        reducer.functions()
        reducer.ops()
        reducer.arguments()
        reducer.attributes()
    return reducer.text


class _Reducer:
    """The smallest text so far. Each method makes one sweep over it, and goes on where a removal was possible."""

    def __init__(self, text: str, keeps: Keeps, end: float) -> None:
        self.text = text
        self._keeps = keeps
        self._end = end

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self._end

    def attempt(self, candidate: str) -> bool:
        if self.is_late or len(candidate) >= len(self.text) or not self._keeps(candidate):
            return False
        self.text = candidate
        return True

    def functions(self) -> None:
        """Whole functions, then all results of each."""
        lines = self.text.split("\n")
        for start in range(len(lines) - 1, -1, -1):
            if lines[start].startswith("  func.func"):
                lines = self.text.split("\n")
                self.attempt("\n".join(lines[:start] + lines[_end(lines, start) :]))
        for match in reversed(list(_FUNCTION.finditer(self.text))):
            end = self.text.find("\n  }", match.end())
            last = self.text.rfind("    return", match.end(), end)
            if match[2] and last >= 0:
                head = self.text[: match.end(1)] + ") {\n"
                self.attempt(f"{head}{self.text[match.end() : last]}    return{self.text[end:]}")

    def ops(self) -> None:
        """Ops from the last to the first; the uses of a removed one get a value from before, types allowing."""
        start = self.text.count("\n")
        while start > 0 and not self.is_late:
            start -= 1
            lines = self.text.split("\n")
            rest = lines[:start] + lines[_end(lines, start) :]
            if self.attempt("\n".join(rest)):
                continue
            match = _RESULT.match(lines[start])
            if match:
                any(self.attempt(candidate) for candidate in _replaced(rest, match[1], start))

    def arguments(self) -> None:
        """Arguments of functions."""
        for number in range(len(list(_FUNCTION.finditer(self.text)))):
            position = 0
            while True:
                match = list(_FUNCTION.finditer(self.text))[number]
                pieces = re.split(r", (?=%)", match[1])
                if position >= len(pieces) or self.is_late:
                    break
                kept = ", ".join(pieces[:position] + pieces[position + 1 :])
                if not self.attempt(self.text[: match.start(1)] + kept + self.text[match.end(1) :]):
                    position += 1

    def attributes(self) -> None:
        """Shardings, then parts of them."""
        for pattern in (_SHARDING, *_DETAILS):
            for match in reversed(list(pattern.finditer(self.text))):
                self.attempt(self.text[: match.start()] + self.text[match.end() :])


def _end(lines: list[str], start: int) -> int:
    """The line behind the op that starts at `start`, with its regions."""
    depth = _depth(lines[start])
    end = start + 1
    if not lines[start].rstrip().endswith("{") and not lines[start].rstrip().endswith("}>"):
        following = lines[end] if end < len(lines) else ""
        if not following.lstrip().startswith("cond {"):
            return end
    while end < len(lines):
        line = lines[end]
        if _depth(line) < depth or (_depth(line) == depth and not line.lstrip().startswith(("}", "cond {"))):
            return end
        end += 1
        if _depth(line) == depth and line.lstrip().startswith("}") and not line.rstrip().endswith("{"):
            return end
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
