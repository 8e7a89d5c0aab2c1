"""A copy propagates as the module itself does."""

from __future__ import annotations

from typing import Any

import sdy
from sdy.mlir.walk import pre_order
from sdy.programs.bytecode import exact_copy

PROGRAM = """
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8xi32>, %i: tensor<i32>) -> tensor<8xi32> {
  %0:2 = stablehlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<8xi32>
  cond {
    %c = stablehlo.compare LT, %a, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = stablehlo.add %x, %x : tensor<8xi32>
    stablehlo.return %a, %1 : tensor<i32>, tensor<8xi32>
  }
  %2 = sdy.manual_computation(%0#0, %x) in_shardings=[<@mesh, []>, <@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
      manual_axes={"a"} (%n: tensor<i32>, %y: tensor<4xi32>) {
    sdy.return %y : tensor<4xi32>
  } : (tensor<i32>, tensor<8xi32>) -> tensor<8xi32>
  %3 = stablehlo.subtract %x, %2 : tensor<8xi32>
  return %3 : tensor<8xi32>
}
"""


def users(module: Any) -> list[list[tuple[str, int]]]:
    """The users of each value, in the order in which it lists them."""
    values = []
    for op in pre_order(module.operation):
        blocks = [block for region in op.regions for block in region]
        values += [*op.results, *(argument for block in blocks for argument in block.arguments)]
    return [[(use.owner.operation.name, use.operand_number) for use in value.uses] for value in values]


def test_users_keep_their_order() -> None:
    module = sdy.parse(PROGRAM)
    copy = exact_copy(module)
    assert users(copy) == users(module)
    assert users(module.operation.clone()) != users(module)
    assert sdy.print_module(copy) == sdy.print_module(module)
