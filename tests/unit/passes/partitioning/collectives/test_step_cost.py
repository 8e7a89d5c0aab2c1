"""What a run of a local program costs: bytes sent, bytes written and products, loops and calls multiplied out."""

from __future__ import annotations

import sdy
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.collectives.reconsider_shardings import StepCost, step_cost

SUM = """<{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>"""


def cost(text: str) -> StepCost:
    return step_cost(sdy.parse(text).operation)


def test_products_and_collectives() -> None:
    found = cost(f"""
func.func @main(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>) -> tensor<8x16xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = "stablehlo.all_reduce"(%0) {SUM}
  return %1 : tensor<8x16xf32>
}}""")
    assert found == StepCost(sent=2 * 3 / 4 * 512, written=2 * 512, products=2 * 8 * 16 * 32)
    assert found.seconds(Machine(flops=1000, bandwidth=1, directions=2, memory_bandwidth=16, efficiency=0.5)) == (
        768 / 2 + 1024 / 16 + 8192 / 500
    )


def test_loops_and_calls() -> None:
    found = cost("""
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8xf32> cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = func.call @shifted(%x) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
func.func private @shifted(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}""")
    assert found == StepCost(sent=3 * 32, written=3 * (32 + 4) + 4 * 1, products=0)


def test_convolutions() -> None:
    found = cost("""
func.func @main(%x: tensor<2x8x4xf32>, %k: tensor<3x4x6xf32>) -> tensor<2x6x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6xf32>
  return %0 : tensor<2x6x6xf32>
}""")
    assert found == StepCost(sent=0, written=2 * 6 * 6 * 4, products=2 * (2 * 6 * 6) * (3 * 4))
