"""Random programs compute on several devices what they compute on one."""

from __future__ import annotations

import pytest

from sdy.dialect.diagnostics import DiagnosticError
from tests import depth
from tests.execution import random_programs


@pytest.mark.parametrize("seed", depth.seeds(60, 2000))
def test_partitioned_run_equals_unpartitioned_run(seed: int) -> None:
    try:
        difference = random_programs.compare(random_programs.program(seed), seed)
    except DiagnosticError as error:
        pytest.skip(f"refused: {error}")
    assert difference < 1
