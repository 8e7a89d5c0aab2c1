"""How far the devices have to reach along a dimension, as plain numbers (spec: partitioner, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.access import Window
from sdy.passes.costs.collective_cost import moved_bytes

SourceShards = tuple[int, int] | None
"""The first and the last part of the operand that a part of the result comes from; None if it is all padding."""


@dataclass(frozen=True)
class DimPlan:
    """How one sharded dimension of an op is exchanged.

    A part of the operand has `source_size` elements, one of the result `target_size`, each of them made of `span`
    positions that start `stride` after those of the one before. Elements of the operand stand `dilation` apart, the
    first at position `low`. Besides its own part a device gets the last `left_rows` elements of those before it and the
    first `right_rows` of those behind it. If it `picks`, it keeps only every `stride`-th position. If it `gathers`, it
    gets all parts instead, and looks at what it needs of them. If it `is_whole`, every device has all parts before. If
    `tight`, what it has got is padded no farther than some device looks.
    """

    dim: int
    shards: int
    source_size: int
    target_size: int
    low: int
    dilation: int
    stride: int
    left_rows: int
    right_rows: int
    is_needed: bool
    span: int = 1
    picks: bool = False
    gathers: bool = False
    tight: bool = False
    is_whole: bool = False

    @property
    def left(self) -> int:
        """How many parts before its own a device gets elements of."""
        return -(-self.left_rows // self.source_size) if self.left_rows else 0

    @property
    def right(self) -> int:
        """How many parts behind its own a device gets elements of."""
        return -(-self.right_rows // self.source_size) if self.right_rows else 0

    def rows(self, distance: int) -> int:
        """How many elements a device gets of the one `distance` positions before it, behind it if negative."""
        wanted = self.left_rows if distance > 0 else self.right_rows
        return min(self.source_size, wanted - (abs(distance) - 1) * self.source_size)

    @property
    def window(self) -> int:
        """Positions between the first and the last that a device needs, both included."""
        return (self.target_size - 1) * self.stride + self.span

    @property
    def edge(self) -> int:
        """Padding on both sides of the parts that a device has got, so that any window lies inside."""
        return self.window * self.dilation

    @property
    def edges(self) -> tuple[int, int]:
        """Padding before and behind what a device has got."""
        if not self.gathers:
            return self._tight_edges if self.tight else (self.edge, self.edge)
        whole = (self.source_size * self.shards - 1) * self.dilation + 1
        last = (self.shards - 1) * self.target_size * self.stride - self.low
        return max(0, self.low), max(0, last + self.window - whole)

    @property
    def _tight_edges(self) -> tuple[int, int]:
        """Those that some window reaches; of one that lies outside, as much padding as it has positions."""
        got = (self.left_rows + self.source_size + self.right_rows - 1) * self.dilation + 1
        start = -self.low + self.left_rows * self.dilation
        starts = (start, start + (self.shards - 1) * self.per_position)
        low, high = max(0, -min(starts)), max(0, max(starts) + self.window - got)
        return min(self.edge, low), min(self.edge, high)

    @property
    def first(self) -> int:
        """Where the window of the first device begins in what it has got, padded."""
        rows = 0 if self.gathers else self.left_rows
        return -self.low + rows * self.dilation + self.edges[0]

    @property
    def per_position(self) -> int:
        """How much farther the window of each device begins than that of the one before."""
        return self.target_size * self.stride - (0 if self.gathers else self.source_size * self.dilation)

    @property
    def is_too_far(self) -> bool:
        """Whether it is no better than gathering the dimension."""
        return self.left + self.right + 1 >= self.shards and (self.left > 1 or self.right > 1)

    @property
    def sent_rows(self) -> float:
        """How many elements along the dimension each device sends, if it does not gather."""
        return moved_bytes("collective_permute", self.shards, self.left_rows + self.right_rows)

    @property
    def is_costly(self) -> bool:
        """Whether the elements that each device gets are no fewer than if the dimension were gathered."""
        return self.sent_rows >= moved_bytes("all_gather", self.shards, self.source_size)


@lru_cache(maxsize=1 << 12)
def source_shards(
    size: int, result: int, shards: int, low: int, dilation: int = 1, stride: int = 1
) -> tuple[SourceShards, ...]:
    """For each part of the result, which parts of the operand it comes from.

    `size` and `result` are the global sizes; element i of the operand is at i * `dilation` + `low`, the result
    takes every `stride`-th position.
    """
    if not size:
        return (None,) * shards
    part, target = -(-size // shards), -(-result // shards)
    window = (target - 1) * stride + 1
    offsets = part_numbers(shards, target * stride, size, low) * target * stride - low
    starts = np.where(offsets >= 0, offsets // dilation, -(-offsets // dilation))
    firsts, lasts = np.maximum(0, starts), np.minimum(size - 1, starts + window - 1)
    found = zip((firsts // part).tolist(), (lasts // part).tolist(), (firsts <= lasts).tolist(), strict=True)
    return tuple((first, last) if is_needed else None for first, last, is_needed in found)


@lru_cache(maxsize=1 << 12)
def stays_in_place(size: int, result: int, shards: int, low: int, dilation: int = 1, stride: int = 1) -> bool:
    """Whether each part of the result comes from the same part of the operand alone; see `source_shards`."""
    sources = source_shards(size, result, shards, low, dilation, stride)
    return all(each == (position, position) for position, each in enumerate(sources))


@lru_cache(maxsize=1 << 12)
def needed_rows(
    size: int, result: int, shards: int, low: int, dilation: int = 1, stride: int = 1, span: int = 1
) -> tuple[int, int]:
    """How many elements before and behind its own part a device needs at most; see `DimPlan`, sizes are global."""
    part, target = -(-size // shards), -(-result // shards)
    positions = part_numbers(shards, target * stride, (size + span) * dilation, low)
    last_result = np.minimum((positions + 1) * target, result) - 1
    first = np.maximum(0, -(-(positions * target * stride - low) // dilation))
    last = np.minimum(size - 1, (last_result * stride + span - 1 - low) // dilation)
    needs = (positions * target <= last_result) & (first <= last)
    left = (positions * part - first)[needs].max(initial=0)
    right = (last - (positions + 1) * part + 1)[needs].max(initial=0)
    return int(left), int(right)


def part_numbers(shards: int, *numbers: int) -> np.ndarray:
    """The numbers of the parts, in a type in which nothing overflows that they and `numbers` are multiplied to."""
    is_small = shards * max(map(abs, numbers)) < 1 << 61
    return np.arange(shards, dtype=np.int64 if is_small else object)


def reach(sources: Sequence[SourceShards]) -> tuple[int, int]:
    """How many parts to the left and to the right the devices need at most."""
    left = max((position - each[0] for position, each in enumerate(sources) if each and each[0] < position), default=0)
    right = max((each[1] - position for position, each in enumerate(sources) if each and each[1] > position), default=0)
    return left, right


# Windows -----------------------------------------------------------------------------------------


def slide(window: Window, source: Layout) -> DimPlan:
    """The exchange of `source` that gives each device what its part of the windows covers."""
    span = (window.size - 1) * window.window_dilation + 1
    return _window_plan(window, source, window.made, window.stride, span)


def sum_up(window: Window, source: Layout) -> DimPlan:
    """The exchange of `source` that gives each device what its part of the kernel meets in any window."""
    span = (window.made - 1) * window.stride + 1
    return _window_plan(window, source, window.size, window.window_dilation, span)


def _window_plan(window: Window, source: Layout, count: int, stride: int, span: int) -> DimPlan:
    shards, size = source.shards[window.source_dim], source.shape[window.source_dim]
    left, right = needed_rows(size, count, shards, window.low, window.source_dilation, stride, span)
    return DimPlan(
        window.source_dim,
        shards,
        -(-size // shards),
        -(-count // shards),
        window.low,
        window.source_dilation,
        stride,
        left,
        right,
        is_needed=True,
        span=span,
        tight=True,
    )
