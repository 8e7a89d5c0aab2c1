"""Every registered pass does to random programs what the reference does to them."""

from collections import Counter

import pytest

from sdy.passes.registry import passes, pipelines
from tests.depth import seeds
from tests.oracle import requires_reference
from tests.parity.cases import Case, cases
from tests.parity.compare import Tally, difference, original, prepared, report, smallest

PROGRAMS = 300
"""Programs per pass, shared by its comparisons."""

CASES = cases([*passes(), *pipelines()])
COUNTS = Counter(case.name for case in CASES)


@requires_reference
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_equals_reference(case: Case) -> None:
    tally, tried = Tally(), seeds(max(PROGRAMS // COUNTS[case.name], 100), 10_000)
    for seed in tried:
        text = prepared(case, original(case, seed))
        if text is None:
            tally.unprepared += 1
            continue
        found = difference(case, text, tally)
        if found is not None:
            pytest.fail(report(case, seed, smallest(case, seed, found, seconds=10)), pytrace=False)
    assert tally.compared >= len(tried) // 3, f"{case.title} is hardly tested: {tally}"
