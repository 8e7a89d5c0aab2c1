"""sdy-merge-local-collectives: in the program of one device, the same data is sent the same way only once.

    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...
    %2 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 2, ...>, source_target_pairs = ...}> : ...
==> %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...

As `sdy-merge-equal-collectives` does before; here are also those of exchanges, of which several may need the same data
of a neighbour: a convolution and the gradient of its kernel. A collective takes the place of all later ones with the
same operands and attributes, channels apart, in its block and in blocks inside of it; ops that then do the same with
the same values are merged, too, and collectives behind them. Cost model: fewer collectives are always better; the
result may be live for longer. A concatenate with received rows that is used on both sides of the memory peak is
rematerialized after it, if only these rows have to be kept for that.

    %1 = stablehlo.concatenate %sent, %0, dim = 0                 // used at once, and behind the peak
==> %1 = stablehlo.concatenate %sent, %0, dim = 0                 // used at once
    %2 = stablehlo.optimization_barrier %sent : tensor<2x8xf32>
    %3 = stablehlo.concatenate %2, %0, dim = 0                    // used behind the peak
"""

from __future__ import annotations

from collections.abc import Hashable

from sdy.dialect.value_numbers import has_no_effects, merge_equal, op_key
from sdy.mlir import ir
from sdy.mlir.rewriting import users
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity
from sdy.passes.partitioning.saving.analysis.rematerialize_halo_concat import rematerialize_halo_concat
from sdy.passes.registry import pass_

_NAMES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


@pass_("sdy-merge-local-collectives", on="func.func")
def merge_local_collectives(func: ir.Operation) -> None:
    while _merge_users(merge_equal(ops_named(func, *_NAMES), ignoring=("channel_handle",))[1]):
        pass
    rematerialize_halo_concat(func)


def _merge_users(shared: list[ir.Value]) -> bool:
    """Merge ops that compute the same of what is shared now, and so on; whether there are any."""
    pending, found = list(shared), False
    while pending:
        value = pending.pop()
        first: dict[Hashable, ir.Operation] = {}
        for op in {identity(user): user for user in users(value)}.values():
            if not has_no_effects(op) or len(op.regions) or len(op.results) != 1:
                continue
            earlier = first.setdefault((op_key(op), op.block), op)
            if earlier == op:
                continue
            if op.is_before_in_block(earlier):
                earlier.move_before(op)
            op.results[0].replace_all_uses_with(earlier.results[0])
            op.erase()
            pending.append(earlier.results[0])
            found = True
    return found
