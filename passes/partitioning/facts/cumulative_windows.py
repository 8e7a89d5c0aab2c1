"""Windows that grow along one dimension, as those of cumulative sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdy.mlir import ir

SCANNED = "sdy.scanned"
"""The mark of windows that were a scan: the dimension that was scanned."""


@dataclass(frozen=True)
class Growing:
    """The dimension along which windows grow: from its beginning on, or up to its end."""

    dim: int
    from_end: bool


def growing(op: ir.Operation) -> Growing | None:
    """How the windows of a reduce_window grow, if along one dimension they do, and there are none along others."""
    sizes, shape = list(op.attributes["window_dimensions"]), list(op.operands[0].type.shape)
    windowed = [dim for dim, size in enumerate(sizes) if size > 1]
    if len(windowed) != 1 or list(op.results[0].type.shape) != shape or min(shape, default=0) <= 0:
        return None
    for name in ("window_strides", "base_dilations", "window_dilations"):
        if name in op.attributes and any(number != 1 for number in op.attributes[name]):
            return None
    (dim,) = windowed
    padding = np.array(op.attributes["padding"]).reshape(-1, 2) if "padding" in op.attributes else np.zeros((0, 2))
    low, high = (int(number) for number in padding[dim]) if len(padding) else (0, 0)
    # Result and operand are equally large, so no padding is left for other dimensions.
    if sizes[dim] < shape[dim] or low + high != sizes[dim] - 1 or 0 not in (low, high):
        return None
    others = [each for each in range(len(shape)) if each != dim]
    return Growing(dim, low == 0) if not padding[others].any() else None
