"""sdy-merge-local-collectives: in the program of one device, the same data is sent the same way only once.

    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...
    %2 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 2, ...>, source_target_pairs = ...}> : ...
==> %1 = "stablehlo.collective_permute"(%0) <{channel_handle = ...<handle = 1, ...>, source_target_pairs = ...}> : ...

As `sdy-merge-equal-collectives` does before; here are also those of exchanges, of which several may need the same data
of a neighbour: a convolution and the gradient of its kernel. A collective takes the place of all later ones with the
same operands and attributes, channels apart, in its block and in blocks inside of it. Cost model: fewer collectives are
always better; the result may be kept for longer.
"""

from __future__ import annotations

from collections.abc import Hashable

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_visible
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_NAMES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


@pass_("sdy-merge-local-collectives", on="func.func")
def merge_local_collectives(func: ir.Operation) -> None:
    known: dict[Hashable, list[ir.Operation]] = {}
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
        op.erase()


def _key(op: ir.Operation) -> Hashable | None:
    """Equal for collectives that give the same; None for reductions whose body is more than one op."""
    bodies = tuple(names and tuple(names) for names in map(combining_ops, op.regions))
    if None in bodies:
        return None
    attributes = op.attributes
    told = tuple((name, attributes[name]) for name in sorted(attributes) if name != "channel_handle")
    return op.name, tuple(op.operands), told, bodies
