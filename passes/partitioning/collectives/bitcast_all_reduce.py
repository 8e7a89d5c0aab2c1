"""Sums of lookups that keep the bits of numbers."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, moved_type
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of, with_sharding
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.passes.partitioning.analysis.signs_of_zeros import bits_matter
from sdy.passes.partitioning.collectives.analysis.sending import is_looked_up, summed_axes
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo.ops import Builder


@pattern("bitcast-all-reduces", "sdy.all_reduce", "sdy.reduce_scatter")
def bitcast_all_reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Add up the results of lookups in parts of a table as integers of the same bits.

    A device has zeros for elements that others look up, so the sum only moves elements. As integers they arrive
    unchanged, -0.0 and denormals included. Integers of 32 and 64 bits are summed as fast. Results whose users ignore
    the sign of zero, such as comparisons and sums of products, stay.

    %0 = "stablehlo.gather"(%table, %indices) ...                      // %table: [{"x"}, {}]
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    ==>  %1 = stablehlo.bitcast_convert %0 {... unreduced={"x"}} : (tensor<8x4xf32>) -> tensor<8x4xi32>
         %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xi32>
         %3 = stablehlo.bitcast_convert %2 : (tensor<8x4xi32>) -> tensor<8x4xf32>
    """
    element = op.results[0].type.element_type
    if moved_type(element) == element or not is_looked_up(op, summed_axes(op)):
        return rewriter.no_match(op, "it adds up other results than those of lookups")
    if not bits_matter(op.results[0]):
        return rewriter.no_match(op, "users give the same for any zero")
    _as_bits(op, element)
    return True


def _as_bits(op: ir.Operation, element: ir.Type) -> None:
    value, result = op.operands[0], op.results[0]
    bits = with_sharding(bits_of(Builder.before(op), value), get_sharding(value))
    op.operands[0] = bits
    result.set_type(bits.type)
    slots = uses_of(result)
    numbers = from_bits(Builder.after(op), result, element)
    use_instead(slots, with_sharding(numbers, attributes.get(op, "out_sharding")))
