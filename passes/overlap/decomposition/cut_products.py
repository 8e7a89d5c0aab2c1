"""What a block of a product costs (spec: async, 13 and 15.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sdy.mlir import ir
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.overlap.decomposition.dot_dimensions import dot_dimensions


@dataclass(frozen=True)
class CutProduct:
    """A product that is cut along dimension `cut[side]` of operand `side`; None for an operand that stays whole.

    `result_element` is the element type in which blocks are computed.
    """

    dot: ir.Operation
    cut: tuple[int | None, int | None]
    result_element: ir.Type

    @property
    def element(self) -> str:
        """The element type that decides how fast it is computed."""
        return str(self.dot.operands[0].type.element_type)

    def operations(self, parts: int, tile: int) -> float:
        """Additions and multiplications of one of `parts` blocks, its rows rounded up to a multiple of `tile`."""
        dims = dot_dimensions(self.dot)
        left, right = (self._sizes(side, parts) for side in (0, 1))
        rows = math.prod(left[dim] for dim in dims.free(0))
        columns = math.prod(right[dim] for dim in dims.free(1))
        depth = math.prod(left[dim] for dim in (*dims.batching[0], *dims.contracting[0]))
        return 2.0 * (math.ceil(rows / tile) * tile) * columns * depth

    def bytes_touched(self, parts: int) -> float:
        """Bytes of operands and result of one of `parts` blocks."""
        kept = [
            byte_size(value.type) / (1 if dim is None else parts)
            for value, dim in zip(self.dot.operands, self.cut, strict=True)
        ]
        result = self.dot.results[0].type
        if parts > 1:
            result = ir.RankedTensorType.get(list(result.shape), self.result_element)
        return sum(kept) + byte_size(result) / (1 if self.is_sum else parts)

    @property
    def is_sum(self) -> bool:
        """Whether the blocks have to be added up to the result."""
        return any(
            dim is not None and dim in dims
            for dim, dims in zip(self.cut, dot_dimensions(self.dot).contracting, strict=True)
        )

    def _sizes(self, side: int, parts: int) -> list[int]:
        shape = list(self.dot.operands[side].type.shape)
        dim = self.cut[side]
        if dim is not None:
            shape[dim] //= parts
        return shape
