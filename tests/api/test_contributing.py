"""What CONTRIBUTING.md shows works."""

import re
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.passes import registry
from sdy.stablehlo import infer_return_types
from sdy.stablehlo import registry as op_types

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


def _run(heading: str, results: dict[str, Any] | None = None, **names: object) -> None:
    """Runs the first piece of Python below a heading; what it names is then in `results`."""
    code = re.search(r"```python\n(.*?)```", TEXT.partition(f"## {heading}\n")[2], re.DOTALL)
    assert code
    scope = {"__name__": "__main__", "sdy": sdy, **names}
    exec(code[1], scope)
    if results is not None:
        results.update(scope)


@pytest.mark.parametrize("pipeline", ["sdy-partition-pipeline", "sdy-propagation-pipeline,sdy-convert-global-to-local"])
@pytest.mark.usefixtures("own_models")
def test_an_op_of_the_users(pipeline: str) -> None:
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


def test_building_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    _run("Building a program", names)
    printed = sdy.print_module(names["module"])
    assert "stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]" in printed
    assert "applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>" in printed
    assert "stablehlo.divide" in printed
    message = "'stablehlo.transpose' op [0, 2] is not a permutation of the dimensions of tensor<8x4xf32> (transpose_c2)"
    assert capsys.readouterr().out == f'loc("loss") {message}\n'
    _run("Reading ops", module=names["module"])
    assert capsys.readouterr().out == "a sum of squares over (0, 1), from tensor<f32> on\n"


def test_types_of_an_op() -> None:
    _run("Types of an op")
    with sdy.make_context():
        operand = ir.Type.parse("tensor<2x3xf32>")
        attributes = {"factor": ir.Attribute.parse("2 : i64")}
        (result,) = infer_return_types("mine.tile", [operand], attributes)
    assert str(result) == "tensor<4x6xf32>"


def test_an_op_class_with_types(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(op_types, "_registrations", dict(op_types._registrations))
    names: dict[str, Any] = {}
    _run("An op class with types", names)
    assert capsys.readouterr().out == "tensor<2x2x?xf32>\n"
    text = str(names["module"])
    for damage, message in (
        (("factor = 4", "factor = 0"), r"-:4:10: error: 'mine.repeat' op factor must be positive \(repeat_c1\)"),
        (
            ("factor = 4", "factor = 3"),
            r"op declares tensor<4x2x3xf32>, but gives tensor<3x2x\?xf32> \(repeat_results\)",
        ),
    ):
        with pytest.raises(sdy.DiagnosticError, match=message):
            sdy.parse(text.replace(*damage), context=names["context"])
