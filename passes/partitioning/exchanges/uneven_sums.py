"""Sums over a kernel that devices have uneven parts of: nothing meets the padding of the kernel.

In one window an element may meet the padding, in another one it counts, and an infinity does not vanish when it is
multiplied with the zero of the padding. So where there is padding, windows are put one behind the other, zeros where
the kernel has none. That makes the input as many times as large as there are windows. Rows that no device has as
padding are therefore summed up by themselves, if that takes less memory.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.devices import as_index, index_type
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.ops.access import Window
from sdy.mlir import ir
from sdy.mlir.tensor_bytes import byte_size
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.partitioning.exchanges.exchange import DimExchange
from sdy.stablehlo.ops import Builder


def rows_by_themselves(exchange: DimExchange, window: Window, x: ir.Value, result: ir.Type) -> int:
    """How many rows of the kernel no device has as padding, 0 if it saves nothing to sum them up by themselves.

    `x` is what has been exchanged, `result` the type of a sum: one of the others is held beside it.
    """
    plan = exchange.plan
    rows = window.size - plan.access.target * (plan.shards - 1)
    if rows <= 0:
        return 0
    saved = byte_size(x.type) / x.type.shape[plan.dim] * window.made * rows
    return rows if saved > byte_size(result) else 0


def first_windows(b: Builder, x: ir.Value, exchange: DimExchange, window: Window, rows: int) -> ir.Value:
    """As much of `x` as windows of the first `rows` of the kernel reach."""
    return _rows(b, x, exchange, 0, (rows - 1) * window.window_dilation + (window.made - 1) * window.stride + 1)


def windows_apart(b: Builder, x: ir.Value, exchange: DimExchange, window: Window, first: int) -> ir.Value:
    """The windows of `x` one behind the other, of rows of the kernel from `first` on; zeros where it is padded."""
    plan, inner = exchange.plan, exchange.inner
    count, step, shape = plan.access.target - first, window.window_dilation, list(x.type.shape)
    shape[plan.dim] = count
    number = index_type(plan.access.target * plan.shards, window.size)
    position = b.multiply(as_index(b, exchange.position(b), number), b.constant(plan.access.target, number))
    rest = b.broadcast_in_dim(b.subtract(b.constant(window.size - first, number), position), shape)
    row = marked(b.iota(tensor_type(shape, number), plan.dim), inner)
    counts = marked(b.compare(row, marked(rest, inner), "LT"), inner)
    nothing = marked(b.broadcast_in_dim(exchange.value, shape), inner)
    windows: list[ir.Value] = []
    for index in range(window.made):
        start = first * step + index * window.stride
        part = _rows(b, x, exchange, start, start + (count - 1) * step + 1, step)
        windows.append(marked(b.select(counts, part, nothing), inner))
    return marked(b.concatenate(windows, plan.dim), inner)


def _rows(b: Builder, x: ir.Value, exchange: DimExchange, start: int, limit: int, step: int = 1) -> ir.Value:
    dim, shape = exchange.plan.dim, list(x.type.shape)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[dim], limits[dim], strides[dim] = start, limit, step
    return marked(b.slice(x, starts, limits, strides), exchange.inner)
