"""Ops that are read past the registered dialect's verifiers (`sdy.stablehlo.unchecked`), and `--stablehlo-verifier`."""

from __future__ import annotations

import pytest

from sdy.dialect.assembly import parse_module
from sdy.dialect.context import make_context
from sdy.dialect.diagnostics import DiagnosticErrors
from sdy.stablehlo.unchecked import plain_name, unchecked_text
from sdy.tools.stablehlo_verifier import check, check_agreement


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
        check(_compare("SIGNED"), make_context(), "-")
    (found,) = raised.value.diagnostics
    assert (found.position.line, found.position.column) == (5, 12)
    assert "compare_c3" in found.message


def test_agreement() -> None:
    context = make_context()

    def agreement(text: str) -> None:
        check_agreement(text, context, "-", lambda: parse_module(text, context))

    agreement(_compare("FLOAT"))
    agreement(_compare("FLOAT", "tensor<3xi1>"))
    with pytest.raises(DiagnosticErrors, match="sdy refuses what the registered dialect admits"):
        agreement(_compare("SIGNED"))
    assert not context.allow_unregistered_dialects
