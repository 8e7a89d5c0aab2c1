"""How the windows of an op run along its dimensions, as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.facts.halo_plan import DimPlan, needed_rows
from sdy.passes.partitioning.facts.layout import Layout


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
        return (self.size, self.stride, self.low, self.source_dilation) == (1, 1, 0, 1)

    def slide(self, source: Layout) -> DimPlan:
        """The exchange of `source` that gives each device what its part of the windows covers."""
        span = (self.size - 1) * self.window_dilation + 1
        return self._plan(source, self.made, self.stride, span)

    def sum_up(self, source: Layout) -> DimPlan:
        """The exchange of `source` that gives each device what its part of the kernel meets in any window."""
        span = (self.made - 1) * self.stride + 1
        return self._plan(source, self.size, self.window_dilation, span)

    def _plan(self, source: Layout, count: int, stride: int, span: int) -> DimPlan:
        shards, size = source.shards[self.source_dim], source.shape[self.source_dim]
        left, right = needed_rows(size, count, shards, self.low, self.source_dilation, stride, span)
        return DimPlan(
            self.source_dim,
            shards,
            -(-size // shards),
            -(-count // shards),
            self.low,
            self.source_dilation,
            stride,
            left,
            right,
            is_needed=True,
            span=span,
            tight=True,
        )


def windows_of(op: ir.Operation) -> list[Window]:
    """The windows of a reduce_window, or of a convolution along its spatial dimensions."""
    return _spatial_windows(op) if op.name == "stablehlo.convolution" else _reduced_windows(op)


def _reduced_windows(op: ir.Operation) -> list[Window]:
    sizes = list(op.attributes["window_dimensions"])
    strides, bases, dilations = (
        _numbers(op, name, len(sizes)) for name in ("window_strides", "base_dilations", "window_dilations")
    )
    lows, made = _lows(op, len(sizes)), op.results[0].type.shape
    return [
        Window(dim, dim, dim, None, sizes[dim], made[dim], strides[dim], lows[dim], bases[dim], dilations[dim], False)
        for dim in range(len(sizes))
    ]


def _spatial_windows(op: ir.Operation) -> list[Window]:
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    count = len(numbers.input_spatial_dimensions)
    strides, bases, dilations = (
        _numbers(op, name, count) for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    lows, kernel, made = _lows(op, count), op.operands[1].type.shape, op.results[0].type.shape
    reversals = list(op.attributes["window_reversal"]) if "window_reversal" in op.attributes else [False] * count
    return [
        Window(
            index,
            numbers.input_spatial_dimensions[index],
            numbers.output_spatial_dimensions[index],
            numbers.kernel_spatial_dimensions[index],
            kernel[numbers.kernel_spatial_dimensions[index]],
            made[numbers.output_spatial_dimensions[index]],
            strides[index],
            lows[index],
            bases[index],
            dilations[index],
            bool(reversals[index]),
        )
        for index in range(count)
    ]


def _numbers(op: ir.Operation, name: str, count: int) -> Sequence[int]:
    """An optional array attribute of ones."""
    return list(op.attributes[name]) if name in op.attributes else [1] * count


def _lows(op: ir.Operation, count: int) -> list[int]:
    if "padding" not in op.attributes:
        return [0] * count
    return [int(low) for low, _ in np.array(op.attributes["padding"]).reshape(count, 2)]
