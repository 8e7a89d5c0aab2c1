"""Ops that are read past the registered dialect's verifiers (`sdy.stablehlo.unchecked`), and `--stablehlo-verifier`."""

from __future__ import annotations

from typing import Any

import pytest

from sdy.dialect.assembly import parse_module
from sdy.dialect.context import make_context
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticErrors
from sdy.stablehlo.unchecked import plain_name, unchecked_text
from sdy.tools.opt.stablehlo_verifier import check_agreement, read_verified


@pytest.mark.parametrize(
    ("text", "unchecked"),
    [
        ('%0 = "stablehlo.abs"(%x) : (f32) -> f32', '%0 = "unchecked.abs"(%x) : (f32) -> f32'),
        ('%0 = "chlo.tan"(%x) : (f32) -> f32', '%0 = "uchk.tan"(%x) : (f32) -> f32'),
        ("%0 = stablehlo.abs %x : tensor<f32>", "%0 = stablehlo.abs %x : tensor<f32>"),
        ('// "stablehlo.abs"(%x)', '// "stablehlo.abs"(%x)'),
        (
            '{a = "stablehlo.abs"} {b = "\\"stablehlo.abs\\"(%x)"}',
            '{a = "stablehlo.abs"} {b = "\\"stablehlo.abs\\"(%x)"}',
        ),
        ('"stablehlo.a"(%x) <{b = 1 : i64}> : () -> ()', '"unchecked.a"(%x)  {b = 1 : i64} : () -> ()'),
        ('"stablehlo.a"() <{b = ">}"}> {c} : () -> ()', '"unchecked.a"()  {b = ">}", c} : () -> ()'),
        ('"stablehlo.a"() <{b}> {} : () -> ()', '"unchecked.a"()  {b} : () -> ()'),
        (
            '"stablehlo.a"() <{b}> ({ "chlo.c"() <{d}> : () -> () }) : () -> ()',
            '"unchecked.a"()  ({ "uchk.c"()  {d} : () -> () }) {b} : () -> ()',
        ),
        ('"stablehlo.a"(', '"unchecked.a"('),
        ('"stablehlo.a"() <{', '"unchecked.a"() {}'),
    ],
)
def test_text(text: str, unchecked: str) -> None:
    assert " ".join(unchecked_text(text).split()) == " ".join(unchecked.split())


def test_names() -> None:
    assert [plain_name(name) for name in ("unchecked.abs", "uchk.tan", "func.func", "stablehlo.add")] == [
        "stablehlo.abs",
        "chlo.tan",
        "func.func",
        "stablehlo.add",
    ]


def _compare(kind: str, result: str = "tensor<2xi1>") -> str:
    return f"""
    func.func @f(%x: tensor<2xf32>) -> {result} {{
      %c = "stablehlo.compare"(%x, %x) <{{comparison_direction = #stablehlo<comparison_direction LT>, // less
        compare_type = #stablehlo<comparison_type FLOAT>}}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      %0 = "stablehlo.compare"(%x, %x) <{{comparison_direction = #stablehlo<comparison_direction LT>,
        compare_type = #stablehlo<comparison_type {kind}>}}> : (tensor<2xf32>, tensor<2xf32>) -> {result}
      return %0 : {result}
    }}"""


def test_ours_refuse() -> None:
    with pytest.raises(DiagnosticErrors) as raised:
        _read(_compare("SIGNED"))
    (found,) = raised.value.diagnostics
    assert (found.position.line, found.position.column) == (5, 12)
    assert "compare_c3" in found.message


def _read(text: str) -> tuple[Any, bool]:
    context = make_context()
    return read_verified(text, context, "-", lambda: parse_module(text, context))


SEVERAL = """func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0:2 = "stablehlo.optimization_barrier"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  %1:2 = "stablehlo.collective_broadcast"(%0#0, %0#1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> {mine}
    : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  %2 = "stablehlo.map"(%1#0) ({
    ^bb0(%a: tensor<f32>):
      %3 = "stablehlo.negate"(%a) : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"""


def test_what_ours_alone_admit_is_read() -> None:
    """Several operands, as of StableHLO 1.20; the bindings have 1.19."""
    module, is_ours_alone = _read(SEVERAL)
    assert is_ours_alone
    names: list[str] = []
    module.operation.walk(lambda op: names.append(op.operation.name) or ir.WalkResult.ADVANCE)
    assert [name for name in names if name.startswith(("unchecked", "uchk"))] == []
    (broadcast,) = [view for view in module.body.operations[0].regions[0].blocks[0] if "broadcast" in view.name]
    assert str(broadcast.operation.attributes["replica_groups"]) == "dense<[[0, 1]]> : tensor<1x2xi64>"
    assert "mine" in broadcast.operation.attributes
    assert "negate" in str(module)
    properties = "<{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>"
    of_both = SEVERAL.replace("collective_broadcast", "optimization_barrier").replace(properties, "")
    assert _read(of_both)[1] is False


def test_what_cannot_be_read_is_refused_all_the_same() -> None:
    for damage in (("return %2", "func.return %9"), ('"stablehlo.negate"', '"test.negate"'), ("tensor<3xf32>", "f32")):
        with pytest.raises(DiagnosticErrors) as raised:
            _read(SEVERAL.replace(*damage))
        assert "unchecked" not in str(raised.value)


def test_agreement() -> None:
    context = make_context()

    def agreement(text: str) -> None:
        check_agreement(text, context, "-", lambda: parse_module(text, context))

    agreement(_compare("FLOAT"))
    agreement(_compare("FLOAT", "tensor<3xi1>"))
    with pytest.raises(DiagnosticErrors, match="sdy refuses what the registered dialect admits"):
        agreement(_compare("SIGNED"))
    assert not context.allow_unregistered_dialects
