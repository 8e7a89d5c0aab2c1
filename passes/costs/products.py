"""Matrix products and convolutions: how many operations they are (spec: async, 13)."""

from __future__ import annotations

import math
from typing import Any

from sdy.mlir import ir, stablehlo


def product_operations(op: ir.Operation, tile: int = 1) -> float | None:
    """Additions and multiplications of a product or convolution on static shapes; None for any other op.

    The rows (the free dimensions of the left operand of a product; batch and places of a convolution) are rounded up to
    a multiple of `tile`.
    """
    found = _rows_and_depth(op)
    if found is None:
        return None
    rows, elements, depth = found
    padded = elements if tile == 1 or not rows else elements // rows * (math.ceil(rows / tile) * tile)
    return 2.0 * padded * depth


def _rows_and_depth(op: ir.Operation) -> tuple[int, int, int] | None:
    """Rows of the result, its elements, and how many products are added up in each."""
    if op.name == "stablehlo.dot_general":
        numbers: Any = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        contracted, batch = numbers.lhs_contracting_dimensions, numbers.lhs_batching_dimensions
    elif op.name == "stablehlo.dot":
        contracted, batch = [len(op.operands[0].type.shape) - 1], []
    elif op.name == "stablehlo.convolution":
        return _of_convolution(op)
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
