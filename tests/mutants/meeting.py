"""One mutant and the tests that it has to get past."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants import lit_files, probe, pytest_files
from tests.mutants.children import limit
from tests.mutants.mutations import Mutation
from tests.mutants.probe import MUTANT, ROOT
from tests.mutants.record import Test, import_tools

ROUNDS = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Seconds of tests that are run together; lit files first, since they need no pytest."""

SLOWER, GRACE = 4.0, 10.0
"""A test that takes so many times as long as recorded, and so many seconds more, has noticed the mutant."""


BROKEN = "pytest did not run"
"""What is said of a mutant if it is the tools that fail."""


def chosen(tests: Sequence[Test], seconds: float) -> list[Test]:
    """The first tests, as many as take so long."""
    left, found = seconds, []
    for test in tests:
        if test.seconds <= left:
            left -= test.seconds
            found.append(test)
    return found


def longest(tests: Sequence[Test]) -> float:
    """Seconds after which something must be wrong, however busy the machine is."""
    return 20 * (60 + len(ROUNDS) * GRACE + SLOWER * sum(test.seconds for test in tests))


def meet(mutation: Mutation, tests: Sequence[Test], answer: Path) -> None:
    """Writes the name of the first test that fails into the file `answer`; nothing if all pass."""
    with tempfile.TemporaryDirectory() as folder:
        mutant = Path(folder) / "mutant.json"
        path, source = str(ROOT / mutation.path), mutation.source()
        mutant.write_text(json.dumps({"path": path, "source": source}), encoding="utf-8")
        os.environ[MUTANT] = str(mutant)
        probe.mutate(path, source)
        answer.write_text(_first_failure(tests, Path(folder)), encoding="utf-8")


def _first_failure(tests: Sequence[Test], scratch: Path) -> str:
    try:
        import_tools()
    except BaseException as error:  # noqa: BLE001 - whatever it is, the mutant is noticed
        return f"import: {error!r}"
    for round_ in _rounds(tests):
        seconds = GRACE + SLOWER * max(test.seconds for test in round_)
        runner = lit_files.Runner(scratch, seconds)
        for test in round_:
            if test.is_lit and not runner.passes(ROOT / test.name):
                return test.name
        found = _pytest([test for test in round_ if not test.is_lit], scratch / "failed")
        if found:
            return found
    return ""


def _rounds(tests: Sequence[Test]) -> Iterator[list[Test]]:
    limits, left, together = iter(ROUNDS), 0.0, []
    for test in tests:
        if left <= 0:
            if together:
                yield together
            left, together = next(limits, 1e9), []
        together.append(test)
        left -= test.seconds + 0.02
    if together:
        yield together


def _pytest(tests: Sequence[Test], answer: Path) -> str:
    """The first test that fails, in a process of its own; killed if it takes far too long."""
    if not tests:
        return ""
    seconds = GRACE + SLOWER * sum(test.seconds for test in tests)
    child = os.fork()
    if child == 0:
        try:
            limit(seconds)
            answer.write_text(pytest_files.first_failure([test.name for test in tests]), encoding="utf-8")
        except BaseException:  # noqa: BLE001 - it must not go back to the caller in this process
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        return f"a process that died of signal {-code}"
    return answer.read_text(encoding="utf-8") if answer.exists() else BROKEN
