"""sdy-stablehlo-to-hlo-async: writes StableHLO's asynchronous operations in the dialect hlo_async.

    %f = "stablehlo.async_start"(%a) ({
      ...
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
==> %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      ...
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []> -> tensor<16xf32>

`sdy-hlo-async-to-stablehlo` undoes it. A start that is not followed by one done, in its block, is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.asynchronous_pairs import STABLEHLO
from sdy.mlir import ir
from sdy.passes.options import option
from sdy.passes.overlap.pairs import checked_starts
from sdy.passes.overlap.stablehlo_pairs import FROM_STABLEHLO, to_hlo_async
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION


@dataclass(frozen=True)
class Options:
    """Options of sdy-stablehlo-to-hlo-async."""

    mark: bool = option(False, "note on each start that it was one of StableHLO")


@pass_("sdy-stablehlo-to-hlo-async", on=FUNCTION, options=Options)
def stablehlo_to_hlo_async(func: ir.Operation, options: Options) -> object:
    starts = [start for start in checked_starts(func) if start.name == STABLEHLO.start]
    for start in starts:
        made = to_hlo_async(start)
        if options.mark:
            made.attributes[FROM_STABLEHLO] = ir.UnitAttr.get(made.context)
    return None if starts else UNCHANGED
