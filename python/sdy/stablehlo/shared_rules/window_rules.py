"""Windows that move over a tensor (H7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sdy.stablehlo.attribute_readers import DenseInts, of_length
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC


class WindowDimension(NamedTuple):
    """One dimension of a window."""

    size: int
    stride: int = 1
    base_dilation: int = 1
    window_dilation: int = 1
    low: int = 0
    high: int = 0

    def positions(self, extent: int) -> int:
        """H7: number of positions in a dimension of size `extent`; unknown if either size is."""
        size, stride, base, dilation, low, high = self
        if extent == DYNAMIC or size == DYNAMIC:
            return DYNAMIC
        padded = low + (extent if base == 1 else _dilated(extent, base)) + high
        span = size if dilation == 1 else _dilated(size, dilation)
        if padded <= 0 or span > padded:
            return 0
        return (padded - span) // stride + 1


def _dilated(size: int, dilation: int) -> int:
    return 0 if size == 0 else (size - 1) * dilation + 1


@dataclass(frozen=True, slots=True)
class WindowLabels:
    """Constraints of an op about its window attributes: of their lengths (`..._length`) and of their values."""

    padding: str
    stride_length: str
    stride: str
    size: str = ""
    base_length: str = ""
    base: str = ""
    dilation_length: str = ""
    dilation: str = ""


def check_padding(op: OpFacts, padding: DenseInts | None, rank: int, label: str) -> None:
    """An optional padding is of shape rank x 2."""
    if padding is not None and padding.shape != (rank, 2):
        raise op.error(label, f"padding must be of shape {rank}x2, not {padding.shape}")


def read_windows(
    op: OpFacts,
    labels: WindowLabels,
    sizes: Sequence[int],
    padding: DenseInts | None,
    *,
    dilations: tuple[str, str] | None = None,
) -> list[WindowDimension]:
    """The dimensions of a window, with all its attributes checked.

    `dilations` are the names of the attributes that say how far elements of the base and of the window are apart.
    """
    rank, strides = len(sizes), op.optional_ints("window_strides")
    base, window = map(op.optional_ints, dilations) if dilations else (None, None)
    listed = (
        (strides, labels.stride_length, "strides"),
        (base, labels.base_length, "base dilations"),
        (window, labels.dilation_length, "window dilations"),
    )
    for values, label, what in listed:
        if not of_length(values, rank):
            raise op.error(label, f"needs {rank} {what}")
    ones, paddings = [1] * rank, padding.values if padding is not None else (0, 0) * rank
    positive = sizes, strides or ones, base or ones, window or ones
    dims = list(map(WindowDimension, *positive, paddings[::2], paddings[1::2]))
    if rank and min(map(min, positive)) <= 0:
        for number, dim in enumerate(dims):
            _check_positive(op, dim, labels, number)
    return dims


def _check_positive(op: OpFacts, dim: WindowDimension, labels: WindowLabels, number: int) -> None:
    listed = (
        (dim.size, labels.size, "window size"),
        (dim.stride, labels.stride, "stride"),
        (dim.base_dilation, labels.base, "base dilation"),
        (dim.window_dilation, labels.dilation, "window dilation"),
    )
    for value, label, what in listed:
        if label and value != DYNAMIC and value <= 0:
            raise op.error(label, f"{what} {value} of dimension {number} must be positive")
