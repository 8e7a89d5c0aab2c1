"""Ops are found by name, wherever they are."""

from __future__ import annotations

import sdy
from sdy.mlir.search import branches_known, has_branches, ops_named

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


def test_branches_that_come_up_while_passes_run() -> None:
    """What is known of a module holds until something of which nobody knows what it does has run."""
    module = sdy.parse("func.func @main(%0: tensor<f32>) -> tensor<f32> { return %0 : tensor<f32> }").operation
    other = sdy.parse(BLOCKS).operation
    with branches_known(module) as branches:
        assert not has_branches(module) and has_branches(other)
        function = other.regions[0].blocks[0].operations[0].operation
        module.regions[0].blocks[0].append(function)
        branches.look_again()
        assert has_branches(module) and not has_branches(other)
        assert len(ops_named(module, "stablehlo.negate")) == 2
        function.erase()
        branches.look_again()
        assert not has_branches(module)
