"""`--verify-diagnostics`: holds the diagnostics of a run against what comments in the input expect.

    // expected-error @+1 {{no mesh named}}
    // expected-warning-re@below 2 {{unknown op {{[a-z]+}}}}

After `expected-error`, `-warning`, `-note` or `-remark` come, all optional: `-re`, a line (`@+n`, `@-n`, `@above`,
`@below`, `@unknown`; without one the comment's own), and how many are expected. The text in braces has to occur in the
message; with `-re`, what stands in double braces inside of it is a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sdy.dialect.diagnostics import Diagnostic, Severity

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)?\s*"
    r"(?P<line>@(?:[+-]\d+|above|below|unknown))?\s*(?P<count>\d+)?\s*\{\{(?P<text>.*?)\}\}\s*$"
)
_PLAIN = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)?\s*"
    r"(?P<line>@(?:[+-]\d+|above|below|unknown))?\s*(?P<count>\d+)?\s*\{\{(?P<text>.*?)\}\}"
)


@dataclass(slots=True)
class Expectation:
    """One expected diagnostic; `line` is None for one without a place."""

    kind: Severity
    line: int | None
    pattern: re.Pattern[str]
    text: str
    stated_at: int

    def matches(self, diagnostic: Diagnostic) -> bool:
        return (
            diagnostic.severity is self.kind
            and (diagnostic.position.line or None) == self.line
            and self.pattern.search(diagnostic.message) is not None
        )


def expectations(text: str) -> list[Expectation]:
    """All expectations that the comments of `text` state."""
    found: list[Expectation] = []
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _matches(line):
            found += _expectation(match, number) * int(match["count"] or 1)
    return found


def _matches(line: str) -> Iterator[re.Match[str]]:
    if "expected-" not in line:
        return
    # A regular expression in double braces may end in the same braces as the text, so the longest match is tried first.
    whole = _EXPECTED.search(line) if "-re" in line else None
    if whole is not None:
        yield whole
    else:
        yield from _PLAIN.finditer(line)


def _expectation(match: re.Match[str], number: int) -> list[Expectation]:
    where = match["line"]
    line: int | None = number
    if where == "@unknown":
        line = None
    elif where in ("@above", "@below"):
        line = number + (1 if where == "@below" else -1)
    elif where:
        line = number + int(where[1:])
    pattern = _regex(match["text"]) if match["regex"] else re.compile(re.escape(match["text"]))
    return [Expectation(Severity(match["kind"]), line, pattern, match["text"], number)]


def _regex(text: str) -> re.Pattern[str]:
    """The pattern of a text with regular expressions in double braces."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(part if index % 2 else re.escape(part) for index, part in enumerate(parts)))


def compare(text: str, diagnostics: Sequence[Diagnostic], filename: str, *, only_expected: bool = False) -> list[str]:
    """What does not agree, one line each; nothing if all is as expected.

    With `only_expected` there may be more diagnostics than expected.
    """
    left = expectations(text)
    problems: list[str] = []
    for diagnostic in _flat(diagnostics):
        fitting = next((each for each in left if each.matches(diagnostic)), None)
        if fitting is not None:
            left.remove(fitting)
        elif not only_expected:
            kind = diagnostic.severity.value
            problems.append(f"{diagnostic.position}: error: unexpected {kind}: {diagnostic.message}")
    for each in left:
        kind = each.kind.value
        problems.append(f'{filename}:{each.stated_at}:1: error: expected {kind} "{each.text}" was not produced')
    return problems


def _flat(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from diagnostic.notes
