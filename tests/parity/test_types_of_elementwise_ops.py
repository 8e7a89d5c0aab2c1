"""Elementwise ops with quantized and unranked operands are valid where the registered dialect says so."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from random import Random

import pytest

from sdy.dialect.assembly import parse_module
from sdy.dialect.context import make_context
from sdy.mlir.diagnostics import DiagnosticErrors
from sdy.stablehlo.declarations import declaration_of, declared_ops
from sdy.stablehlo.op_table import OpKind, ops_of
from tests import depth
from tests.unverified import parse_unverified, refusals

PLAIN, PER_TENSOR, OTHER_SCALE, PER_AXIS, SIGNED = (
    "tensor<4x4xf32>",
    "tensor<4x4x!quant.uniform<i8:f32, 2.0:15>>",
    "tensor<4x4x!quant.uniform<i8:f32, 3.0:15>>",
    "tensor<4x4x!quant.uniform<i8:f32:1, {2.0,1.0,1.0,1.0}>>",
    "tensor<4x4x!quant.uniform<si8:f32, 2.0:15>>",
)
UNRANKED, UNRANKED_QUANTIZED = "tensor<*xf32>", "tensor<*x!quant.uniform<i8:f32, 2.0:15>>"
TYPES = (PLAIN, PER_TENSOR, OTHER_SCALE, PER_AXIS, SIGNED, UNRANKED, UNRANKED_QUANTIZED)
ATTRIBUTES = {
    "stablehlo.compare": "comparison_direction = #stablehlo<comparison_direction LT>",
    "chlo.broadcast_compare": "comparison_direction = #chlo<comparison_direction LT>",
    "chlo.constant_like": "value = 1.0 : f32",
    "chlo.top_k": "k = 2 : i64",
}
PREDICATES = "tensor<4x4xi1>"
OPS = sorted({*ops_of(OpKind.ELEMENTWISE), "chlo.top_k", "stablehlo.cholesky"} & set(declared_ops()) - {"chlo.mulhi"})


def _texts(name: str) -> Iterator[str]:
    """The op with operands and results of all these types, or a sample of them."""
    declaration = declaration_of(name)
    assert declaration is not None
    results = (*TYPES, PREDICATES) if len(declaration.results) == 1 else TYPES
    listed = list(itertools.product(*[TYPES] * len(declaration.operands), results))
    for *operands, result in listed if depth.ALL else Random(name).sample(listed, min(40, len(listed))):
        if name == "chlo.broadcast_select":
            operands[0], result = PREDICATES, operands[1]  # the registered dialect takes any result
        results = [result] if len(declaration.results) == 1 else [result.replace("4x4", "4x2"), "tensor<*xi32>"]
        arguments = ", ".join(f"%a{number}: {type_}" for number, type_ in enumerate(operands))
        given = ", ".join(f"%a{number}" for number in range(len(operands)))
        yield (
            f"func.func @f({arguments}) {{\n"
            f'  %0:{len(results)} = "{name}"({given}) {{{ATTRIBUTES.get(name, "")}}} : '
            f"({', '.join(operands)}) -> ({', '.join(results)})\n  return\n}}"
        )


@pytest.mark.parametrize("name", OPS)
def test_valid_where_the_registered_dialect_says_so(name: str) -> None:
    context = make_context()
    for text in _texts(name):
        refused = refusals(parse_unverified(text, context))
        try:
            parse_module(text, context)
        except DiagnosticErrors as error:
            assert refused, (text, error)
        else:
            assert not refused, (text, refused[0][1])


def test_a_signed_storage_type_is_refused_at_the_op() -> None:
    text = next(text for text in _texts("stablehlo.negate") if SIGNED in text)
    context = make_context()
    with pytest.raises(DiagnosticErrors, match=r"'stablehlo\.negate' op (operand|result) .* must be"):
        parse_module(text, context)
    ((op, error),) = refusals(parse_unverified(text, context))
    assert op.name == "stablehlo.negate"
    assert re.search("(operand|result) .* must be", str(error))
