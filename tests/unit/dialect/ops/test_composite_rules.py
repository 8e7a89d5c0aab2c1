"""Rules of `stablehlo.composite`: declared by name, or read off the decomposition."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.ops.short_forms import sharding_rule
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, collecting
from sdy.mlir.search import ops_named

pytestmark = pytest.mark.usefixtures("own_models")


def composite(body: str, arguments: str = "4x8", results: str = "4x8") -> ir.Operation:
    """A composite of `body`, whose arguments are %0 and so on; shapes are separated by spaces."""
    inputs, outputs = ([f"tensor<{shape}xf32>" for shape in each.split()] for each in (arguments, results))
    parameters = ", ".join(f"%a{number}: {type_}" for number, type_ in enumerate(inputs))
    operands = ", ".join(f"%a{number}" for number in range(len(inputs)))
    module = sdy.parse(f"""
func.func @main({parameters}) {{
  %0 = stablehlo.composite "my.op" {operands} {{decomposition = @body}} : ({", ".join(inputs)}) -> ({outputs[0]})
  return
}}
func.func private @body({parameters}) -> {outputs[0]} {{
{body}
}}""")
    _modules.append(module)
    return ops_named(module.operation, "stablehlo.composite")[0]


_modules: list[ir.Module] = []


def test_pointwise_ops_pass_all_dimensions_on() -> None:
    op = composite("%0 = stablehlo.tanh %a0 : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>")
    assert str(rule_of(op)) == "<([i, j])->([i, j]) {i=4, j=8}>"


def test_a_transpose_is_followed() -> None:
    body = "%0 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>"
    op = composite(f"{body}\nreturn %0 : tensor<8x4xf32>", results="8x4")
    assert str(rule_of(op)) == "<([i, j])->([j, i]) {i=4, j=8}>"


def test_contracting_dimensions_stay_to_themselves() -> None:
    body = "%0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>)"
    op = composite(f"{body} -> tensor<4x2xf32>\nreturn %0 : tensor<4x2xf32>", "4x8 8x2", "4x2")
    assert str(rule_of(op)) == "<([i, k], [l, j])->([i, j]) {i=4, j=2, k=1, l=1}>"


def test_dimensions_that_meet_in_one_value_stay_to_themselves() -> None:
    """The sum of a matrix and its transpose couples rows and columns."""
    body = """%0 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %1 = stablehlo.add %0, %a0 : tensor<4x4xf32>
      return %1 : tensor<4x4xf32>"""
    assert rule_of(composite(body, "4x4", "4x4")) is None


def test_an_op_without_a_rule_lets_nothing_through() -> None:
    op = composite("""%0 = stablehlo.custom_call @sdy_testonly(%a0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>""")
    found: list[Diagnostic] = []
    with collecting(found.append):
        assert rule_of(op) is None
    assert [one.message.split(":")[0] for one in found] == [
        "'stablehlo.composite' op is an op without a known sharding rule"
    ]


def test_a_users_rule_for_the_name_comes_first() -> None:
    @sharding_rule(composite="my.op")
    def rule(op: OpSignature) -> str:
        return "i j -> i k"

    body = "%0 = stablehlo.tanh %a0 : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"
    found = rule_of(composite(body))
    assert found is not None and found.is_custom
    assert (found.operands, found.results) == ((((0,), (1,)),), (((0,), (2,)),))


def test_a_users_rule_for_another_name_does_not_count() -> None:
    sharding_rule(composite="my.other")(lambda op: None)
    op = composite("%0 = stablehlo.tanh %a0 : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>")
    assert str(rule_of(op)) == "<([i, j])->([i, j]) {i=4, j=8}>"


def test_a_decomposition_that_contains_itself_is_an_error() -> None:
    body = 'stablehlo.composite "my.op" %a0 {decomposition = @body} : (tensor<4x8xf32>) -> tensor<4x8xf32>'
    with pytest.raises(DiagnosticError, match="contains itself"):
        rule_of(composite(f"%0 = {body}\nreturn %0 : tensor<4x8xf32>"))


def test_a_sharded_composite_is_computed_as_a_whole() -> None:
    text = """sdy.mesh @mesh = <["a"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @body} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func private @body(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.tanh %a : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}"""
    local = sdy.partition(text).text
    assert '"my.op" %' in local and "(tensor<4x8xf32>) -> tensor<4x8xf32>" in local
    assert "%arg0: tensor<2x8xf32>" in local
