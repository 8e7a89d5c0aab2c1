"""Every registered pass does to random programs what the reference does to them."""

import pytest

from sdy.passes.registry import passes, pipelines
from tests.depth import seeds
from tests.oracle import requires_reference
from tests.parity.cases import Case, cases
from tests.parity.compare import Tally, difference, program, report, smallest

WITHOUT_PEER = {
    "sdy-save-module": "writes files, changes nothing",
    "sdy-remove-all-gather-reduce-scatter-for-cmv1": "not registered by name in the release",
}
"""Passes that cannot be compared, and why; they have tests of their own."""

CASES = cases(name for name in (*passes(), *pipelines()) if name not in WITHOUT_PEER)


@requires_reference
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_equals_reference(case: Case) -> None:
    tally, tried = Tally(), seeds(300, 10_000)
    for seed in tried:
        text = program(case, seed)
        if text is None:
            tally.unprepared += 1
            continue
        found = difference(case, text, tally)
        if found is not None:
            pytest.fail(report(case, seed, smallest(case, found, seconds=10)), pytrace=False)
    assert tally.compared >= len(tried) // 3, f"{case.title} is hardly tested: {tally}"
