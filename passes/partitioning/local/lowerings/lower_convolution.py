"""Convolutions (spec: partitioner, 7.8)."""

from __future__ import annotations

from sdy.mlir import stablehlo
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.partial_results import keep_and_sum, merged_axes
from sdy.passes.partitioning.local.registry import local_lowering


@local_lowering("stablehlo.convolution", partial_results=True)
def convolution(op: LocalOp) -> None:
    """Convolves the local parts, with as many groups as they have, and sums along the axes of reduced dimensions."""
    if op.is_replicated:
        return
    kernel = op.operand_layouts[1]
    numbers = stablehlo.ConvDimensionNumbers(op.op.attributes["dimension_numbers"])
    op.drop_sharding()
    reduced = [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions]
    keep_and_sum(op, merged_axes(kernel, reduced), kernel)
