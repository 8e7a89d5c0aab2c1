"""Convolutions (spec: partitioner, 7.8)."""

from __future__ import annotations

from sdy.mlir import stablehlo
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.partial_results import keep_and_sum, merged_axes
from sdy.passes.partitioning.lowering.registry import local_lowering
from sdy.passes.partitioning.stablehlo_builder import i64


@local_lowering("stablehlo.convolution", partial_results=True)
def convolution(op: LocalOp) -> None:
    """Convolves the local parts, with as many groups as they have, and sums along the axes of reduced dimensions."""
    if op.is_replicated:
        return
    lhs, kernel = op.operand_layouts
    numbers = stablehlo.ConvDimensionNumbers(op.op.attributes["dimension_numbers"])
    _split_groups(op, "feature_group_count", kernel.shards[numbers.kernel_output_feature_dimension])
    _split_groups(op, "batch_group_count", lhs.shards[numbers.input_batch_dimension])
    op.drop_sharding()
    reduced = [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions]
    keep_and_sum(op, merged_axes(kernel, reduced), kernel)


def _split_groups(op: LocalOp, name: str, shards: int) -> None:
    """Divides the number of groups among the devices, if there are several groups."""
    count = op.op.attributes[name].value
    if count == 1:
        return
    if count % min(count, shards):
        op.fail(f"has {count} groups ({name}) on {shards} shards")
    op.op.attributes[name] = i64(max(1, count // shards))
