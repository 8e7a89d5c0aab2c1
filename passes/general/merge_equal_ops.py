"""sdy-merge-equal-ops: ops that give the same become one, those in a loop among themselves.

    %0 = stablehlo.transpose %w, dims = [1, 0]
    %1 = stablehlo.transpose %w, dims = [1, 0]
    stablehlo.while(%x = %a) ... do {
      %2 = stablehlo.transpose %w, dims = [1, 0]
      %3 = stablehlo.transpose %w, dims = [1, 0]
==> %0 = stablehlo.transpose %w, dims = [1, 0]
    stablehlo.while(%x = %a) ... do {
      %2 = stablehlo.transpose %w, dims = [1, 0]

The upstream `cse` would take what is before the loop for what is in it, too. A device then held the transposed weight
while the loop runs; in it, it is mostly part of a product and takes no memory. Cost: the op is computed in each round,
as the program says, unless XLA moves it out of the loop.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.manager import run_upstream
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo.idioms.loop_variables import WHILE

_LOOP = "innermost_loop"
"""The attribute by which ops in a loop differ from those around it; only while ops are merged."""


@pass_("sdy-merge-equal-ops", on=FUNCTION)
def merge_equal_ops(func: ir.Operation) -> None:
    # An op in several loops gets the number of the innermost one, which comes last.
    loops = sorted(ops_named(func, WHILE), key=_depth)
    inside = [(number, op) for number, loop in enumerate(loops) for op in pre_order(loop) if op != loop]
    with func.context:
        numbers = [ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number) for number in range(len(loops))]
    for number, op in inside:
        op.attributes[_LOOP] = numbers[number]
    run_upstream("func.func(cse)", func)
    for loop in ops_named(func, WHILE):
        for op in pre_order(loop):
            if _LOOP in op.attributes:
                del op.attributes[_LOOP]


def _depth(op: ir.Operation) -> int:
    around = op.parent
    return 0 if around is None else 1 + _depth(around.operation)
