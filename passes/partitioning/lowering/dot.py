"""Matrix products (spec: partitioner, 7.8)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.axes import AxisRef
from sdy.dialect.sharding import Reduction
from sdy.mlir import stablehlo
from sdy.passes.partitioning.communication import reduction_region
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.partial_results import axes_left_to_reduce, merged_axes
from sdy.passes.partitioning.lowering.registry import local_lowering


@local_lowering("stablehlo.dot_general", partial_results=True)
def dot_general(op: LocalOp) -> None:
    """The product of the local parts, summed along the axes of the contracting dimensions."""
    numbers = stablehlo.DotDimensionNumbers(op.op.attributes["dot_dimension_numbers"])
    lhs = op.operand_layouts[0]
    _keep_and_sum(op, lhs, merged_axes(lhs, numbers.lhs_contracting_dimensions))


@local_lowering("stablehlo.dot", partial_results=True)
def dot(op: LocalOp) -> None:
    """As dot_general; the last dimension of the left operand is contracted."""
    lhs = op.operand_layouts[0]
    _keep_and_sum(op, lhs, lhs.dim_axes[-1])


def _keep_and_sum(op: LocalOp, lhs: Layout, axes: Sequence[AxisRef]) -> None:
    op.keep()
    if not axes or lhs.mesh is None:
        return
    left = axes_left_to_reduce(op, axes, lhs.mesh)
    if left:
        element_type = op.result_layouts[0].type.element_type
        op.all_reduce_result(0, lhs.mesh_ref, lhs.mesh, left, reduction_region(Reduction.SUM, element_type))
