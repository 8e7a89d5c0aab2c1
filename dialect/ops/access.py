"""Which elements of an operand an element of the result is computed from, along one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.mlir import ir


@dataclass(frozen=True)
class Window:
    """How an op slides along one dimension. `index` is the place in the op's attributes.

    `size` positions that are `window_dilation` apart make a window, `made` windows are `stride` apart. The dimension of
    a convolution's kernel is `kernel_dim`, None for other ops.
    """

    index: int
    source_dim: int
    result_dim: int
    kernel_dim: int | None
    size: int
    made: int
    stride: int
    low: int
    source_dilation: int
    window_dilation: int
    is_reversed: bool

    @property
    def is_trivial(self) -> bool:
        """Whether each window is one element, in turn."""
        return (self.size, self.stride, self.low, self.source_dilation) == (1, 1, 0, 1)


def element_windows(
    op: ir.Operation, lows: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[Window]:
    """Return the windows of one position, in the dimensions of the only result, of an op that moves elements."""
    made = op.results[0].type.shape
    return [
        Window(dim, dim, dim, None, 1, made[dim], strides[dim], lows[dim], dilations[dim], 1, False)
        for dim in range(len(made))
    ]
