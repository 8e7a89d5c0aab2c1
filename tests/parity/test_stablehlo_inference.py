"""Inference and verification say what the registered dialect says, on instances of all ops, valid and damaged."""

from __future__ import annotations

import pytest

from sdy.stablehlo import registered_ops
from sdy.stablehlo.declarations import declared_ops
from tests.depth import ALL, seeds
from tests.generators.typed_ops import CASE_GENERATORS
from tests.parity.stablehlo_inference import compare

BLOCK = 5_000

INSTANCES = seeds(1_000, 50_000)


@pytest.mark.parametrize("start", INSTANCES[::BLOCK] if ALL else INSTANCES[:1])
def test_equals_registered_dialect(start: int) -> None:
    count = min(BLOCK, INSTANCES.stop - start)
    outcome = compare(start, count)
    assert not outcome.differences, "\n".join(outcome.differences)
    assert outcome.compared > 0.95 * count


NOT_DRAWN = {
    "stablehlo.composite": "needs a decomposition in the module around it",
    "stablehlo.return": "the end of every region that is drawn",
}


def test_all_ops_are_drawn() -> None:
    """Every op that is declared can be asked about, and all but a few are drawn."""
    assert set(declared_ops()) <= set(registered_ops())
    assert set(declared_ops()) - set(CASE_GENERATORS) == set(NOT_DRAWN)
