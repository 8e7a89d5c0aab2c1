"""Until when values are needed: by ops, by what is inside of ops, and under other names."""

from __future__ import annotations

import sdy
from sdy.mlir.functions import body, main_function
from sdy.passes.costs.liveness import LastUses

PROGRAM = """func.func @main(%a: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.exponential %a : tensor<8xf32>
  %3 = stablehlo.while(%x = %2) : tensor<8xf32> cond {
    %c = stablehlo.compare EQ, %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %4 = stablehlo.reshape %1 : (tensor<2x4xf32>) -> tensor<8xf32>
    %5 = stablehlo.add %x, %4 : tensor<8xf32>
    %6 = stablehlo.negate %5 : tensor<8xf32>
    stablehlo.return %5 : tensor<8xf32>
  }
  return %3 : tensor<8xf32>
}"""


def test_where_values_are_used_last() -> None:
    module = sdy.parse(PROGRAM)
    block = body(main_function(module.operation))
    uses = LastUses(block, {"stablehlo.reshape": lambda op: ((op.results[0], op.operands[0]),)})
    negated, renamed, _, loop = (op.results[0] for op in uses.ops[block][:-1])
    a, n = block.arguments
    assert [uses.last(value, block) for value in (a, n, negated, loop)] == [2, 3, 3, 4]
    _, inner = uses.inside[block][3]
    named, added, unused, _ = uses.ops[inner]
    assert uses.is_name(renamed) and uses.is_name(named.results[0]) and not uses.is_name(added.results[0])
    assert uses.source(named.results[0]) == uses.source(negated)
    assert uses.last(negated, inner) == 1
    assert uses.last(added.results[0], inner) == 3
    assert uses.last(added.results[0], block) == 3
    assert uses.last(unused.results[0], inner) is None
    assert module is not None
