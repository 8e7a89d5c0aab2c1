"""Windows that grow along one dimension, as those of cumulative sums."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.stablehlo import views

SCANNED = "sdy.scanned"
"""The mark of windows that were a scan: the dimension that was scanned."""


@dataclass(frozen=True)
class Growing:
    """The dimension along which windows grow: from its beginning on, or up to its end."""

    dim: int
    from_end: bool


def growing(op: ir.Operation) -> Growing | None:
    """Return the growing window of a reduce_window, if it is the only one."""
    windows = views.ReduceWindow(op)
    sizes, shape = windows.window_dimensions, windows.inputs[0].type.shape
    windowed = [dim for dim, size in enumerate(sizes) if size > 1]
    if len(windowed) != 1 or windows.results[0].type.shape != shape or min(shape, default=0) <= 0:
        return None
    if any(number != 1 for number in (*windows.window_strides, *windows.base_dilations, *windows.window_dilations)):
        return None
    (dim,) = windowed
    low, high = windows.padding[dim]
    # Result and operand are equally large, so no padding is left for other dimensions.
    if sizes[dim] < shape[dim] or low + high != sizes[dim] - 1 or 0 not in (low, high):
        return None
    is_padded = any(any(ends) for each, ends in enumerate(windows.padding) if each != dim)
    return None if is_padded else Growing(dim, low == 0)
