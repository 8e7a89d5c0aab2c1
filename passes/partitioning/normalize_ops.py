"""sdy-normalize-ops: writes ops as propagation and the partitioner handle them best.

    %1 = stablehlo.select %p, %0, %0 : tensor<8xi1>, tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
==> %2 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<8x1xf32>

XLA rewrites them so before it propagates. Nothing more is computed or moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sdy.mlir import ir
from sdy.passes.partitioning.normalize import op_patterns, scan_patterns
from sdy.passes.partitioning.normalize.slices_of_pads import slices_of_pads
from sdy.passes.partitioning.normalize.unit_windows import unit_windows_to_inserted
from sdy.passes.pattern_sets import PatternOptions, apply_patterns
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class NormalizeOptions(PatternOptions):
    """Options of sdy-normalize-ops."""

    PATTERNS: ClassVar = (
        op_patterns.foreign_constant,
        op_patterns.empty_values,
        op_patterns.select_of_equals,
        op_patterns.reverse_of_one_element,
        unit_windows_to_inserted,
        scan_patterns.scan_to_windows,
        op_patterns.broadcast_to_reshape,
        op_patterns.static_slice,
        slices_of_pads,
        op_patterns.chlo_sharding_rules,
    )


@pass_("sdy-normalize-ops", on="func.func", options=NormalizeOptions)
def normalize_ops(func: ir.Operation, options: NormalizeOptions) -> object:
    return apply_patterns(func, options)
