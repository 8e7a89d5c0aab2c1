"""sdy-split-ops: writes ops so that each device works on its part, where shardings are known.

    %1, %2 = chlo.top_k(%0, k = 2) : tensor<4x64xf32> -> ...                  // %0: [{}, {"x"}]
==> two of each part, and then two of these

Patterns run between propagation and `sdy-insert-explicit-reshards`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sdy.mlir import ir
from sdy.passes.partitioning.normalize import op_patterns
from sdy.passes.partitioning.resharding.gather_for_effects import gather_for_effects
from sdy.passes.partitioning.resharding.iota_indices import iota_indices_to_batching_dims
from sdy.passes.partitioning.resharding.split_top_k import split_top_k
from sdy.passes.pattern_sets import PatternOptions, apply_patterns
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class SplitOptions(PatternOptions):
    """Options of sdy-split-ops."""

    PATTERNS: ClassVar = (
        split_top_k,
        iota_indices_to_batching_dims,
        op_patterns.chlo_sharding_rules,
        gather_for_effects,
    )


@pass_("sdy-split-ops", on="func.func", options=SplitOptions)
def split_ops(func: ir.Operation, options: SplitOptions) -> object:
    return apply_patterns(func, options)
