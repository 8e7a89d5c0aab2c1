"""A pattern set of users, the example of CONTRIBUTING: chosen by label, and asked why it does not match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdy
from sdy.mlir.diagnostics import collecting, explaining_mismatches
from sdy.passes import registry

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"

PROGRAM = """
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
"""


@pytest.fixture(autouse=True)
def clean_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the pass of the example until the end of the test."""
    monkeypatch.setattr(registry, "_passes", dict(registry._passes))
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## A pattern\n")[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code
    exec(compile(code[1], str(CONTRIBUTING), "exec", dont_inherit=True), {"__name__": __name__})
    yield


def rewritten(pipeline: str) -> str:
    module = sdy.parse(PROGRAM)
    sdy.run(module, pipeline)
    return sdy.print_module(module)


def test_it_rewrites() -> None:
    assert "return %0, %arg0" in rewritten("func.func(my-clean-up)")


def test_it_is_chosen_by_label() -> None:
    assert rewritten("func.func(my-clean-up{disable-patterns=double-negations})").count("stablehlo.negate") == 2
    with pytest.raises(sdy.PipelineError, match="no pattern 'double-negation', did you mean 'double-negations'"):
        rewritten("func.func(my-clean-up{enable-patterns=double-negation})")


def test_it_says_why_it_does_not_match() -> None:
    remarks: list[str] = []
    with collecting(lambda one: remarks.append(one.message)), explaining_mismatches():
        rewritten("func.func(my-clean-up)")
    assert remarks == ["'stablehlo.negate' op pattern 'double-negations' does not match: its operand is no negation"]
