"""Ops are found by name, wherever they are."""

from __future__ import annotations

import sdy
from sdy.mlir.search import ops_named

BLOCKS = """
func.func @main(%0: tensor<f32>) -> tensor<f32> {
  cf.br ^end(%0 : tensor<f32>)
^nowhere:
  %1 = stablehlo.negate %0 : tensor<f32>
  cf.br ^end(%1 : tensor<f32>)
^end(%2: tensor<f32>):
  %3 = stablehlo.negate %2 : tensor<f32>
  return %3 : tensor<f32>
}
"""


def test_blocks_that_no_branch_goes_to() -> None:
    module = sdy.parse(BLOCKS)
    found = ops_named(module.body.operations[0].operation, "stablehlo.negate")
    assert [str(op.operands[0].type) for op in found] == ["tensor<f32>"] * 2
