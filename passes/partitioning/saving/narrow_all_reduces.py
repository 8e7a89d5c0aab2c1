"""sdy-narrow-all-reduces: converts what was looked up before the devices add it up, if it gets smaller by that.

    %0 = "stablehlo.gather"(%table, %indices) ...                      // %table: [{"x"}, {}]
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
==> %1 = stablehlo.convert %0 {... unreduced={"x"}} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xbf16>

A device has what others look up as zeros. So there is one number in each sum, and it does not matter whether that or
the sum is rounded. All users have to be the same conversion. Cost model: bytes get fewer by as much as elements get
smaller; every device converts its part instead of the sum.
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.operand_slots import uses_of
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import bits
from sdy.passes.partitioning.saving.analysis.sending import is_looked_up, summed_axes
from sdy.passes.registry import pass_


@pass_("sdy-narrow-all-reduces", on="func.func")
def narrow_all_reduces(func: ir.Operation) -> None:
    for op in ops_named(func, "sdy.all_reduce"):
        conversions = [slot.user for slot in uses_of(op.results[0])]
        if (
            is_looked_up(op, summed_axes(op))
            and conversions
            and all(_is_alike(each, conversions[0]) for each in conversions)
        ):
            _convert_first(op, conversions)


def _is_alike(user: ir.Operation, first: ir.Operation) -> bool:
    """Whether `user` converts to smaller floating-point numbers, and to the same ones as `first`."""
    if user.name != "stablehlo.convert" or user.results[0].type != first.results[0].type:
        return False
    before, after = user.operands[0].type.element_type, user.results[0].type.element_type
    is_float = isinstance(before, ir.FloatType) and isinstance(after, ir.FloatType)
    return is_float and bits(after) < bits(before)


def _convert_first(op: ir.Operation, conversions: list[ir.Operation]) -> None:
    value, out = op.operands[0], attributes.get(op, "out_sharding")
    parts = get_sharding(value)
    assert parts is not None
    where = ir.InsertionPoint(op)
    converted = conversions[0].clone(ip=where).operation
    converted.operands[0] = value
    set_sharding(converted.results[0], parts)
    added = builders.all_reduce(converted.results[0], summed_axes(op), out, Reduction.SUM, loc=op.location, ip=where)
    for each in conversions:
        each.results[0].replace_all_uses_with(added)
        each.erase()
    op.erase()
