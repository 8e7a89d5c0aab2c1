"""Whatever the limit of memory, a looser one gives no slower plan, as measured; no limit is the loosest."""

from __future__ import annotations

import math

import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError
from tests import depth
from tests.execution import random_programs

SHARES = (1.0, 0.9, 0.7, 0.5)
"""Limits, in parts of what the plan without one takes."""

KNOWN = (5242, 5269) if not depth.ALL else (5106, 5177, 5222, 5242, 5263, 5269, 5272, 5296, 5301, 5332, 5357, 5410)
"""Seeds of programs of which a limit gave a faster plan when fewer plans were measured."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*KNOWN, *depth.seeds(2, 300)])
def test_no_limit_gives_a_faster_plan_than_a_looser_one(seed: int) -> None:
    """Programs that take microseconds, so what is predicted says little of what is measured."""
    text = random_programs.program(seed)
    free = sdy.auto.partition(text, None, "generic", memory_limit=math.inf)
    plans = [free]
    for share in SHARES:
        limit = max(1.0, share * free.cost.memory)
        try:
            plan = sdy.auto.partition(text, None, "generic", memory_limit=limit)
        except DiagnosticError as error:
            assert "memory" in str(error)
            continue
        assert plan.cost.memory <= limit
        assert all(plan.cost.step >= looser.cost.step for looser in plans)
        plans.append(plan)
    assert len(plans) > 1
