"""Patterns that recognise ops by what they look like."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.context import load_mpmd
from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.pdl import NOTHING, Operand, Patterns, PatternText, Signature, Source, calling
from sdy.mlir.search import ops_named
from sdy.mlir.walk import post_order

PROGRAM = r"""
sdy.mesh @"odd \22name\22" = <["an axis"=2, "\C3\A9"=2]>
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@"odd \22name\22", [{"an axis"}]>]>} : tensor<8xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@"odd \22name\22", [{"\C3\A9"}]>]>} : tensor<8xf32>
  %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@"odd \22name\22", [{"\C3\A9"}]>]>} : tensor<4xf32>
  %3 = stablehlo.negate %arg0 : tensor<8xf32>
  %4 = stablehlo.abs %0 : tensor<8xf32>
  %5 = stablehlo.abs %1 : tensor<8xf32>
  %6 = stablehlo.abs %3 : tensor<8xf32>
  %7 = stablehlo.add %0, %1 : tensor<8xf32>
  %8 = stablehlo.add %1, %0 : tensor<8xf32>
  %9:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@"odd \22name\22", [{"an axis"}]>, <@"odd \22name\22", [{}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %10 = stablehlo.abs %9#0 : tensor<8xf32>
  %11 = stablehlo.abs %9#1 : tensor<8xf32>
  return
}
"""  # noqa: E501

MODULE = sdy.parse(PROGRAM)
FOUND = [op for op in post_order(MODULE.operation) if op.name.startswith("stablehlo.")]
"""The ops by number; the custom call is number 9."""

AXIS, ACCENT = (FOUND[index].attributes[SHARDING] for index in (0, 1))
PAIR = FOUND[9].attributes[SHARDING]
LONG, SHORT = (FOUND[index].results[0].type for index in (0, 2))


def numbers(*signatures: Signature) -> list[int]:
    """The ops that have one of the signatures."""
    text = PatternText()
    for signature in signatures:
        text.add(signature, 1, calling("collect"))
    found: list[ir.Operation] = []
    functions = {"collect": lambda _rewriter, _results, ops: found.extend(ops)}
    Patterns(MODULE.context, str(text), functions).apply(MODULE.operation, functions)
    return [FOUND.index(op) for op in found]


def unary(source: Source) -> Signature:
    return Signature("stablehlo.abs", (), (Operand(LONG, source),))


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        (Signature("stablehlo.negate"), [0, 1, 2, 3]),
        (Signature(attributes=((SHARDING, None),)), [0, 1, 2, 9]),
        (Signature(attributes=((SHARDING, ACCENT),)), [1, 2]),
        (Signature(attributes=((SHARDING, ACCENT),), operands=(Operand(SHORT),)), [2]),
        (Signature("stablehlo.negate", results=(LONG,)), [0, 1, 3]),
        (Signature("stablehlo.negate", operands=(Operand(LONG), Operand(LONG))), []),
        (unary(Source(SHARDING, AXIS, 0)), [4]),
        (unary(Source(SHARDING, PAIR, 0)), [10]),
        (unary(Source(SHARDING, PAIR, 1)), [11]),
        (
            Signature(
                operands=(Operand(LONG, Source(SHARDING, ACCENT, 0)), Operand(LONG, Source(SHARDING, AXIS, 0))),
                results=(LONG,),
            ),
            [8],
        ),
    ],
)
def test_what_has_a_signature(signature: Signature, expected: list[int]) -> None:
    assert numbers(signature) == expected


def test_several_signatures() -> None:
    assert numbers(Signature("stablehlo.add"), unary(Source(SHARDING, AXIS, 0))) == [4, 7, 8]


def test_the_pattern_of_greatest_benefit_is_applied() -> None:
    text = PatternText()
    text.add(Signature(attributes=((SHARDING, None),)), 1, calling("collect"))
    text.add(Signature(attributes=((SHARDING, AXIS),)), 2, NOTHING)
    found: list[ir.Operation] = []
    functions = {"collect": lambda _rewriter, _results, ops: found.extend(ops)}
    Patterns(MODULE.context, str(text), functions).apply(MODULE.operation, functions)
    assert [FOUND.index(op) for op in found] == [1, 2, 9]
    assert len(ops_named(MODULE.operation, "stablehlo.negate")) == 4


@pytest.mark.parametrize("loaded", [False, True])
def test_ops_of_a_dialect_that_is_loaded_later(loaded: bool) -> None:
    context = sdy.make_context()
    if loaded:
        load_mpmd(context)
    text = PatternText()
    text.add(Signature("mpmd.broadcast"), 1, calling("collect"))
    found: list[ir.Operation] = []
    patterns = Patterns(context, str(text), ["collect"])
    module = sdy.parse(
        "func.func @f(%x: tensor<4xf32>) { %0 = mpmd.broadcast %x : tensor<4xf32>\n return }",
        context=context,
    )
    patterns.apply(module.operation, {"collect": lambda _rewriter, _results, ops: found.extend(ops)})
    assert [op.name for op in found] == ["mpmd.broadcast"]
