"""sdy-static-slices: a dynamic slice whose place is known is a slice.

    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.dynamic_slice %0, %c, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
==> %1 = stablehlo.slice %0 [2:6] : (tensor<8xf32>) -> tensor<4xf32>

Shardings travel along the dimensions of slices, and not along those of which a part is taken that may be anywhere. XLA
does the same before it propagates. Cost model: none, both cost what moves the elements.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.ops import Builder


@pass_("sdy-static-slices", on="func.func")
def static_slices(func: ir.Operation) -> None:
    for cut in views.DynamicSlice.all_in(func):
        starts = _starts(cut)
        if starts is None:
            continue
        limits = [start + size for start, size in zip(starts, cut.slice_sizes, strict=True)]
        made = Builder.before(cut.op).slice(cut.operand, starts, limits)
        if SHARDING in cut.op.attributes:
            made.owner.operation.attributes[SHARDING] = cut.op.attributes[SHARDING]
        cut.result.replace_all_uses_with(made)
        cut.op.erase()


def _starts(cut: views.DynamicSlice) -> list[int] | None:
    """Where the slice starts, moved so that it fits; None if that is not known."""
    if not cut.start_indices or not cut.operand.type.has_static_shape:
        return None
    numbers = list(map(splat_integer, cut.start_indices))
    room = [size - part for size, part in zip(cut.operand.type.shape, cut.slice_sizes, strict=True)]
    known = [min(max(number, 0), most) for number, most in zip(numbers, room, strict=True) if number is not None]
    return known if len(known) == len(numbers) else None
