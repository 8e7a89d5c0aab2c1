"""Types of sdy ops by the functions that StableHLO's ops are asked by."""

from __future__ import annotations

from typing import Any

import pytest

import sdy
import sdy.dialect.definition.inferred_types
from sdy.dialect.builders import OPS
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.stablehlo import InferenceError, infer_return_types, registered_ops
from sdy.stablehlo.verification import verify_region
from tests.unverified import refusals

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<8x?xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<8x?xf32>
  %2 = sdy.constant dense<1.0> : tensor<4xf32>
  %e = stablehlo.optimization_barrier %2 : tensor<4xf32>
  %3 = sdy.data_flow_edge %e sharding=<@mesh, [{}]> : tensor<4xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8x?xf32>
  %4:2 = sdy.named_computation<"f">(%1, %3) (%a: tensor<8x?xf32>, %b: tensor<4xf32>) {
    sdy.return %a, %b : tensor<8x?xf32>, tensor<4xf32>
  } : (tensor<8x?xf32>, tensor<4xf32>) -> (tensor<8x?xf32>, tensor<4xf32>)
  return %4#0 : tensor<8x?xf32>
}"""


def test_every_op_but_one_is_known() -> None:
    """The types of a manual computation follow from its shardings, which its own verifier reads."""
    unknown = set(OPS) - set(registered_ops())
    assert unknown == {"sdy.manual_computation"}


def test_types_are_those_declared() -> None:
    module = sdy.parse(PROGRAM)
    assert refusals(module.operation) == []
    asked = 0
    for op in pre_order(module.operation):
        if op.name.startswith("sdy.") and op.name != "sdy.data_flow_edge":
            inferred = infer_return_types(op.name, list(op.operands), op.attributes, list(op.regions))
            assert inferred == [result.type for result in op.results]
            asked += 1
    assert asked == 7


def _op(module: Any, name: str) -> Any:
    return next(op for op in pre_order(module.operation) if op.name == name)


@pytest.mark.parametrize("name", ["sdy.reshard", "sdy.named_computation", "sdy.constant"])
def test_types_have_to_be_equal(name: str) -> None:
    module = sdy.parse(PROGRAM)
    op = _op(module, name)
    other = {"sdy.constant": "tensor<?xf32>"}.get(name, "tensor<8x4xf32>")
    with module.context:
        op.results[0].set_type(ir.Type.parse(other))
    with pytest.raises(InferenceError, match="_results"):
        verify_region(op)


def test_an_empty_body_says_nothing() -> None:
    with pytest.raises(InferenceError, match="named_computation_body"):
        infer_return_types("sdy.named_computation", [], {})
