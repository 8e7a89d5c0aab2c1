"""`--verify-diagnostics`: compares the diagnostics of a run with the expectations in comments of the input.

    // expected-error @+1 {{no mesh named}}
    // expected-warning-re@below 2 {{unknown op {{[a-z]+}}}}

After `expected-error`, `-warning`, `-note` or `-remark` come, all optional: `-re`, a line (`@+n`, `@-n`, `@above`,
`@below`, `@unknown`; by default the comment's own), and an expected count, by default any number but none. The text
from the first double brace to the last has to occur in the message; with `-re`, the parts in double braces inside of it
are regular expressions.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator, Sequence

from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import Diagnostic, Severity

_START = re.compile(r"expected-(?:error|note|remark|warning)")
_EXPECTED = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)?\s*"
    r"(?P<line>@(?:[+-]\d+|above|below|unknown))?\s*(?P<count>\d+)?\s*\{\{(?P<text>.*)\}\}"
)
_POSIX_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9a-fA-F",
    "space": r"\s",
    "blank": r" \t",
}


class _BadPattern(ValueError):
    """A malformed expectation; the message says why."""


@dataclass(slots=True)
class Expectation:
    """Expected diagnostics; `line` is None for ones without a position, `count` for any number of them."""

    kind: Severity
    line: int | None
    pattern: re.Pattern[str]
    text: str
    count: int | None
    stated_at: str
    found: int = 0

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Return whether a diagnostic is the expected one."""
        return (
            diagnostic.severity is self.kind
            and (diagnostic.position.line or None) == self.line
            and self.pattern.search(diagnostic.message) is not None
        )

    @property
    def is_met(self) -> bool:
        """Return whether enough diagnostics were found."""
        return self.found >= (1 if self.count is None else self.count)

    @property
    def takes_more(self) -> bool:
        """Return whether another diagnostic may match."""
        return self.count is None or not self.is_met

    def problem(self) -> str:
        """Message if it is not met."""
        times = f" ({self.found} of {self.count})" if self.found else ""
        return f'{self.stated_at}: error: expected {self.kind.value} "{self.text}" was not produced{times}'


def report_mismatches(text: str, diagnostics: Sequence[Diagnostic], filename: str, kind: str) -> bool:
    """Print a line for each mismatch, by the value of `--verify-diagnostics`; return whether there is none."""
    problems = compare(text, diagnostics, filename, only_expected=kind == "only-expected")
    for problem in problems:
        print(problem, file=sys.stderr)
    return not problems


def compare(text: str, diagnostics: Sequence[Diagnostic], filename: str, *, only_expected: bool = False) -> list[str]:
    """Return a line for each mismatch; nothing if all expectations hold.

    With `only_expected` additional diagnostics are allowed.
    """
    expected, problems = _expectations(text, filename)
    for diagnostic in _flat(diagnostics):
        # One that is not met yet goes first, so that a line may state the same twice.
        fitting = sorted((each for each in expected if each.matches(diagnostic)), key=lambda each: each.is_met)
        if fitting and fitting[0].takes_more:
            fitting[0].found += 1
        elif not only_expected:
            kind = diagnostic.severity.value
            problems.append(f"{diagnostic.position}: error: unexpected {kind}: {diagnostic.message}")
    return problems + [each.problem() for each in expected if not each.is_met]


def _expectations(text: str, filename: str) -> tuple[list[Expectation], list[str]]:
    """Return the expected diagnostics in comments of `text`, and errors in those comments."""
    found: list[Expectation] = []
    problems: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _matches(line):
            place = f"{filename}:{number}:{match.start() + 1}"
            try:
                found.append(_expectation(match, number, place))
            except _BadPattern as error:
                problems.append(f"{place}: error: {error}")
    return found, problems


def _matches(line: str) -> Iterator[re.Match[str]]:
    """Return the expectations of a line; each ends where the next one starts."""
    starts = [match.start() for match in _START.finditer(line)] if "expected-" in line else []
    for start, end in itertools.pairwise([*starts, len(line)]):
        match = _EXPECTED.match(line, start, end)
        if match is not None:
            yield match


def _expectation(match: re.Match[str], number: int, place: str) -> Expectation:
    where = match["line"]
    line: int | None = number
    if where == "@unknown":
        line = None
    elif where in ("@above", "@below"):
        line = number + (1 if where == "@below" else -1)
    elif where:
        line = number + int(where[1:])
    pattern = _regex(match["text"]) if match["regex"] else re.compile(re.escape(match["text"]))
    count = int(match["count"]) if match["count"] else None
    return Expectation(Severity(match["kind"]), line, pattern, match["text"], count, place)


def _regex(text: str) -> re.Pattern[str]:
    """The pattern of a text with regular expressions in double braces."""
    pattern = ""
    while True:
        plain, opening, rest = text.partition("{{")
        pattern += re.escape(plain)
        if not opening:
            break
        regex, closing, text = rest.partition("}}")
        if not closing:
            raise _BadPattern("found start of regex with no end '}}'")
        pattern += f"(?:{_python_regex(regex)})"
    return re.compile(pattern)


def _python_regex(regex: str) -> str:
    """A regular expression as upstream's tool takes it, in Python's language."""
    for name, characters in _POSIX_CLASSES.items():
        regex = regex.replace(f"[:{name}:]", characters)
    try:
        re.compile(regex)
    except re.error as error:
        raise _BadPattern(f"invalid regex: {error}") from None
    return regex


def _flat(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from diagnostic.notes
