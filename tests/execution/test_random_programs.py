"""Random programs compute on several devices what they compute on one."""

from __future__ import annotations

import pytest

from sdy.overlap import Overlap
from tests import depth
from tests.execution import random_programs

OVERLAPS = (Overlap(), Overlap("flops=1e9 bandwidth=1e8 overhead=1e-7", mode="list"))
"""Communication is hidden wherever it can be, or where a machine is faster with it, and then all ops are placed."""


@pytest.mark.parametrize("seed", depth.seeds(36, 2000))
def test_partitioned_run_equals_unpartitioned_run(seed: int) -> None:
    """None is refused: what is not supported is left out where programs are drawn."""
    overlap = None if depth.ALL or seed % 3 == 0 else OVERLAPS[seed % 3 - 1]
    assert random_programs.compare(random_programs.program(seed), seed, overlap) < 1


@pytest.mark.skipif(not depth.ALL, reason="done for two thirds of the programs above; SDY_TESTS=all")
@pytest.mark.parametrize("seed", depth.seeds(0, 500))
def test_communication_is_hidden(seed: int) -> None:
    assert random_programs.compare(random_programs.program(seed), seed, OVERLAPS[seed % 2]) < 1
