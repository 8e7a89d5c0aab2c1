"""The tools of the comparisons: the oracle survives whatever it is asked, and reductions keep what matters."""

from collections.abc import Callable

import pytest

from tests.generators.programs import generate
from tests.oracle import ReferenceCrashed, ReferenceFailed, reference, reference_print, requires_reference
from tests.parity import compare
from tests.parity.cases import Case
from tests.parity.reduce import reduced

EMPTY = "module {\n}\n"
TWO_FUNCTIONS = "func.func @f() { return } func.func @g() { return }"
"""Aborts the reference's propagation, which looks for @main."""


@requires_reference
def test_the_oracle_answers_after_a_crash() -> None:
    with pytest.raises(ReferenceCrashed, match="main"):
        reference(TWO_FUNCTIONS, "sdy-basic-propagate")
    assert reference_print("module {}").strip() == EMPTY.strip()


@requires_reference
@pytest.mark.parametrize(
    ("text", "passes", "complaint"),
    [
        ("module { oops }", [], "1:10"),
        (EMPTY, ["sdy-no-such-pass"], "sdy-no-such-pass"),
        (EMPTY, ["sdy-no-such-pipeline"], "sdy-no-such-pipeline"),
        (EMPTY, ["sdy-basic-propagate{no-such-option=1}"], "no-such-option"),
    ],
)
def test_the_oracle_passes_diagnostics_on(text: str, passes: list[str], complaint: str) -> None:
    with pytest.raises(ReferenceFailed, match=complaint):
        reference(text, *passes)


OPEN = """
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) {
  return
}
"""


@requires_reference
@pytest.mark.parametrize(
    ("ours", "differs"),
    [
        (lambda text, _: text, True),
        (lambda text, _: text.replace(", ?", ""), False),
        (lambda text, _: text.replace("{", ""), True),
        (lambda text, _: 1 // 0, True),
    ],
    ids=["does nothing", "right", "broken text", "raises"],
)
def test_differences_are_found(ours: Callable[..., str], differs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare.ours, "run", ours)
    found = compare.difference(Case("sdy-close-shardings"), OPEN)
    assert (found is not None) is differs


@requires_reference
def test_reduction_keeps_the_property_and_little_else() -> None:
    text = next(t for t in map(reference_print, map(generate, range(100))) if t.count("stablehlo.tanh") == 1)

    def has_tanh(candidate: str) -> bool:
        if "stablehlo.tanh" not in candidate:
            return False
        try:
            reference_print(candidate)
        except ReferenceFailed:
            return False
        return True

    smaller = reduced(text, has_tanh, seconds=20)
    assert has_tanh(smaller)
    assert len(smaller.splitlines()) <= 10, smaller
