"""Types that are inferred for the ops of real programs fit those declared, before and after partitioning."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from sdy.dialect.assembly import parse_module
from sdy.dialect.context import make_context
from sdy.mlir.diagnostics import DiagnosticError
from tests import depth
from tests.data.generate import names, program
from tests.unverified import refusals

LARGE = {"transformer_96", "transformer_96_functions"}

LOWERED_ELSEWHERE = {"custom_partitioning"}
"""Their Python functions are in the process that lowered them."""

PARTITIONED = (
    [name for name in names() if name not in LARGE | LOWERED_ELSEWHERE] if depth.ALL else ["cnn", "moe", "while_cond"]
)

LIT_TESTS = Path(__file__).parents[2] / "lit_tests"


def _errors(text: str) -> list[str]:
    return [f"{op.location}: {error}" for op, error in refusals(sdy.parse(text).operation)]


@pytest.mark.parametrize("name", [name for name in names() if depth.ALL or name not in LARGE])
def test_program(name: str) -> None:
    assert _errors(program(name)) == []


@pytest.mark.parametrize("name", PARTITIONED)
def test_partitioned_program(name: str) -> None:
    assert _errors(sdy.partition(sdy.parse(program(name))).text) == []


def _parts(some: str) -> list[tuple[str, str]]:
    files = sorted(LIT_TESTS.rglob("*.mlir") if depth.ALL else LIT_TESTS.glob(some))
    texts = [(str(file), part) for file in files for part in file.read_text(encoding="utf-8").split("// -----")]
    return [(file, text) for file, text in texts if "/stablehlo/" not in file and "/Inputs/" not in file]


def test_lit_tests() -> None:
    """What of them can be read, but for the tests of verification themselves."""
    seen = 0
    for file, part in _parts("passes/partitioning/[p-s]*.mlir"):
        try:
            module = parse_module(part, make_context(allow_unregistered_dialects=True))
        except DiagnosticError:
            continue
        assert [str(error) for _, error in refusals(module.operation)] == [], file
        seen += 1
    assert seen > 20


def test_lit_tests_of_one_device() -> None:
    """What of them can be made local."""
    seen = 0
    for file, part in _parts("passes/partitioning/convert_global_to_local_[sv]*.mlir"):
        try:
            module = sdy.parse(part, context=make_context(allow_unregistered_dialects=True))
            sdy.run(module, "sdy-convert-global-to-local")
        except DiagnosticError:
            continue
        assert [str(error) for _, error in refusals(module.operation)] == [], file
        seen += 1
    assert seen > (40 if depth.ALL else 1)
