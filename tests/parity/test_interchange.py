"""Modules that XLA writes shardings into come in as XLA reads them itself."""

from __future__ import annotations

import pytest

import sdy
from tests.depth import seeds
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.hlo_oracle import ABORTED, REFUSED, asked
from tests.oracle import reference_print, requires_reference
from tests.parity.compare import ours

ATTRIBUTES = "xla-sdy-round-trip-import-shardy-attrs"

pytestmark = requires_reference


@pytest.fixture(scope="module")
def artifacts() -> list[str]:
    """What XLA exports of random programs, those that it cannot export left out."""
    programs = [generate(seed, Features(max_ops=8, inlined=False)) for seed in seeds(25, 400)]
    return [text for text in asked("artifact", programs) if text not in (ABORTED, REFUSED)]


def test_attributes_are_imported_as_by_xla(artifacts: list[str]) -> None:
    assert len(artifacts) > len(seeds(25, 400)) / 2
    for text, expected in zip(artifacts, asked("import attributes", artifacts), strict=True):
        if expected not in (ABORTED, REFUSED):
            assert reference_print(ours.run(text, ATTRIBUTES)) == expected, text


def test_nothing_of_xla_is_left(artifacts: list[str]) -> None:
    for text in artifacts:
        module = sdy.parse(text)
        sdy.run(module, "xla-sdy-round-trip-import-pipeline")
        after = sdy.print_module(module)
        assert "xla.sdy" not in after, text
        assert "mhlo.sharding" not in after, text
