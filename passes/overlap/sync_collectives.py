"""sdy-sync-collectives: makes asynchronous operations synchronous: each becomes the op that it holds.

    %f = "stablehlo.async_start"(%a) ({
      "stablehlo.all_gather" ...
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
==> %0 = "stablehlo.all_gather"(%a) <{...}> : (tensor<8xf32>) -> tensor<16xf32>

The op stands where its start stood. What `sdy-async-collectives` leaves becomes what it found.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.overlap.leading_all_to_all import restore_all_to_all
from sdy.passes.overlap.pairs import checked_starts, make_synchronous
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-sync-collectives", on="func.func")
def sync_collectives(func: ir.Operation) -> str | None:
    starts = checked_starts(func)
    for start in starts:
        restore_all_to_all(make_synchronous(start))
    return None if starts else UNCHANGED
