"""Intervals of a sharded dimension that each device needs, as plain numbers (spec: partitioner, 3.2 and 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.model import Window
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import moved_bytes


@dataclass(frozen=True, eq=False)
class Intervals:
    """The interval [`begin`, `end`) of a dimension that each device needs; a device has `part` elements of its own.

    One entry per device. A device needs nothing where `begin` is not less than `end`.
    """

    begin: np.ndarray
    end: np.ndarray
    part: int

    @cached_property
    def is_needed(self) -> np.ndarray:
        return self.begin < self.end

    @cached_property
    def own(self) -> np.ndarray:
        """First element of each device's own part."""
        return np.arange(len(self.begin), dtype=self.begin.dtype) * self.part

    @cached_property
    def halo(self) -> tuple[int, int]:
        """Return the elements that a device needs before and behind its own part, at most."""
        sides = self.own - self.begin, self.end - self.own - self.part
        left, right = (int(rows[self.is_needed].max(initial=0)) for rows in sides)
        return left, right

    @property
    def halo_of_parts(self) -> tuple[int, int]:
        """`halo`, rounded up to whole parts."""
        left, right = (-(-rows // self.part) * self.part if rows else 0 for rows in self.halo)
        return left, right

    @property
    def is_local(self) -> bool:
        """Return whether all devices need only their own elements."""
        return self.halo == (0, 0)

    @cached_property
    def most_of_others(self) -> int:
        """Return the elements that a device needs beside its own part, at most."""
        own = np.minimum(self.end, self.own + self.part) - np.maximum(self.begin, self.own)
        return int((np.maximum(0, self.end - self.begin) - np.maximum(0, own)).max(initial=0))

    @cached_property
    def is_own(self) -> bool:
        """Return whether every device needs elements, and only from its own part."""
        return self.is_local and bool(self.is_needed.all())


class Cut(NamedTuple):
    """Elements [start, limit) by `step` that a part contributes to a strided slice."""

    part: int
    start: int
    limit: int
    step: int


def cut_parts(lengths: Sequence[int], start: int, step: int, count: int) -> tuple[int, list[Cut], int]:
    """Locate `count` positions `start`, `start + step`, ... in consecutive parts that begin at 0.

    Returns: how many lie before the first part, the cuts of parts, and how many lie behind the last part.
    """
    low = min(count, max(0, -(start // step)))
    at, left = start + low * step, count - low
    cuts: list[Cut] = []
    for part, length in enumerate(lengths):
        here = min(left, max(0, -(-(length - at) // step)))
        if here:
            cuts.append(Cut(part, at, at + (here - 1) * step + 1, step if here > 1 else 1))
        at, left = at + here * step - length, left - here
    return low, cuts, left


@dataclass(frozen=True)
class Access:
    """Elements of an operand that each part of a result is computed from, along a dimension in `shards` parts.

    Element i of the operand, of `size`, is at position i * `dilation` + `low`. Element j of the result, of size `made`,
    is computed from the `span` positions from j * `stride` on.
    """

    size: int
    made: int
    shards: int
    low: int = 0
    dilation: int = 1
    stride: int = 1
    span: int = 1

    @staticmethod
    def slide(window: Window, source: Layout) -> Access:
        """Return the access of windows that slide along a dimension of `source`."""
        return _access(window, source, window.made, window.stride, window.span)

    @staticmethod
    def sum_up(window: Window, source: Layout) -> Access:
        """Return the access of each part of a sharded kernel along a dimension of `source`."""
        span = (window.made - 1) * window.stride + 1
        return _access(window, source, window.size, window.window_dilation, span)

    @property
    def part(self) -> int:
        """Elements of the operand on each device."""
        return -(-self.size // self.shards)

    @property
    def target(self) -> int:
        """Elements of the result on each device."""
        return -(-self.made // self.shards)

    @property
    def window(self) -> int:
        """Positions between the first and the last that a device needs, both included."""
        return (self.target - 1) * self.stride + self.span

    @property
    def needed(self) -> Intervals:
        """The elements that each device needs for its part of the result."""
        return _needed(self)

    @property
    def needed_by_reference(self) -> Intervals:
        """Return the intervals like `needed`, counted as the reference does: from first elements, rounded toward 0."""
        return _needed_by_reference(self)

    def device_numbers(self, *numbers: int) -> np.ndarray:
        """Return the numbers of the devices in a type large enough for their products with `numbers`."""
        is_small = self.shards * max(map(abs, numbers)) < 1 << 61
        return np.arange(self.shards, dtype=np.int64 if is_small else object)


@lru_cache(maxsize=1 << 12)
def _needed(access: Access) -> Intervals:
    low, dilation, stride, target = access.low, access.dilation, access.stride, access.target
    devices = access.device_numbers(target * stride, (access.size + access.span) * dilation, low)
    last_result = np.minimum((devices + 1) * target, access.made) - 1
    begin = np.maximum(0, -(-(devices * target * stride - low) // dilation))
    end = np.minimum(access.size - 1, (last_result * stride + access.span - 1 - low) // dilation) + 1
    return Intervals(begin, np.where(devices * target <= last_result, end, begin), access.part)


@lru_cache(maxsize=1 << 12)
def _needed_by_reference(access: Access) -> Intervals:
    low, dilation, step = access.low, access.dilation, access.target * access.stride
    offsets = access.device_numbers(step, access.size, low) * step - low
    starts = np.where(offsets >= 0, offsets // dilation, -(-offsets // dilation))
    window = (access.target - 1) * access.stride + 1
    return Intervals(np.maximum(0, starts), np.minimum(access.size, starts + window), access.part)


def _access(window: Window, source: Layout, made: int, stride: int, span: int) -> Access:
    dim = window.source_dim
    return Access(source.shape[dim], made, source.shards[dim], window.low, window.source_dilation, stride, span)


# Plans -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Halo:
    """Halo of dimension `dim`, which is in `shards` parts of `part` elements.

    It is the last `left_rows` elements of the parts before it and the first `right_rows` of those behind it. If it
    `is_replicated`, every device had all parts before.
    """

    dim: int
    shards: int
    part: int
    left_rows: int
    right_rows: int
    is_replicated: bool = False

    @staticmethod
    def of(dim: int, needed: Intervals, *, is_replicated: bool = False) -> Halo:
        """Return the halo that covers the needed elements of every device."""
        return Halo(dim, len(needed.begin), needed.part, *needed.halo, is_replicated)

    @property
    def left(self) -> int:
        """Return the number of parts before its own that a device gets elements of."""
        return -(-self.left_rows // self.part) if self.left_rows else 0

    @property
    def right(self) -> int:
        """Return the number of parts behind its own that a device gets elements of."""
        return -(-self.right_rows // self.part) if self.right_rows else 0

    @property
    def distances(self) -> list[int]:
        """Return the distances to sending devices, positive for those before the receiver; in order, without 0."""
        return [*range(self.left, 0, -1), *range(-1, -self.right - 1, -1)]

    def rows(self, distance: int) -> int:
        """Return the elements that a device gets of the one `distance` positions before it, behind it if negative."""
        wanted = self.left_rows if distance > 0 else self.right_rows
        return min(self.part, wanted - (abs(distance) - 1) * self.part)

    @property
    def is_too_far(self) -> bool:
        """Return whether it is no better than gathering the dimension."""
        return self.left + self.right + 1 >= self.shards and (self.left > 1 or self.right > 1)

    @property
    def sent_rows(self) -> float:
        """Return the elements along the dimension that each device sends without a gather."""
        return moved_bytes("collective_permute", self.shards, self.left_rows + self.right_rows)

    @property
    def gathered_rows(self) -> float:
        """Return the elements along the dimension that each device sends with a gather."""
        return moved_bytes("all_gather", self.shards, self.part)

    @property
    def is_costly(self) -> bool:
        """Return whether the elements that each device gets are no fewer than if the dimension were gathered."""
        return self.sent_rows >= self.gathered_rows


@dataclass(frozen=True, kw_only=True)
class DimPlan(Halo):
    """Plan of a halo exchange: the window of `access` on each device, along one sharded dimension.

    If it `applies_stride`, it keeps only every `stride`-th position. If it `gathers`, it gets all parts, and reads its
    elements from them. With `minimal_padding`, the fetched elements are padded only as far as some device reads.
    """

    access: Access
    applies_stride: bool = False
    gathers: bool = False
    minimal_padding: bool = False

    @property
    def edge(self) -> int:
        """Return the padding on both sides of a device's parts with which any window lies inside."""
        return self.access.window * self.access.dilation

    @property
    def edges(self) -> tuple[int, int]:
        """Return the padding before and behind the fetched elements."""
        if not self.gathers:
            return self._minimal_edges if self.minimal_padding else (self.edge, self.edge)
        access = self.access
        whole = (self.part * self.shards - 1) * access.dilation + 1
        last = (self.shards - 1) * access.target * access.stride - access.low
        return max(0, access.low), max(0, last + access.window - whole)

    def pads_little(self, rows: int) -> bool:
        """Return whether windows of the `rows` that a device gets are cut before they are padded."""
        return self.minimal_padding and self.access.dilation == 1 and any(self.edges) and 2 * self.access.window <= rows

    @property
    def _minimal_edges(self) -> tuple[int, int]:
        """Return the smallest padding that some window reaches."""
        start = -self.access.low + self.left_rows * self.access.dilation
        starts = (start, start + (self.shards - 1) * self.per_position)
        low, high = max(0, -min(starts)), max(0, max(starts) + self.access.window - self.got)
        return min(self.edge, low), min(self.edge, high)

    @property
    def got(self) -> int:
        """Positions from the first to the last element that a device gets by halos, both included."""
        return (self.left_rows + self.part + self.right_rows - 1) * self.access.dilation + 1

    @property
    def first(self) -> int:
        """Return the start of the first device's window in its padded rows."""
        rows = 0 if self.gathers else self.left_rows
        return -self.access.low + rows * self.access.dilation + self.edges[0]

    @property
    def per_position(self) -> int:
        """Return the distance between the windows of neighbouring devices."""
        own = 0 if self.gathers else self.part * self.access.dilation
        return self.access.target * self.access.stride - own

    @property
    def is_aligned(self) -> bool:
        """Return whether the windows of all devices begin at the same distance from their parts."""
        return self.access.target * self.access.stride == self.part * self.access.dilation
