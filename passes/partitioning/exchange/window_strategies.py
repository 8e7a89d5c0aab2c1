"""Strategies of windows along one sharded dimension of an op.

Windows read the result of a halo exchange, with zeros between dilated elements (`ShardedWindow`). If the op can skip
the holes of a dilated input, and parts begin alike, only its elements are fetched (`AlignedWindow`).

With uneven parts of a kernel, no element may meet the kernel's padding (`UnevenSum`): an element that meets the padding
in one window counts in another, and infinity times zero is not a number. So windows are placed one behind the other,
with zeros where the kernel is padded. The input becomes as many times larger as there are windows. Rows without padding
on any device are therefore summed separately, if that takes less memory.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.communication import as_index, index_type
from sdy.dialect.ir_builders.with_sharding import with_sharding
from sdy.dialect.ops.model import Window
from sdy.dialect.values.axes import AxisList
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import byte_size, tensor_type
from sdy.passes.partitioning.analysis.intervals import DimPlan
from sdy.passes.partitioning.exchange.dim_exchange import DimExchange, slice_dim
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class ShardedWindow:
    """A window along a dimension sharded by `axes`; with `is_sum`, they shard the kernel as well.

    Each device then computes the share of a sum that belongs to its part of the kernel.
    """

    window: Window
    plan: DimPlan
    axes: AxisList
    is_sum: bool

    @property
    def names(self) -> list[str]:
        return [axis.name for axis in self.axes]

    @property
    def target(self) -> int:
        """Results, or rows of the kernel, of each device."""
        return self.plan.access.target

    @property
    def dilation(self) -> int:
        """Return the dilation of the fetched rows for the local op."""
        return 1

    @property
    def padding(self) -> tuple[int, int]:
        """Return the padding of the fetched rows by the local op."""
        return 0, 0

    def fetched(self, b: Builder, x: ir.Value, exchange: DimExchange) -> ir.Value:
        """Return the operand of the local op in place of the part `x`."""
        return exchange.needed(b, x)


class AlignedWindow(ShardedWindow):
    """Windows over a dilated input that begin at the same distance from the parts of all devices."""

    @property
    def dilation(self) -> int:
        return self.plan.access.dilation

    @property
    def padding(self) -> tuple[int, int]:
        access = self.plan.access
        low = access.low - self.plan.left_rows * access.dilation
        return low, access.window - self.plan.got - low

    def fetched(self, b: Builder, x: ir.Value, exchange: DimExchange) -> ir.Value:
        return exchange.fetched(b, x, exchange.position(b))


class UnevenSum(ShardedWindow):
    """A sum over a kernel that is padded."""

    def head_rows(self, x: ir.Value, result: ir.Type) -> int:
        """Return the number of kernel rows to sum separately; 0 if that saves nothing.

        `x` is the exchanged value, `result` the type of a sum: one of the others is held beside it.
        """
        rows = self.window.size - self.target * (self.plan.shards - 1)
        if rows <= 0:
            return 0
        saved = byte_size(x.type) / x.type.shape[self.plan.dim] * self.window.made * rows
        return rows if saved > byte_size(result) else 0

    def head(self, b: Builder, x: ir.Value, exchange: DimExchange, rows: int) -> ir.Value:
        """Slice the part of `x` that windows of the first `rows` of the kernel reach."""
        window = self.window
        limit = (rows - 1) * window.window_dilation + (window.made - 1) * window.stride + 1
        return with_sharding(slice_dim(b, x, self.plan.dim, 0, limit), exchange.inner)

    def destrided(self, b: Builder, x: ir.Value, exchange: DimExchange, first: int = 0) -> ir.Value:
        """Return the windows of `x` one behind the other, of rows of the kernel from `first` on.

        Zeros where it is padded.
        """
        dim, inner, size = self.plan.dim, exchange.inner, self.window.size
        count, step, shape = self.target - first, self.window.window_dilation, list(x.type.shape)
        shape[dim] = count
        number = index_type(self.target * self.plan.shards, size)
        position = b.multiply(as_index(b, exchange.position(b), number), b.constant(self.target, number))
        rest = b.broadcast_in_dim(b.subtract(b.constant(size - first, number), position), shape)
        row = with_sharding(b.iota(tensor_type(shape, number), dim), inner)
        counts = with_sharding(b.compare(row, with_sharding(rest, inner), "LT"), inner)
        nothing = with_sharding(b.broadcast_in_dim(exchange.value, shape), inner)
        windows: list[ir.Value] = []
        for index in range(self.window.made):
            start = first * step + index * self.window.stride
            part = with_sharding(slice_dim(b, x, dim, start, start + (count - 1) * step + 1, step), inner)
            windows.append(with_sharding(b.select(counts, part, nothing), inner))
        return with_sharding(b.concatenate(windows, dim), inner)


def strategy(window: Window, plan: DimPlan, axes: AxisList, is_sum: bool, *, skips_gaps: bool) -> ShardedWindow:
    """Return the cheapest strategy for a window; `skips_gaps` if the gaps between elements may hold any value."""
    access = plan.access
    if is_sum and window.size != access.target * plan.shards:
        return UnevenSum(window, plan, axes, is_sum)
    is_aligned = access.dilation > 1 and not plan.gathers and skips_gaps and plan.is_aligned
    return (AlignedWindow if is_aligned else ShardedWindow)(window, plan, axes, is_sum)
