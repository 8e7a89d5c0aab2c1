"""sdy-merge-equal-collectives: the same data is sent the same way only once, and nothing is sent that nobody needs.

    %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>

A collective takes the place of all later ones with the same operand and attributes in its block and in blocks inside of
it. Cost model: fewer collectives are always better; the result may be kept for longer.
"""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.value_numbers import merge_equal
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-merge-equal-collectives", on="func.func")
def merge_equal_collectives(func: ir.Operation) -> None:
    kept, _ = merge_equal(ops_named(func, *sorted(COLLECTIVES)))
    erase_unused(op.results[0] for op in kept)
