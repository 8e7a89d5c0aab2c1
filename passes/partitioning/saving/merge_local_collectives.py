"""sdy-merge-local-collectives: in the program of one device, the same data is sent the same way only once.

    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...
    %2 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 2, ...>, source_target_pairs = ...}> : ...
==> %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...

As `sdy-merge-equal-collectives` does before; here are also those of exchanges, of which several may need the same data
of a neighbour: a convolution and the gradient of its kernel. A collective takes the place of all later ones with the
same operands and attributes, channels apart, in its block and in blocks inside of it; ops that then do the same with
the same values are merged, too, and collectives behind them. Cost model: fewer collectives are always better; the
result may be kept for longer. What is joined with it need not be: a concatenate that is used on both sides of where the
device holds most is done once more behind that, if only what was sent has to be kept for it.

    %1 = stablehlo.concatenate %sent, %0, dim = 0                 // used at once, and behind the peak
==> %1 = stablehlo.concatenate %sent, %0, dim = 0                 // used at once
    %2 = stablehlo.optimization_barrier %sent : tensor<2x8xf32>
    %3 = stablehlo.concatenate %2, %0, dim = 0                    // used behind the peak
"""

from __future__ import annotations

from collections.abc import Hashable

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_visible, users
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity
from sdy.passes.partitioning.saving.analysis.joined_again import join_again
from sdy.passes.partitioning.saving.analysis.value_numbers import has_no_effects
from sdy.passes.registry import pass_
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_NAMES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


@pass_("sdy-merge-local-collectives", on="func.func")
def merge_local_collectives(func: ir.Operation) -> None:
    while _merge_users(_merge(func)):
        pass
    join_again(func)


def _merge(func: ir.Operation) -> list[ir.Value]:
    """Merges collectives on the same values; gives the results that have got further users."""
    known: dict[Hashable, list[ir.Operation]] = {}
    shared: list[ir.Value] = []
    for op in ops_named(func, *_NAMES):
        key = _key(op)
        if key is None:
            continue
        equal = known.setdefault(key, [])
        earlier = next((other for other in equal if is_visible(other, op)), None)
        if earlier is None:
            equal.append(op)
            continue
        for result, same in zip(op.results, earlier.results, strict=True):
            result.replace_all_uses_with(same)
            shared.append(same)
        op.erase()
    return shared


def _merge_users(shared: list[ir.Value]) -> bool:
    """Merges ops that do the same with what is shared now, and so on; whether there are any."""
    pending, found = list(shared), False
    while pending:
        value = pending.pop()
        first: dict[Hashable, ir.Operation] = {}
        for op in {identity(user): user for user in users(value)}.values():
            if not has_no_effects(op) or len(op.regions) or len(op.results) != 1:
                continue
            attributes = op.attributes
            told = tuple((name, attributes[name]) for name in sorted(attributes))
            earlier = first.setdefault((op.name, tuple(op.operands), told, op.results[0].type, op.block), op)
            if earlier == op:
                continue
            if op.is_before_in_block(earlier):
                earlier.move_before(op)
            op.results[0].replace_all_uses_with(earlier.results[0])
            op.erase()
            pending.append(earlier.results[0])
            found = True
    return found


def _key(op: ir.Operation) -> Hashable | None:
    """Equal for collectives that give the same; None for reductions whose body is more than one op."""
    bodies = tuple(names and tuple(names) for names in map(combining_ops, op.regions))
    if None in bodies:
        return None
    attributes = op.attributes
    told = tuple((name, attributes[name]) for name in sorted(attributes) if name != "channel_handle")
    return op.name, tuple(op.operands), told, bodies
