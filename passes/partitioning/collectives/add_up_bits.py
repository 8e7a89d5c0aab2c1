"""sdy-add-up-bits: what devices looked up in their parts of a table is added up as integers of the same bits.

    %0 = "stablehlo.gather"(%table, %indices) ...                      // %table: [{"x"}, {}]
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
==> %1 = stablehlo.bitcast_convert %0 {... unreduced={"x"}} : (tensor<8x4xf32>) -> tensor<8x4xi32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xi32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<8x4xi32>) -> tensor<8x4xf32>

A device has what others look up as zeros, so that the sum only moves numbers; as integers they arrive as they are, -0.0
and numbers close to zero included. It is so for numbers of 32 and 64 bits, whose sums are no slower as integers, unless
all that is made of them are products that are added up, comparisons and the like, which give the same for any zero.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, moved_type
from sdy.dialect.ir_builders.with_sharding import marked, use_instead, uses_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.collectives.analysis.sending import is_looked_up, summed_axes
from sdy.passes.partitioning.facts.signs_of_zeros import bits_matter
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-add-up-bits", on="func.func")
def add_up_bits(func: ir.Operation) -> None:
    for op in ops_named(func, "sdy.all_reduce", "sdy.reduce_scatter"):
        element = op.results[0].type.element_type
        if moved_type(element) == element or not is_looked_up(op, summed_axes(op)):
            continue
        if bits_matter(op.results[0]):
            _as_bits(op, element)


def _as_bits(op: ir.Operation, element: ir.Type) -> None:
    value, result = op.operands[0], op.results[0]
    bits = marked(bits_of(Builder.before(op), value), get_sharding(value))
    op.operands[0] = bits
    result.set_type(bits.type)
    slots = uses_of(result)
    numbers = from_bits(Builder.after(op), result, element)
    use_instead(slots, marked(numbers, attributes.get(op, "out_sharding")))
