"""Greedy rewriting: dead ops, new ops and users of replaced values are seen to, regions as upstream simplifies them."""

from __future__ import annotations

import sdy
from sdy.mlir import ir
from sdy.mlir.greedy import Rewriter, apply_greedily, erase_dead_ops
from sdy.mlir.rewriting import before, defining_op
from sdy.stablehlo import ops


def _names(module: ir.Module) -> list[str]:
    func = module.body.operations[0].operation
    return [view.operation.name for view in func.regions[0].blocks[0].operations]


def _negate_of_negate(op: ir.Operation, rewriter: Rewriter) -> bool:
    inner = defining_op(op.operands[0])
    if inner is None or inner.name != op.name:
        return False
    rewriter.replace(op, [inner.operands[0]])
    return True


def _exponential_to_negate(op: ir.Operation, rewriter: Rewriter) -> bool:
    new = ops.negate(op.operands[0], loc=op.location, ip=before(op))
    rewriter.created(new.owner.operation)
    rewriter.replace(op, [new])
    return True


def test_new_ops_and_users_of_replaced_values_are_visited() -> None:
    module = sdy.parse("""
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.abs %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}""")
    patterns = {"stablehlo.negate": [_negate_of_negate], "stablehlo.exponential": [_exponential_to_negate]}
    with module.context:
        assert apply_greedily(module.body.operations[0].operation, patterns)
        assert not apply_greedily(module.body.operations[0].operation, patterns)
    assert _names(module) == ["stablehlo.abs", "func.return"]


def test_what_the_region_of_a_dead_op_uses_goes_in_the_next_sweep() -> None:
    module = sdy.parse("""
func.func @f(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %0 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %a : tensor<4xf32>
}""")
    region = module.body.operations[0].operation.regions[0]
    with module.context:
        assert erase_dead_ops(region)
        assert _names(module) == ["stablehlo.abs", "func.return"]
        assert erase_dead_ops(region)
        assert _names(module) == ["func.return"]
        assert not erase_dead_ops(region)
