"""sdy-optimize-local-program: removes, merges and orders collectives in the program of one device.

    %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : ...
    %2 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : ...
==> %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : ...

As many bytes are sent as before, or fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sdy.mlir import ir
from sdy.passes.partitioning.collectives import local_patterns, merge_patterns
from sdy.passes.partitioning.collectives.combine_all_reduces import combine_all_reduces
from sdy.passes.partitioning.normalize import scan_patterns
from sdy.passes.pattern_sets import PatternOptions, apply_patterns
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class LocalOptions(PatternOptions):
    """Options of sdy-optimize-local-program."""

    PATTERNS: ClassVar = (
        scan_patterns.windows_to_scan,
        local_patterns.remove_idle_collective,
        merge_patterns.merge_equal_ops,
        merge_patterns.merge_equal_local_collectives,
        local_patterns.scatter_major_dimension,
        local_patterns.exchange_major_dimension,
        combine_all_reduces,
        local_patterns.transpose_before_all_reduce,
    )


@pass_("sdy-optimize-local-program", on="func.func", options=LocalOptions)
def optimize_local_program(func: ir.Operation, options: LocalOptions) -> object:
    return apply_patterns(func, options)
