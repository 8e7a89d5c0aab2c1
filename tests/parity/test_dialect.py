"""The reference accepts and refuses what we do, in the same line, and prints what it accepts as we do."""

from collections import Counter

import pytest

from tests.depth import seeds
from tests.oracle import requires_reference
from tests.parity.dialect import difference, module

_PART = 100
"""Modules per test; the reference's process and an MLIR context serve all of them."""


@requires_reference
@pytest.mark.parametrize(
    "part", [seeds(300, 2400)[i : i + _PART] for i in range(0, len(seeds(300, 2400)), _PART)], ids=str
)
def test_equals_reference(part: range) -> None:
    tally: Counter[str] = Counter()
    for seed in part:
        found = difference(module(seed), tally)
        if found is not None:
            again = f"Again: .venv/bin/python -m tests.parity.dialect --seed {seed}"
            pytest.fail(f"the module of seed {seed} differs\n{found}\n{again}", pytrace=False)
    assert tally["another error first"] <= len(part) // 20, f"upstream's errors hide too many others: {tally}"
