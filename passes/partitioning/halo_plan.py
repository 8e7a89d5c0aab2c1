"""How far the devices have to reach along a dimension, as plain numbers (spec: partitioner, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SourceShards = tuple[int, int] | None
"""The first and the last part of the operand that a part of the result comes from; None if it is all padding."""


@dataclass(frozen=True)
class DimPlan:
    """How one sharded dimension of a pad or slice is exchanged.

    A part of the operand has `source_size` elements, one of the result `target_size`, every `stride`-th of a window.
    Elements of the operand stand `dilation` apart, the first at position `low` of the result. The device at position t
    gets the parts t - `left` to t + `right`.
    """

    dim: int
    shards: int
    source_size: int
    target_size: int
    low: int
    dilation: int
    stride: int
    left: int
    right: int
    is_needed: bool

    @property
    def window(self) -> int:
        """Elements between the first and the last that a device needs, both included."""
        return (self.target_size - 1) * self.stride + 1

    @property
    def edge(self) -> int:
        """Padding on both sides of the parts that a device has got, so that any window lies inside."""
        return self.window * self.dilation

    @property
    def is_too_far(self) -> bool:
        """Whether it is no better than gathering the dimension."""
        return self.left + self.right + 1 >= self.shards and (self.left > 1 or self.right > 1)


def source_shards(
    size: int, result: int, shards: int, low: int, dilation: int = 1, stride: int = 1
) -> list[SourceShards]:
    """For each part of the result, which parts of the operand it comes from.

    `size` and `result` are the global sizes; element i of the operand is at i * `dilation` + `low`, the result
    takes every `stride`-th position.
    """
    part, target = -(-size // shards), -(-result // shards)
    window = (target - 1) * stride + 1
    found: list[SourceShards] = []
    for position in range(shards):
        start = _toward_zero(position * target * stride - low, dilation)
        first, last = max(0, start), min(size - 1, start + window - 1)
        found.append((first // part, last // part) if first <= last else None)
    return found


def reach(sources: Sequence[SourceShards]) -> tuple[int, int]:
    """How many parts to the left and to the right the devices need at most."""
    left = max((position - each[0] for position, each in enumerate(sources) if each and each[0] < position), default=0)
    right = max((each[1] - position for position, each in enumerate(sources) if each and each[1] > position), default=0)
    return left, right


def _toward_zero(numerator: int, denominator: int) -> int:
    quotient = abs(numerator) // denominator
    return quotient if numerator >= 0 else -quotient
