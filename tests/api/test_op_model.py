"""An op model of users, the example of CONTRIBUTING: propagated, partitioned, run and reported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdy
from sdy.dialect.ops.model import OpModel, built_in_models, model_with
from sdy.mlir.diagnostics import DiagnosticError

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8xf32> {
  %0 = "mydialect.row_norms"(%a) : (tensor<8x16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""

pytestmark = pytest.mark.usefixtures("own_models")


@pytest.fixture
def row_norms() -> None:
    """Declare the op of the example."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## An op model\n")[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code
    exec(code[1], {"__name__": __name__})


def parsed(text: str = PROGRAM) -> sdy.Module:
    return sdy.parse(text, context=sdy.make_context(allow_unregistered_dialects=True))


@pytest.mark.usefixtures("row_norms")
def test_it_is_propagated_and_reported() -> None:
    module = parsed()
    (sent,) = sdy.communication(module).transfers
    assert (sent.kind, sent.serves) == ("all_reduce", "result of mydialect.row_norms")
    assert '"x" in dimension 0: from argument 0 of @main' in str(sdy.explain(module, "%0"))


@pytest.mark.usefixtures("row_norms")
def test_it_is_partitioned_and_run() -> None:
    partitioned = sdy.partition(parsed())
    assert "row_norms" not in partitioned.text
    assert partitioned.text.count("stablehlo.all_reduce") == 1
    x = np.arange(128, dtype=np.float32).reshape(8, 16)
    (norms,) = _run(partitioned, x)
    np.testing.assert_allclose(norms, (x * x).sum(1))


def _run(partitioned: sdy.PartitionedModule, *arrays: np.ndarray) -> list[np.ndarray]:
    from tests.numerics.harness import run_partitioned

    return [np.asarray(each) for each in run_partitioned(partitioned, list(arrays))]


def test_what_a_model_leaves_out_is_taken_from_the_built_in_one() -> None:
    @sdy.op_model("stablehlo.tanh")
    class Tanh(sdy.OpModel):
        def localize(self, op: Any) -> None:
            op.replace(op.b.negate(op.operands[0]))

    text = PROGRAM.replace('"mydialect.row_norms"(%a)', "stablehlo.tanh %a").replace(
        "tensor<8xf32>", "tensor<8x16xf32>"
    )
    module = sdy.parse(re.sub(r"tanh %a : \(\S+\) ->", "tanh %a :", text))
    sdy.run(module, "sdy-partition-pipeline")
    printed = sdy.print_module(module)
    assert "stablehlo.negate" in printed
    assert "tensor<4x4xf32>" in printed, "the rule of StableHLO's op is not used"


def test_a_form_that_is_not_local_is_refused() -> None:
    @sdy.op_model("mydialect.row_norms")
    class Global(sdy.OpModel):
        follows_rule = True

        def rule(self, op: Any) -> str:
            del op
            return "i j -> i"

        def localize(self, op: Any) -> None:
            op.replace(op.b.constant(np.zeros(8, np.float32)))

    with pytest.raises(DiagnosticError, match=r"result 0 of type tensor<8xf32>, expected tensor<4xf32>"):
        sdy.run(parsed(), "sdy-partition-pipeline")


@pytest.mark.parametrize(
    ("names", "message"),
    [((), "say whose"), (("tanh",), "is not the full name of an op"), ((lambda op: op,), "say whose")],
)
def test_names(names: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sdy.op_model(*names)(type("Other", (sdy.OpModel,), {}))


def test_an_unknown_reduction_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown reduction 'mean'"):
        sdy.op_model("my.op")(type("Other", (sdy.OpModel,), {"reduction": "mean"}))


def test_a_later_model_comes_first() -> None:
    for number in range(2):
        sdy.op_model("my.op")(type(f"Model{number}", (sdy.OpModel,), {"grows": lambda self, op: True}))
    assert type(model_with("grows", "my.op")).__name__ == "Model1"
    assert model_with("rule", "my.op") is None


def test_every_built_in_model_says_something() -> None:
    parts = [name for name in vars(OpModel) if not name.startswith("_")]
    for key, model in built_in_models().items():
        assert any(model_with(part, *key) is model for part in parts), key
