"""What CONTRIBUTING.md shows works."""

import re
from pathlib import Path

import pytest

import sdy
from sdy.mlir import ir
from sdy.passes import registry
from sdy.passes.partitioning.lowering import registry as lowerings
from sdy.passes.propagation.rules import registry as rules
from sdy.stablehlo import infer_return_types

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>,
    %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""


MATMUL = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = "mydialect.matmul"(%a, %b) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""


def _run(heading: str, **names: object) -> None:
    """Runs the first piece of Python below a heading."""
    code = re.search(r"```python\n(.*?)```", TEXT.partition(f"## {heading}\n")[2], re.DOTALL)
    assert code
    exec(code[1], {"__name__": "__main__", "sdy": sdy, **names})


@pytest.mark.parametrize("pipeline", ["sdy-partition-pipeline", "sdy-propagation-pipeline,sdy-convert-global-to-local"])
def test_an_op_of_the_users(pipeline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_users", dict(rules._users))
    monkeypatch.setattr(lowerings, "_choices", dict(lowerings._choices))
    _run("A sharding rule")
    _run("A local lowering")
    context = sdy.make_context()
    context.allow_unregistered_dialects = True
    module = sdy.parse(MATMUL, context=context)
    sdy.run(module, pipeline)
    printed = sdy.print_module(module)
    assert "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>" in printed
    assert printed.count("stablehlo.all_reduce") == 1
    assert "gather" not in printed


def test_the_auto_partitioner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_passes", dict(registry.passes()))
    module = sdy.parse(PROGRAM)
    try:
        _run("An auto-partitioner", module=module)
    finally:
        sdy.auto_partitioner.clear()
    printed = sdy.print_module(module)
    assert printed.count('#sdy.sharding<@mesh, [{"x"}, {}]>') == 2
    assert 'stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}' in printed


def test_types_of_an_op() -> None:
    _run("Types of an op")
    with sdy.make_context():
        operand = ir.Type.parse("tensor<2x3xf32>")
        attributes = {"factor": ir.Attribute.parse("2 : i64")}
        (result,) = infer_return_types("mine.tile", [operand], attributes)
    assert str(result) == "tensor<4x6xf32>"
