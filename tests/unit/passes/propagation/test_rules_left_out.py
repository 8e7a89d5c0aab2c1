"""Rules that a later pass drops are not attached in the first place, unless somebody could tell."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.mlir import ir
from sdy.mlir.search import ops_with
from sdy.passes import manager
from sdy.passes.steps import Step

_PROPAGATE = "sdy-user-priority-propagate{keep-sharding-rules=true%s}"

_TEXT = """
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %w: tensor<16x4xf32>)
    -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = stablehlo.add %1, %1 CUSTOM: tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
"""

_CUSTOM = "{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, k]) {i=8, j=4, k=4}, custom>} "


def _written(passes: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """How many ops have a rule right behind propagation, and what is left in the end."""
    counts: list[int] = []
    run = manager._run

    def counted(planned: manager.PlannedStep, module: ir.Operation, *rest: object) -> None:
        run(planned, module, *rest)  # type: ignore[arg-type]
        if planned.step.name == "sdy-user-priority-propagate":
            counts.append(len(ops_with(module, SHARDING_RULE)))

    monkeypatch.setattr(manager, "_run", counted)
    module = sdy.parse(_TEXT.replace("CUSTOM", ""))
    sdy.run(module, *passes)
    return counts[0], sdy.print_module(module)


@pytest.mark.parametrize("between", [[], ["sdy-close-shardings", "sdy-insert-explicit-reshards"]])
def test_a_rule_that_is_dropped_is_not_written(between: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    passes = [_PROPAGATE % "", *between, "sdy-drop-sharding-rules"]
    written, text = _written(passes, monkeypatch)
    assert written == 0
    monkeypatch.undo()
    module = sdy.parse(_TEXT.replace("CUSTOM", ""))
    for each in passes:
        sdy.run(module, each)
    assert text == sdy.print_module(module)


@pytest.mark.parametrize(
    "passes",
    [
        [_PROPAGATE % ""],
        [_PROPAGATE % "", "cse", "sdy-drop-sharding-rules"],
        [_PROPAGATE % " conservative-propagation=true", "sdy-close-shardings", "sdy-drop-sharding-rules"],
    ],
    ids=["nothing-drops-it", "a-pass-may-look", "found-otherwise-later"],
)
def test_a_rule_that_somebody_may_look_at_is_written(passes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert _written(passes, monkeypatch)[0] == 3


def test_an_observer_sees_the_rules() -> None:
    seen: list[int] = []

    class Observer:
        verifies = False

        def before(self, step: Step, op: ir.Operation) -> None: ...

        def failed(self, step: Step, op: ir.Operation) -> None: ...

        def after(self, step: Step, op: ir.Operation) -> None:
            seen.append(len(ops_with(op, SHARDING_RULE)))

    module = sdy.parse(_TEXT.replace("CUSTOM", ""))
    manager.run_pipeline(module, _PROPAGATE % "" + ",func.func(sdy-drop-sharding-rules)", observers=[Observer()])
    assert seen == [3, 0]


def test_rules_of_users_stay() -> None:
    module = sdy.parse(_TEXT.replace("CUSTOM", _CUSTOM))
    sdy.run(module, _PROPAGATE % "", "sdy-drop-sharding-rules")
    assert [op.name for op in ops_with(module.operation, SHARDING_RULE)] == ["stablehlo.add"]


@pytest.mark.usefixtures("own_models")
def test_rules_that_users_declare_stay() -> None:
    sdy.sharding_rule("stablehlo.tanh")(lambda op: "i j -> i j")
    module = sdy.parse(_TEXT.replace("CUSTOM", ""))
    sdy.run(module, _PROPAGATE % "", "sdy-drop-sharding-rules")
    assert [op.name for op in ops_with(module.operation, SHARDING_RULE)] == ["stablehlo.tanh"]
