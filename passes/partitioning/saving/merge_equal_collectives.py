"""sdy-merge-equal-collectives: the same data is sent the same way only once, and nothing is sent that nobody needs.

    %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>

A collective takes the place of all later ones with the same operand and attributes in its block and in blocks inside of
it. Cost model: fewer collectives are always better; the result may be kept for longer.
"""

from __future__ import annotations

from collections.abc import Hashable

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_unused, is_visible
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-merge-equal-collectives", on="func.func")
def merge_equal_collectives(func: ir.Operation) -> None:
    known: dict[Hashable, list[ir.Operation]] = {}
    kept: list[ir.Operation] = []
    for op in ops_named(func, *sorted(COLLECTIVES)):
        attributes = op.attributes
        key = (op.name, op.operands[0], tuple((name, attributes[name]) for name in sorted(attributes)))
        equal = known.setdefault(key, [])
        earlier = next((other for other in equal if is_visible(other, op)), None)
        if earlier is None:
            equal.append(op)
            kept.append(op)
        else:
            op.results[0].replace_all_uses_with(earlier.results[0])
            op.erase()
    erase_unused([op.results[0] for op in kept if is_unused(op)])
