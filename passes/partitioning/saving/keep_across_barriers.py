"""sdy-keep-across-barriers: keeps what is sent where it would be computed and sent once more behind a barrier.

    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.optimization_barrier %a : tensor<8x8xf32>
    %3 = ...                                              // makes %0 once more, of %2
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    ...                                                   // %1 in the place of %4

So it is with layers that are written out and, as `jax.checkpoint` asks for, computed once more on the way back. Two
values are taken to be equal if the same ops make them of equal values. Cost model: memory is cheaper than sending; what
is smaller comes first, as long as all that is kept fits into `kept-bytes`.
"""

from __future__ import annotations

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_visible
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.emit.unused import erase_unused
from sdy.passes.partitioning.facts.layout import Layouts
from sdy.passes.partitioning.saving.analysis.kept_bytes import KeptBytesOptions
from sdy.passes.partitioning.saving.analysis.sending import SENDING
from sdy.passes.partitioning.saving.analysis.value_numbers import ValueNumbers, has_no_effects
from sdy.passes.registry import pass_


@pass_("sdy-keep-across-barriers", on="func.func", options=KeptBytesOptions)
def keep_across_barriers(func: ir.Operation, options: KeptBytesOptions) -> None:
    if not ops_named(func, "stablehlo.optimization_barrier"):
        return
    layouts = Layouts(MeshTable(func))
    replaced: list[ir.Value] = []
    for first, again in options.that_fit(_sent_again(func), lambda found: _size(found[0], layouts)):
        for op in again:
            op.results[0].replace_all_uses_with(first.results[0])
            replaced.append(op.results[0])
    erase_unused(replaced, has_no_effects)


def _sent_again(func: ir.Operation) -> list[tuple[ir.Operation, list[ir.Operation]]]:
    """Collectives that later ones repeat, with those."""
    numbers = ValueNumbers()
    firsts: dict[tuple[int, TensorSharding | None], list[tuple[ir.Operation, list[ir.Operation]]]] = {}
    for op in ops_named(func, *sorted(SENDING)):
        value = op.results[0]
        known = firsts.setdefault((numbers.of(value), get_sharding(value)), [])
        again = next((again for first, again in known if is_visible(first, op)), None)
        if again is None:
            known.append((op, []))
        else:
            again.append(op)
    return [each for known in firsts.values() for each in known if each[1]]


def _size(op: ir.Operation, layouts: Layouts) -> float:
    """The bytes of the result on each device."""
    value = op.results[0]
    return layouts.of(value.type, get_sharding(value)).local_bytes
