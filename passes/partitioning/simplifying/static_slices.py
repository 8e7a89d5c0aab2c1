"""sdy-static-slices: a dynamic slice whose place is known is a slice.

    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.dynamic_slice %0, %c, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
==> %1 = stablehlo.slice %0 [2:6] : (tensor<8xf32>) -> tensor<4xf32>

Shardings travel along the dimensions of slices, and not along those of which a part is taken that may be anywhere. XLA
does the same before it propagates. Cost model: none, both cost what moves the elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.ops import Builder


@pass_("sdy-static-slices", on="func.func")
def static_slices(func: ir.Operation) -> None:
    for op in ops_named(func, "stablehlo.dynamic_slice"):
        starts = _starts(op)
        if starts is None:
            continue
        made = _slice(op, starts)
        if SHARDING in op.attributes:
            made.attributes[SHARDING] = op.attributes[SHARDING]
        op.results[0].replace_all_uses_with(made.results[0])
        op.erase()


def _starts(op: ir.Operation) -> list[int] | None:
    """Where the slice starts, moved so that it fits; None if that is not known."""
    operand, *indices = op.operands
    if not indices or not operand.type.has_static_shape:
        return None
    numbers = list(map(splat_integer, indices))
    room = [size - part for size, part in zip(operand.type.shape, op.results[0].type.shape, strict=True)]
    known = [min(max(number, 0), most) for number, most in zip(numbers, room, strict=True) if number is not None]
    return known if len(known) == len(numbers) else None


def _slice(op: ir.Operation, starts: Sequence[int]) -> ir.Operation:
    limits = [start + size for start, size in zip(starts, op.results[0].type.shape, strict=True)]
    return Builder.before(op).slice(op.operands[0], starts, limits).owner.operation
