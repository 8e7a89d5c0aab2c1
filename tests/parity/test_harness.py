"""The tools of the comparisons: the oracle survives whatever it is asked, and reductions keep what matters."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sdy.dialect.shardings.value_shardings import set_sharding
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import funcs
from sdy.passes.registry import Pass, option_table, passes, pipelines
from tests.generators.programs import generate
from tests.oracle import ReferenceCrashed, ReferenceFailed, reference, reference_print, requires_reference
from tests.parity import compare, recorded
from tests.parity.cases import Case, cases
from tests.parity.recorded import RECORDED, in_one_order, too_often
from tests.parity.reduce import reduced
from tests.parity.without_peer import WITHOUT_PEER

OPTION = re.compile(r"([\w-]+)=")
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


PRODUCT = """
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [0]
      : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
"""


@requires_reference
@pytest.mark.parametrize(
    ("mistake", "is_recorded"), [(lambda text: text, True), (lambda text: text.replace("across", "acros"), False)]
)
def test_recorded_differences_are_none_if_they_are_the_only_ones(
    mistake: Callable[[str], str], is_recorded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, tally = compare.ours.run, compare.Tally()
    monkeypatch.setattr(compare.ours, "run", lambda text, run: mistake(right(text, run)))
    found = compare.difference(Case("sdy-insert-explicit-reshards{enable-full-version=true}"), PRODUCT, tally)
    assert (found is None) is is_recorded
    assert tally.recorded == is_recorded
    assert tally.forgiven == dict.fromkeys(
        ["reduce with multiply, and, or, xor over a sharded dimension"] * is_recorded, 1
    )


@requires_reference
@pytest.mark.parametrize(
    ("simpler", "is_forgiven"),
    [
        (DimensionSharding((AxisRef("a"),), is_closed=True), True),
        (DimensionSharding((), is_closed=False, priority=2), False),
    ],
    ids=["equal", "refused by the reference"],
)
def test_nothing_is_forgiven_where_nothing_is_compared(
    simpler: DimensionSharding, is_forgiven: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left without a recorded case has to be a program that the reference has a result for."""

    def remove(module: ir.Operation) -> None:
        (func,) = funcs(module)
        set_sharding(func.regions[0].blocks[0].arguments[0], TensorSharding("mesh", (simpler,)))

    case = Case("sdy-close-shardings")
    monkeypatch.setattr(recorded, "RECORDED", (recorded.Recorded("simpler", frozenset([case.name]), remove),))
    monkeypatch.setattr(compare.ours, "run", lambda text, _: text)
    assert (compare.difference(case, OPEN) is None) is is_forgiven


def test_recorded_cases_are_counted() -> None:
    case, large = "target unreduced by max or min", "custom_call without a rule; one with a token"
    assert too_often({case: 4, large: 24}, 300) == []
    assert too_often({case: 2, large: 2}, 10) == []
    assert too_often({case: 5, large: 25}, 300) == [f"{case}: 5 of 300", f"{large}: 25 of 300"]


def test_recorded_differences_are_in_the_documentation() -> None:
    rows = (Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
    assert [one.case for one in RECORDED if f" {one.case} |" not in rows] == []


OURS = (
    "axes-above",
    "sharding-rules",
    "public-only",
    "update-public-functions-only",
    "reshard-custom-rule-ops",
    "cross-meshes",
    "fewest-bytes",
    "local-updates",
    "machine",
    "exact-halos",
    "signed-zeros",
    "effects",
)
"""Options that the reference does not have."""


def test_every_option_of_export_and_partitioner_is_compared() -> None:
    """But for those that only we have, and for saving, which has a test of its own."""
    options = {
        (target.name, option)
        for target in [*passes().values(), *pipelines().values()]
        if re.search(
            r"passes\.(exporting|partitioning)\.", (target.run if isinstance(target, Pass) else target.build).__module__
        )
        and target.name not in WITHOUT_PEER
        for option, *_ in option_table(target.options)
        if option not in (*OURS, "dump-directory", "dump-index")
    }
    compared = {(case.name, option) for case in cases(passes() | pipelines()) for option in OPTION.findall(case.run)}
    assert options <= compared, sorted(options - compared)


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


def test_entries_of_one_axis_in_one_step_have_no_order() -> None:
    text = '[{step-0 = [{"b" = result-0 -> [operand-0]}, {"a" = operand-0 -> [result-0]}]}, {step-1 = [{"c" = B}]}]'
    text = text.replace("B", "operand-1 -> [result-0]")
    assert in_one_order(text) == text
    entries = ['{"a" = operand-2 -> [operand-1]}', '{"a" = result-0 -> [operand-0]}']
    both = [f"[{{step-3 = [{', '.join(order)}]}}]" for order in (entries, entries[::-1])]
    assert both[0] != both[1] and in_one_order(both[0]) == in_one_order(both[1])
