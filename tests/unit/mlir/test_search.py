"""Ops are found by name, wherever they are."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import branches_known, has_branches, ops_except, ops_named

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


def _long_program(count: int) -> str:
    plain = (f"%{number + 1} = stablehlo.negate %{number} : tensor<f32>" for number in range(count))
    last = f"""
      %a = stablehlo.abs %{count} : tensor<f32>
      %b = stablehlo.negate %a {{kept}} : tensor<f32>
      %c = stablehlo.reduce(%v init: %b) applies stablehlo.add across dimensions = [0]
        : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    """
    body = "\n".join([*plain, last])
    return f"func.func @main(%0: tensor<f32>, %v: tensor<4xf32>) -> tensor<f32> {{\n{body}\nreturn %c : tensor<f32>\n}}"


@pytest.mark.parametrize("count", [3, 400])
def test_all_but_frequent_ops(count: int) -> None:
    """In small programs they are found in Python, in others by patterns: they are the same, in the same order."""
    module = sdy.parse(_long_program(count)).operation
    found = [op.name for op in ops_except(module, ("stablehlo.negate", "stablehlo.add"), unless_with="kept")]
    expected = "stablehlo.abs stablehlo.negate stablehlo.return stablehlo.reduce func.return func.func".split()
    assert found == expected


def test_last_op_of_a_block() -> None:
    """One of an unknown dialect, which may be a terminator, too."""
    context = sdy.make_context(allow_unregistered_dialects=True)
    module = sdy.parse('func.func @main() {\n"my.op"() : () -> ()\n"my.end"() : () -> ()\n}', context=context)
    known = sdy.parse("func.func @main() {\nreturn\n}", context=context)
    ends = [terminator(each.body.operations[0].operation.regions[0].blocks[0]).name for each in (module, known)]
    assert ends == ["my.end", "func.return"]
