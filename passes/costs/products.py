"""Matrix products and convolutions: how many operations they are (spec: async, 13)."""

from __future__ import annotations

import math
from typing import Any

from sdy.mlir import ir, stablehlo
from sdy.stablehlo.idioms.ragged_dims import RaggedDims

_RAGGED = "chlo.ragged_dot"


def product_operations(op: ir.Operation, tile: int = 1) -> float | None:
    """Additions and multiplications of a product or convolution on static shapes; None for any other op.

    The rows (the free dimensions of the left operand of a product; batch and places of a convolution) are rounded up to
    a multiple of `tile`. Of a ragged product each row meets the matrix of its group; where an op has some of the
    groups, as many of the rows are taken to be theirs.
    """
    found = _rows_and_depth(op)
    if found is None:
        return None
    rows, elements, depth = found
    padded = elements if tile == 1 or not rows else elements // rows * (math.ceil(rows / tile) * tile)
    return 2.0 * padded * depth * (_share_of_groups(op) if op.name == _RAGGED else 1)


def _rows_and_depth(op: ir.Operation) -> tuple[int, int, int] | None:
    """Rows of the result, its elements, and how many products are added up in each."""
    if op.name == "stablehlo.dot_general":
        numbers: Any = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        contracted, batch = numbers.lhs_contracting_dimensions, numbers.lhs_batching_dimensions
    elif op.name == "stablehlo.dot":
        contracted, batch = [len(op.operands[0].type.shape) - 1], []
    elif op.name == "stablehlo.convolution":
        return _of_convolution(op)
    elif op.name == _RAGGED:
        return _of_ragged(op)
    else:
        return None
    shape = op.operands[0].type.shape
    rows = math.prod(size for dim, size in enumerate(shape) if dim not in contracted and dim not in batch)
    return rows, math.prod(op.results[0].type.shape), math.prod(shape[dim] for dim in contracted)


def _of_convolution(op: ir.Operation) -> tuple[int, int, int]:
    numbers: Any = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    kernel, result = op.operands[1].type.shape, op.results[0].type.shape
    elements, features = math.prod(result), result[numbers.output_feature_dimension]
    depth = math.prod(kernel) // max(1, kernel[numbers.kernel_output_feature_dimension])
    return elements // max(1, features), elements, depth


def _of_ragged(op: ir.Operation) -> tuple[int, int, int]:
    dims = RaggedDims.of(op.attributes["ragged_dot_dimension_numbers"])
    lhs, result = op.operands[0].type.shape, op.results[0].type.shape
    elements = math.prod(result) // (max(1, result[0]) if dims.contracts_groups else 1)
    rows = math.prod(lhs[dim] for dim in dims.lhs_free(len(lhs)))
    return rows, elements, math.prod(lhs[dim] for dim in dims.lhs_contracting)


def _share_of_groups(op: ir.Operation) -> float:
    """The part of the groups that an op has whose sizes are cut out of those of all."""
    sizes = op.operands[2]
    if not isinstance(sizes, ir.OpResult) or sizes.owner.operation.name != "stablehlo.dynamic_slice":
        return 1.0
    return math.prod(sizes.type.shape) / max(1, math.prod(sizes.owner.operation.operands[0].type.shape))
