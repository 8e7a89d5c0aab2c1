"""Ops of dialects from IRDL files are verified by the functions they are registered with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.stablehlo import (
    InferenceError,
    InferredTypes,
    OpFacts,
    ShapedTypeComponents,
    Tensor,
    build,
    register_op,
    registry,
    typed_op,
)

DIALECT = """
irdl.dialect @npu {
  irdl.operation @twice {
    %0 = irdl.any
    %1 = irdl.any
    irdl.operands(value: %0)
    irdl.results(result: %1)
  }
  irdl.operation @cast {
    %0 = irdl.any
    %1 = irdl.any
    irdl.operands(value: %0)
    irdl.results(result: %1)
  }
  irdl.operation @apply {
    %0 = irdl.any
    %1 = irdl.any
    irdl.operands(value: %0)
    irdl.results(result: %1)
    %2 = irdl.region
    irdl.regions(body: %2)
  }
}
"""


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    registry.registered_ops()  # what is loaded later would be undone as well
    monkeypatch.setattr(registry, "_registrations", dict(registry._registrations))
    (tmp_path / "npu.irdl.mlir").write_text(DIALECT)
    made = sdy.make_context()
    sdy.load_irdl_file(tmp_path / "npu.irdl.mlir", made)
    register_op("npu.twice", infer=twice, verify=not_of_booleans)
    register_op("npu.apply", infer=applied)
    register_op("npu.cast", infer_components=cast)
    for name in ("npu.twice", "npu.apply", "npu.cast"):
        InferredTypes.attach(name, made)
    return made


def twice(op: OpFacts) -> list[Tensor]:
    operand = op.tensor(0)
    if operand.rank != 1:
        raise op.error("c1", "needs one dimension")
    return [operand.with_dimensions([(2 * operand.dims[0], operand.bound(0))])]


def not_of_booleans(op: OpFacts) -> None:
    if str(op.tensor(0).element) == "i1":
        raise op.error("c2", "repeats no booleans")


def applied(op: OpFacts) -> list[Any]:
    if op.body().is_empty:
        raise op.error("i2", "needs a region")
    return list(op.body().results)


def cast(op: OpFacts) -> list[ShapedTypeComponents]:
    """Of any element type."""
    return [ShapedTypeComponents(op.tensor(0).dims, None)]


def _program(body: str, operand: str = "tensor<4xf32>") -> str:
    return f"func.func @main(%x: {operand}) {{\n  {body}\n  return\n}}"


APPLY = """%0 = "npu.apply"(%x) ({{
    ^bb0(%a: tensor<4xf32>):
      %1 = "npu.twice"(%a) : (tensor<4xf32>) -> tensor<{inner}xf32>
      stablehlo.return %1 : tensor<{inner}xf32>
  }}) : (tensor<4xf32>) -> tensor<{outer}xf32>"""


@pytest.mark.parametrize(
    "text",
    [
        _program('%0 = "npu.twice"(%x) : (tensor<4xf32>) -> tensor<8xf32>'),
        _program('%0 = "npu.twice"(%x) : (tensor<4xf32>) -> tensor<?xf32>'),
        _program(APPLY.format(inner=8, outer=8)),
        _program('%0 = "npu.cast"(%x) : (tensor<4xf32>) -> tensor<4xi8>'),
    ],
)
def test_valid(context: Any, text: str) -> None:
    sdy.parse(text, context=context).operation.verify()


@pytest.mark.parametrize(
    ("text", "place", "label"),
    [
        (_program('%0 = "npu.twice"(%x) : (tensor<4xf32>) -> tensor<4xf32>'), "2:8", "twice_results"),
        (_program('%0 = "npu.twice"(%x) : (tensor<f32>) -> tensor<f32>', "tensor<f32>"), "2:8", "twice_c1"),
        (_program('%0 = "npu.twice"(%x) : (tensor<4xi1>) -> tensor<8xi1>', "tensor<4xi1>"), "2:8", "twice_c2"),
        (_program('%0 = "npu.twice"(%x) : (index) -> index', "index"), "2:8", "twice_i1"),
        (_program('%0 = "npu.twice"() : () -> index'), "2:8", "twice_i1"),
        (_program(APPLY.format(inner=8, outer=4)), "2:8", "apply_results"),
        (_program('%0 = "npu.cast"(%x) : (tensor<4xf32>) -> tensor<5xi8>'), "2:8", "cast_results"),
        (_program(APPLY.format(inner=4, outer=4)), "4:12", "twice_results"),
        (_program('%0 = "npu.apply"(%x) ({}) : (tensor<4xf32>) -> tensor<4xf32>'), "2:8", "apply_i2"),
    ],
)
def test_refused_where_it_is_read(context: Any, text: str, place: str, label: str) -> None:
    with pytest.raises(sdy.DiagnosticError, match=rf"-:{place}: error: 'npu.* \({label}\)"):
        sdy.parse(text, context=context)


def test_built_with_inferred_types(context: Any) -> None:
    module = sdy.parse(_program(""), context=context)
    block = module.body.operations[0].regions[0].blocks[0]
    with ir.InsertionPoint.at_block_begin(block), ir.Location.name("here", context=context):
        made = build("npu.twice", [block.arguments[0]])
        with pytest.raises(InferenceError, match="twice_i1") as raised:
            build("npu.twice", [])
        with pytest.raises(InferenceError, match="apply_i2"):
            build("npu.apply", [block.arguments[0]], regions=1)
        with pytest.raises(InferenceError, match="cast_results"):
            build("npu.cast", [block.arguments[0]])
    assert str(made.operation.results[0].type) == "tensor<8xf32>"
    assert str(raised.value.location) == 'loc("here")'
    assert len(block.operations) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stablehlo.add", "compiled in"),
        ("arith.addf", "compiled in"),
        ("npu.nothing", "no dialect that is loaded"),
        ("nobody.knows", "no shape function or verifier"),
    ],
)
def test_what_can_have_no_trait(context: Any, name: str, message: str) -> None:
    if name != "nobody.knows":
        register_op(name, infer=twice)
    with pytest.raises(ValueError, match=message):
        InferredTypes.attach(name, context)


def test_a_trait_needs_a_context(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.registered_ops()  # what is loaded later would be undone as well
    monkeypatch.setattr(registry, "_registrations", dict(registry._registrations))
    register_op("npu.nowhere", infer=twice)
    with pytest.raises(ValueError, match="there is no current one"):
        InferredTypes.attach("npu.nowhere")


def test_a_class_without_functions() -> None:
    with pytest.raises(TypeError, match="must be the class of an op"):
        typed_op(int)
