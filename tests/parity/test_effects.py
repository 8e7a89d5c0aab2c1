"""On programs with effects and tokens, lowered by JAX for three platforms, the pipelines do what the reference's do."""

from __future__ import annotations

import pytest

from tests import depth, oracle
from tests.execution.effect_programs import PROGRAMS
from tests.execution.lowered_effects import lowered
from tests.oracle import requires_reference
from tests.parity.compare import difference
from tests.parity.test_programs import PIPELINES

NAMES = (
    [*PROGRAMS]
    if depth.ALL
    else ["all_kinds_together", "branches", "callback_ends_a_loop", "of_each_device_and_of_all"]
)
COMPARED = ("import", "basic", "propagation", "export")


@requires_reference
@pytest.mark.parametrize("platform", ["cpu", "cuda", "tpu"])
@pytest.mark.parametrize("name", NAMES)
def test_equals_reference(name: str, platform: str) -> None:
    text = lowered(name, platform)
    if text is None:
        pytest.skip("not lowered for that platform")
    for pipeline in COMPARED:
        case = PIPELINES[pipeline]
        found = difference(case, oracle.reference(text, *case.prepare))
        assert found is None, f"{pipeline}:\n{found}"
