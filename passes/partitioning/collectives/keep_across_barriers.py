"""Keeps what is sent where it would be computed and sent once more behind a barrier.

    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.optimization_barrier %a : tensor<8x8xf32>
    %3 = ...                                              // makes %0 once more, of %2
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    ...                                                   // %1 in the place of %4

So it is with layers that are written out and, as `jax.checkpoint` asks for, computed once more on the way back. Two
values are taken to be equal if the same ops make them of equal values. Cost model: the program threw this away to save
memory, so that it is kept only while the device holds less than at its peak anyway, unless `kept-bytes` are granted;
what saves most for each byte comes first.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.value_numbers import ValueNumbers, has_no_effects
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import is_visible
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.collectives.analysis.kept_bytes import (
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    within_remat_budget,
)
from sdy.passes.partitioning.collectives.analysis.sending import SENDING, sent_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern


@function_pattern("keep-across-barriers", "stablehlo.optimization_barrier")
def keep_across_barriers(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Reuse the results of collectives behind a barrier."""
    replaced: list[ir.Value] = []
    for first, again in within_remat_budget(rewriter, _sent_again(func), _candidate):
        for op in again:
            op.results[0].replace_all_uses_with(first.results[0])
            replaced.append(op.results[0])
    erase_unused(replaced, has_no_effects)
    return bool(replaced)


_Repeated = tuple[ir.Operation, list[ir.Operation]]
"""A collective, and later ones that give the same."""


def _candidate(repeated: _Repeated, live: LiveBytes, layouts: Layouts) -> Candidate[_Repeated]:
    first, again = repeated
    block, size = first.block, live.size(first.results[0])
    start = live.last_use(first.results, block)
    kept = Span(block, start + 1, live.last_use([op.results[0] for op in again], block), size)
    instead = [Span(op.block, live.number(op, op.block), live.last_use(op.results, op.block), -size) for op in again]
    return Candidate(repeated, len(again) * sent_bytes(first, layouts), (kept, *instead))


def _sent_again(func: ir.Operation) -> list[_Repeated]:
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
