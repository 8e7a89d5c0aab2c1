"""Modules that XLA writes shardings into come in as XLA reads them itself."""

from __future__ import annotations

import re

import pytest

import sdy
from tests.depth import seeds
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.hlo_oracle import ABORTED, REFUSED, asked
from tests.oracle import reference, reference_print, requires_reference
from tests.parity.compare import ours

NAMED = "enable-hlo-sharding-v3=true"
ATTRIBUTES = "xla-sdy-round-trip-import-shardy-attrs"
LIVE = ("symbol-dce",)
"""The function of a named computation whose results nobody uses is left without a call."""

pytestmark = requires_reference


@pytest.fixture(scope="module")
def exported() -> dict[str, str]:
    """What XLA exports of random programs, by program.

    Those that it cannot export are left out, and CHLO, whose shardings it puts into attributes of composites.
    """
    programs = [generate(seed, Features(max_ops=8, inlined=False)) for seed in seeds(12, 400)]
    pairs = zip(programs, asked("artifact", programs), strict=True)
    return {program: text for program, text in pairs if text not in (ABORTED, REFUSED) and "chlo." not in program}


@pytest.fixture(scope="module")
def artifacts(exported: dict[str, str]) -> list[str]:
    return list(exported.values())


def test_exports_are_those_of_xla(exported: dict[str, str]) -> None:
    """But for dead code and for how the serialization spells attributes."""
    programs = [p for p in exported if "sdy.named_computation" not in p and "sdy.reshard" not in p]
    export = "xla-sdy-round-trip-export-pipeline"
    serialized = asked("artifact", [ours.run(reference(program, "canonicalize"), export) for program in programs])
    for program, got in zip(programs, serialized, strict=True):
        assert _without_spelling(got) == _without_spelling(exported[program]), program
    assert len(programs) > len(exported) / 2


def _without_spelling(text: str) -> str:
    """The module without dead code, kinds of channels, and XLA's text for scalars on one device."""
    text = reference(text, "canonicalize").replace("{devices=[]<=[1]}", "{replicated}")
    return re.sub(r", type = [01](?=>)", "", text)


def test_there_and_back(exported: dict[str, str]) -> None:
    """What has come back once comes back as it is."""
    there = "xla-sdy-round-trip-export-pipeline"
    back = "xla-sdy-round-trip-import-pipeline{enable-constant-import=false}"
    for program in exported:
        once = ours.run(program, there, back, *LIVE)
        assert ours.run(once, there, back, *LIVE) == once, program
        named = ours.run(program, f"{there}{{{NAMED}}}", f"{back[:-1]} {NAMED}}}", *LIVE)
        assert ours.run(named, f"{there}{{{NAMED}}}", f"{back[:-1]} {NAMED}}}", *LIVE) == named, program


def test_attributes_are_imported_as_by_xla(artifacts: list[str]) -> None:
    assert len(artifacts) > len(seeds(12, 400)) / 2
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
