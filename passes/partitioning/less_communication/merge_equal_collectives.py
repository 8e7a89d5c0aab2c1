"""sdy-merge-equal-collectives: the same data is sent the same way only once, and nothing is sent that nobody needs.

    %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>

A collective takes the place of all later ones with the same operand and attributes in its block and in blocks inside of
it. Cost model: fewer collectives are always better; the result may be kept for longer.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, MutableMapping

from sdy.dialect.functions import has_body
from sdy.dialect.ops import COLLECTIVES
from sdy.dialect.walk import post_order
from sdy.mlir import ir
from sdy.passes.partitioning.less_communication.unused import erase_unused, is_unused
from sdy.passes.registry import pass_

_Known = MutableMapping[Hashable, ir.Value]


@pass_("sdy-merge-equal-collectives", on="func.func")
def merge_equal_collectives(func: ir.Operation) -> None:
    if has_body(func):
        _merge_in(func, {})
        erase_unused([op.results[0] for op in post_order(func) if op.name in COLLECTIVES and is_unused(op)])


def _merge_in(op: ir.Operation, known: _Known) -> None:
    """Merges in the regions of `op`; `known` are the results that are visible there."""
    for region in op.regions:
        for block in region.blocks:
            seen: _Known = ChainMap({}, known)
            for nested in [view.operation for view in block.operations]:
                if nested.name in COLLECTIVES:
                    _merge(nested, seen)
                elif len(nested.regions):
                    _merge_in(nested, {} if nested.name == "sdy.manual_computation" else seen)


def _merge(op: ir.Operation, seen: _Known) -> None:
    attributes = op.attributes
    key = (op.name, op.operands[0], tuple((name, attributes[name]) for name in sorted(attributes)))
    earlier = seen.setdefault(key, op.results[0])
    if earlier != op.results[0]:
        op.results[0].replace_all_uses_with(earlier)
        op.erase()
