"""Matrix products (spec: partitioner, 7.8)."""

from __future__ import annotations

from sdy.dialect.values.axes import AxisList
from sdy.mlir import stablehlo
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.partial_results import keep_and_sum, merged_axes
from sdy.passes.partitioning.local.registry import local_lowering

_NUMBERS = "dot_dimension_numbers"


@local_lowering("stablehlo.dot_general", partial_results=True)
def dot_general(op: LocalOp) -> None:
    """The product of the local parts, summed along the axes of the contracting dimensions."""
    keep_and_sum(op, op.remembered("contracted", _NUMBERS, lambda: _contracted_axes(op)), op.operand_layouts[0])


def _contracted_axes(op: LocalOp) -> AxisList:
    numbers = stablehlo.DotDimensionNumbers(op.op.attributes[_NUMBERS])
    return merged_axes(op.operand_layouts[0], numbers.lhs_contracting_dimensions)


@local_lowering("stablehlo.dot", partial_results=True)
def dot(op: LocalOp) -> None:
    """As dot_general; the last dimension of the left operand is contracted."""
    lhs = op.operand_layouts[0]
    keep_and_sum(op, lhs.dim_axes[-1], lhs)
