"""One pass on one program: ours against the reference."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sdy
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from tests import oracle
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.parity.cases import Case
from tests.parity.recorded import in_one_order, present, without
from tests.parity.reduce import reduced

REMEMBERED = 1000
"""Programs that are kept, in each stage, for the next comparison that starts from the same ones."""


class Ours:
    """Runs our passes; programs share an MLIR context for a while, since making one takes longer than most passes.

    Each time the text is parsed: a clone has the users of values in another order, which propagation goes by.
    """

    PROGRAMS_PER_CONTEXT = 50

    def __init__(self) -> None:
        self._context = None
        self._parsed = 0

    def run(self, text: str, *passes: str) -> str:
        """The module after the passes, printed. Raises DiagnosticError(s) where we refuse."""
        return sdy.print_module(self.module(text, *passes))

    def module(self, text: str, *passes: str) -> Any:
        """The module after the passes. Raises DiagnosticError(s) where we refuse."""
        module = self._parse(text)
        sdy.run(module, *passes)
        return module

    def _parse(self, text: str) -> Any:
        if self._parsed % self.PROGRAMS_PER_CONTEXT == 0:
            self._context = sdy.make_context()
        self._parsed += 1
        return sdy.parse(text, context=self._context)


ours = Ours()


@dataclass(frozen=True)
class Difference:
    """A program on which we and the reference part.

    `program` is what the pass ran on; `expected` and `got` are modules, or what was said instead of one.
    """

    program: str
    expected: str
    got: str


@dataclass
class Tally:
    """What became of the programs of one comparison.

    `recorded` of them were compared without recorded cases that they contain; `forgiven` says how often without which.
    """

    compared: int = 0
    recorded: int = 0
    refused: int = 0
    crashed: int = 0
    unprepared: int = 0
    forgiven: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        causes = "; ".join(f"{count} x {case}" for case, count in self.forgiven.most_common())
        recorded = f" ({self.recorded} without what docs/differences.md records: {causes})" if self.recorded else ""
        return (
            f"{self.compared} compared{recorded}, {self.refused} refused and {self.crashed} crashed by the reference, "
            f"{self.unprepared} not prepared"
        )

    def forgive(self, cases: Iterable[str]) -> None:
        """Counts one more program, and each of the cases that it contains."""
        self.recorded += 1
        self.forgiven.update(cases)


def original(case: Case, seed: int) -> str:
    """The random program of that seed."""
    return _original(seed, case.features)


@lru_cache(maxsize=REMEMBERED)
def _original(seed: int, features: Features) -> str:
    return oracle.reference_print(generate(seed, features))


def prepared(case: Case, text: str) -> str | None:
    """What the passes that come before make of a program; None if they fail."""
    return _prepared(text, case.prepare) if case.prepare else text


@lru_cache(maxsize=REMEMBERED)
def _prepared(text: str, passes: tuple[str, ...]) -> str | None:
    try:
        return oracle.reference(text, *passes)
    except oracle.ReferenceFailed:
        return None


def difference(case: Case, text: str, tally: Tally | None = None) -> Difference | None:
    """Where we part from the reference on that program, if we do, but for what docs/differences.md records."""
    tally = tally or Tally()
    found = _difference(case, text, tally)
    if found is None:
        return None
    causes = _causes(case, text) or _causes_in_passes(case, text)
    if not causes:
        return found
    tally.forgive(causes)
    return None


def _causes(case: Case, text: str) -> list[str]:
    """The recorded cases without which the results are equal, as few as will do; none if there are no such cases."""
    candidates = present(case.name, text)
    for one in candidates:
        if _is_equal(case, without(text, [one])):
            return [one.case]
    if len(candidates) < 2 or not _is_equal(case, without(text, candidates)):
        return []
    for one in list(candidates):
        fewer = [other for other in candidates if other is not one]
        if _is_equal(case, without(text, fewer)):
            candidates = fewer
    return [one.case for one in candidates]


def _is_equal(case: Case, text: str | None) -> bool:
    """Whether both have a result for that program, and the same."""
    tally = Tally()
    return text is not None and _difference(case, text, tally) is None and tally.compared == 1


def _causes_in_passes(case: Case, text: str) -> list[str]:
    """The recorded cases on which alone the passes of a pipeline part, each on what the reference has before it."""
    if case.earlier is None:
        return []
    tally = Tally()
    if difference(case.earlier, text, tally) is not None:
        return []
    middle = prepared(Case(case.last, prepare=case.earlier.reference), text)
    if middle is None or difference(Case(case.last), middle, tally) is not None or tally.compared != 2:
        return []
    return list(tally.forgiven)


def _difference(case: Case, text: str, tally: Tally) -> Difference | None:
    try:
        expected = oracle.reference(text, *case.reference)
        tally.compared += 1
    except oracle.ReferenceFailed as failure:
        if isinstance(failure, oracle.ReferenceCrashed):
            tally.crashed += 1
        else:
            tally.refused += 1
        return _difference_in_refusal(case, text, failure)
    got = _ours(text, case.run, expected)
    is_same = got == expected or in_one_order(got) == in_one_order(expected)
    return None if is_same else Difference(text, expected, got)


def _ours(text: str, run: str, expected: str = "") -> str:
    """Our result as the reference prints it, or a sentence that says why there is none."""
    try:
        result = ours.run(text, run)
    except (DiagnosticError, DiagnosticErrors) as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 - a bug of ours, to be shown with its program
        return f"raised {type(error).__name__}: {error}"
    if result == expected:  # printed by the reference already
        return result
    try:
        return oracle.reference_print(result)
    except oracle.ReferenceFailed as error:
        if not _parses(expected):  # some of what it prints it does not read
            return result
        return f"the reference does not accept our result: {error}\n{result}"


def _parses(text: str) -> bool:
    try:
        oracle.reference_print(text)
    except oracle.ReferenceFailed:
        return False
    return True


def _difference_in_refusal(case: Case, text: str, failure: oracle.ReferenceFailed) -> Difference | None:
    """The reference has no result. We may refuse too, or do better, which takes a valid module."""
    got = _ours(text, case.run)
    crashed = isinstance(failure, oracle.ReferenceCrashed)
    if got.startswith("refused:") or (got.startswith("module") and (crashed or not case.refuses)):
        return None
    return Difference(text, f"refused: {failure}", got)


def smallest(case: Case, seed: int, found: Difference, seconds: float = 30.0) -> Difference:
    """The difference on a program with as little in it as we can find.

    It is the random program that is made smaller, and prepared again, so that the pass sees what it may see.
    """
    kind, best = _kind(found), found

    def still_differs(text: str) -> bool:
        nonlocal best
        smaller = prepared(case, text)
        if smaller is None or (found.expected.startswith("module") and not _accepted(case, smaller)):
            return False
        other = difference(case, smaller)
        if other is None or _kind(other) != kind:
            return False
        best = other
        return True

    reduced(original(case, seed), still_differs, seconds)
    return best


def _accepted(case: Case, text: str) -> bool:
    """Whether the reference has a result for that program; many candidates of a reduction fall here, and fast."""
    try:
        oracle.reference(text, *case.reference)
    except oracle.ReferenceFailed:
        return False
    return True


def _kind(found: Difference) -> tuple[str, str]:
    """Keeps the reduction from walking from one bug to another: what came out on both sides."""
    return (_outcome(found.expected), _outcome(found.got))


def _outcome(text: str) -> str:
    """``module``, ``refused:``, or ``raised`` with the kind of exception."""
    words = text.split()
    return " ".join(words[: 2 if words[0] == "raised" else 1])


def report(case: Case, seed: int, found: Difference) -> str:
    """What a person needs to see of a difference."""
    lines = difflib.unified_diff(
        found.expected.splitlines(), found.got.splitlines(), "reference", "ours", n=1000, lineterm=""
    )
    return "\n".join(
        [
            f"{case.title} differs from the reference on the program of seed {seed}, reduced to:",
            found.program,
            *lines,
            "",
            f"Again: .venv/bin/python -m tests.parity '{case.title}' --seed {seed}",
        ]
    )
