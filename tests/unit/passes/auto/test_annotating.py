"""How plans are written into programs."""

from __future__ import annotations

import pytest

import sdy
from benchmarks.auto_partitioning.measured import MESHES, planned
from benchmarks.auto_partitioning.programs import PROGRAMS
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisRef
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.auto.annotating import Annotations, write

PROGRAM = """
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x8xf32>, %more: tensor<i1>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  %1 = "stablehlo.if"(%more) ({
    %3 = stablehlo.negate %0 : tensor<8x8xf32>
    stablehlo.return %3 : tensor<8x8xf32>
  }, {
    stablehlo.return %x : tensor<8x8xf32>
  }) : (tensor<i1>) -> tensor<8x8xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""

A, B = AxisRef("a"), AxisRef("b")


def test_operands_that_share_a_step() -> None:
    """It is behind the value, outside of the branch; what is needed otherwise comes from it."""
    module = sdy.parse(PROGRAM).operation
    numbers = {op.name: number for number, op in enumerate(pre_order(module))}
    negate, multiply = numbers["stablehlo.negate"], numbers["stablehlo.multiply"]
    copy, other = ((A,), ()), ((A,), (B,))
    steps = {(negate, 0): copy, (multiply, 0): copy}
    uses = {(negate, 0): copy, (multiply, 0): other, (multiply, 1): other}
    with module.context:
        write(module, "mesh", Annotations(uses=uses, steps=steps), "full")
    moves = [op for op in pre_order(module) if op.name == "sdy.sharding_constraint"]
    first, *rest = moves
    assert [layout_of(op) for op in moves] == [copy, other, other]
    assert first.operands[0].owner.name == "stablehlo.tanh"
    assert [op.name for op in pre_order(module)].index("stablehlo.if") == numbers["stablehlo.if"] + 1, "it is before"
    assert [op.operands[0] for op in rest] == [first.results[0], first.operands[0]]
    (negated,) = (op for op in pre_order(module) if op.name == "stablehlo.negate")
    assert negated.operands[0] == first.results[0]


def layout_of(op: ir.Operation) -> tuple[tuple[AxisRef, ...], ...]:
    sharding = get_sharding(op.results[0])
    assert sharding is not None
    return tuple(dim.axes for dim in sharding.dims)


@pytest.mark.slow  # a transformer is planned
def test_what_is_moved_once_for_several_uses() -> None:
    """With a slow axis it is cheaper to move embedded tokens on from where the first layer needs them."""
    sizes, machine = MESHES["slow"]
    plan, _ = planned(PROGRAMS["transformer_2"]().text(), sizes, machine)
    assert plan.cost.step == pytest.approx(plan.predicted.step, rel=0.02)
    assert "collective_permute" not in {one.kind for one in sdy.auto.estimate(plan.text, machine).collectives}
