"""Random programs compute on several devices what they compute on one."""

from __future__ import annotations

import pytest

from tests import depth
from tests.execution import random_programs


@pytest.mark.parametrize("seed", depth.seeds(60, 2000))
def test_partitioned_run_equals_unpartitioned_run(seed: int) -> None:
    """None is refused: what is not supported is left out where programs are drawn."""
    assert random_programs.compare(random_programs.program(seed), seed) < 1
