"""How often sums in loops are taken."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.search import ops_named
from sdy.stablehlo.idioms.loops import rounds_of

LOOP = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %count = stablehlo.constant dense<{count}> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32>
   cond {{
    %more = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %negated = stablehlo.negate %y : tensor<8xf32>
    stablehlo.return %next, %negated : tensor<i32>, tensor<8xf32>
  }}
  return %0#1 : tensor<8xf32>
}}
"""


@pytest.mark.parametrize(("count", "rounds"), [(0, 1), (1, 1), (5, 5)])
def test_what_never_runs_counts_as_one_round(count: int, rounds: int) -> None:
    module = sdy.parse(LOOP.format(count=count))
    (body,) = ops_named(module.operation, "stablehlo.negate")
    assert rounds_of(body.block) == rounds
