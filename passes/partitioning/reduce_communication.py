"""sdy-reduce-communication: moves, merges and hoists collectives so that devices send fewer bytes.

    %1 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_reduce {"x"} %b out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8xf32>
==> %1 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<8xf32>

Works on global programs with collectives of the dialect. Patterns that keep results for longer share one budget of
memory, `kept-bytes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sdy.mlir import ir
from sdy.passes.partitioning.collectives import merge_patterns, sum_patterns
from sdy.passes.partitioning.collectives.analysis.kept_bytes import KeptBytesOptions
from sdy.passes.partitioning.collectives.gather_before_loops import gather_before_loops
from sdy.passes.partitioning.collectives.hoist_collectives import hoist_collectives
from sdy.passes.partitioning.collectives.keep_across_barriers import keep_across_barriers
from sdy.passes.partitioning.collectives.place_all_gathers import place_all_gathers
from sdy.passes.partitioning.collectives.place_all_reduces import place_all_reduces
from sdy.passes.partitioning.resharding.reshard_before_products import reshard_before_products
from sdy.passes.pattern_sets import apply_patterns
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class CommunicationOptions(KeptBytesOptions):
    """Options of sdy-reduce-communication."""

    PATTERNS: ClassVar = (
        place_all_gathers,
        merge_patterns.merge_equal_collectives,
        merge_patterns.merge_equal_ops,
        merge_patterns.merge_equal_collectives,
        gather_before_loops,
        hoist_collectives,
        keep_across_barriers,
        place_all_reduces,
        sum_patterns.narrow_all_reduce,
        sum_patterns.merge_reduce_scatters,
        reshard_before_products,
    )


@pass_("sdy-reduce-communication", on="func.func", options=CommunicationOptions)
def reduce_communication(func: ir.Operation, options: CommunicationOptions) -> object:
    return apply_patterns(func, options)
