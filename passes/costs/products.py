"""Matrix products and convolutions: how many operations they are (spec: async, 13)."""

from __future__ import annotations

import math

from sdy.dialect.ops.model import any_model, product_size
from sdy.mlir import ir


def product_operations(op: ir.Operation, tile: int = 1) -> float | None:
    """Additions and multiplications of a product or convolution on static shapes; None for any other op.

    The rows (the free dimensions of the left operand of a product; batch and places of a convolution) are rounded up to
    a multiple of `tile`. Of a ragged product each row meets the matrix of its group; where an op has some of the
    groups, as many of the rows are taken to be theirs.
    """
    found = product_size(op)
    if found is None:
        return None
    rows, elements, depth = found
    padded = elements if tile == 1 or not rows else elements // rows * (math.ceil(rows / tile) * tile)
    return 2.0 * padded * depth * any_model(op, "work_share").work_share(op)
