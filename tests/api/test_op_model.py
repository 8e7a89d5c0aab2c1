"""An op model of users, the example of CONTRIBUTING: propagated, partitioned, run and reported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdy
from sdy.dialect.ops.model import OpModel, built_in_models, model_with
from sdy.mlir.diagnostics import DiagnosticError, InternalError

WINDOWS = "### An op with windows\n"

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
def row_norms(own_models: None) -> None:
    """Declare the op of the example."""
    del own_models
    _declare("## An op model\n")


@pytest.fixture
def moving_sums(own_models: None) -> None:
    """Declare the op with windows of the example."""
    del own_models
    _declare(WINDOWS)


def _declare(heading: str, part: str = "$^", instead: str = "") -> None:
    """Declare the op of an example, with something in the place of a `part`, a pattern."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition(heading)[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code
    exec(re.sub(part, instead, code[1]), {"__name__": __name__, "sdy": sdy})


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


# Windows -----------------------------------------------------------------------------------------


def _moving_sums(rows: int = 16, size: int = 5, padding: tuple[int, int] = (2, 2)) -> str:
    made = rows + sum(padding) - size + 1
    return f"""
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<{rows}x4xf32>) -> tensor<{made}x4xf32> {{
  %0 = sdy.sharding_constraint %a <@mesh, [{{"x"}}, {{"y"}}]> : tensor<{rows}x4xf32>
  %1 = "mydialect.moving_sums"(%0) {{size = {size}, padding = array<i64: {padding[0]}, {padding[1]}>}}
    : (tensor<{rows}x4xf32>) -> tensor<{made}x4xf32>
  return %1 : tensor<{made}x4xf32>
}}
"""


def _kinds(text: str) -> list[str]:
    return [transfer.kind for transfer in sdy.communication(parsed(text)).transfers if "mydialect" in transfer.serves]


@pytest.mark.usefixtures("moving_sums")
@pytest.mark.parametrize(
    ("rows", "size", "padding"),
    [
        (16, 5, (2, 2)),
        (16, 3, (0, 0)),
        (16, 3, (2, 0)),
        (13, 3, (1, 1)),
        (8, 7, (3, 3)),
        (5, 2, (1, 0)),
        (16, 5, (-1, 4)),
        (16, 16, (15, 0)),
    ],
)
def test_windows_are_exchanged(rows: int, size: int, padding: tuple[int, int]) -> None:
    text = _moving_sums(rows, size, padding)
    partitioned = sdy.partition(parsed(text))
    assert "moving_sums" not in partitioned.text
    x = np.random.default_rng(0).standard_normal((rows, 4)).astype(np.float32)
    low, high = padding
    zeros = [np.zeros((max(0, each), 4), np.float32) for each in padding]
    padded = np.concatenate([zeros[0], x[max(0, -low) : rows - max(0, -high)], zeros[1]])
    (sums,) = _run(partitioned, x)
    wanted = sum(padded[start : len(padded) - size + 1 + start] for start in range(size))
    np.testing.assert_allclose(sums, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("moving_sums")
def test_halos_are_reported() -> None:
    transfers = sdy.communication(parsed(_moving_sums())).transfers
    halos = [transfer for transfer in transfers if transfer.serves == "mydialect.moving_sums"]
    assert [halo.kind for halo in halos] == ["collective_permute"] * 2


def test_windows_that_cannot_be_set_are_not_exchanged() -> None:
    _declare(WINDOWS, "set_windows", "_set_windows")
    sharded = '%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    text = _moving_sums().replace("%a: tensor<16x4xf32>", sharded)
    assert _kinds(text) == ["all_gather"]
    (sums,) = _run(sdy.partition(parsed(text)), np.ones((16, 4), np.float32))
    np.testing.assert_allclose(sums[:, 0], [3, 4, *[5] * 12, 4, 3])
    assert set(_kinds(_moving_sums(padding=(0, 0)))) == {"collective_permute"}


@pytest.mark.parametrize(
    ("window", "message"),
    [
        ("Window(2, 0, 1, 16)", r"a dimension 2, which tensor<16x4xf32> has not"),
        ("Window(0, 0, 5, 16, low=2)", r"reaches 20 of 18 positions"),
        ("Window(0, 1, 5, 16)", r"makes 16 elements where the results have 4"),
        ("__name__", r"a window that is not a sdy.Window: 'sdy'"),
    ],
)
def test_windows_that_do_not_fit_are_refused(window: str, message: str) -> None:
    _declare(WINDOWS, r"sdy\.Window\(.*\)\]", f"sdy.{window}]")
    with pytest.raises(DiagnosticError, match=message):
        sdy.partition(parsed(_moving_sums()))


def test_an_error_of_a_model_is_shown_with_its_line() -> None:
    class Failing(sdy.OpModel):
        def rule(self, op: Any) -> str:
            raise KeyError(op.name)

    sdy.op_model("mydialect.row_norms")(Failing)
    line = Failing.rule.__code__.co_firstlineno + 1
    with pytest.raises(InternalError, match=rf"failed at 'mydialect.row_norms': KeyError: \S+ \({__file__}:{line}\)"):
        sdy.partition(parsed())


def test_the_padding_value_stands_beyond_the_ends() -> None:
    _declare(WINDOWS, r"(    def rule)", r"    padding_value = -1.5\n\n\1")
    (sums,) = _run(sdy.partition(parsed(_moving_sums(size=2, padding=(1, 0)))), np.ones((16, 4), np.float32))
    assert (sums[0] == -0.5).all()
    assert (sums[1:] == 2).all()


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
    [
        ((), "say whose"),
        (("tanh",), "is not the full name of an op"),
        (("stablehlo.custom_call @mine",), "is not the full name of an op"),
        ((lambda op: op,), "say whose"),
    ],
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
