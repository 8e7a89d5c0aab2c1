"""Axis references and their arithmetic (spec: sharding-algebra, 2 and 3).

A full axis of size F is pictured as a string of mixed-radix digits, major digit first. The sub-axis ``(pre)size`` is
the group of digits that has ``pre`` combinations to its left, so it covers the interval ``[pre, pre * size)``; a full
axis covers ``[1, F)``. Nothing here needs an MLIR context: functions look up axis sizes only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from sdy.lazy_dataclass import dataclass

AxisSizes = Mapping[str, int]
"""Sizes of the full axes by name; `Mesh.axis_sizes` is one."""


@dataclass(frozen=True, slots=True)
class SubAxis:
    """The part of an axis with `pre_size` shards to its left and `size` shards of its own."""

    pre_size: int
    size: int

    def __str__(self) -> str:
        return f"({self.pre_size}){self.size}"

    @property
    def next_pre_size(self) -> int:
        return self.pre_size * self.size


@dataclass(frozen=True, slots=True)
class AxisRef:
    """A mesh axis, or its sub-axis `sub_axis`."""

    name: str
    sub_axis: SubAxis | None = None

    @staticmethod
    def sub(name: str, pre_size: int, size: int) -> AxisRef:
        """The sub-axis ``"name":(pre_size)size``."""
        return AxisRef(name, SubAxis(pre_size, size))

    def __str__(self) -> str:
        text = quote(self.name)
        return text if self.sub_axis is None else f"{text}:{self.sub_axis}"

    # Measures ------------------------------------------------------------------------------------

    @property
    def pre_size(self) -> int:
        return 1 if self.sub_axis is None else self.sub_axis.pre_size

    def size(self, sizes: AxisSizes) -> int:
        return sizes[self.name] if self.sub_axis is None else self.sub_axis.size

    def next_pre_size(self, sizes: AxisSizes) -> int:
        return sizes[self.name] if self.sub_axis is None else self.sub_axis.next_pre_size

    @property
    def name_key(self) -> tuple[bytes, int, int, int]:
        """Sort key of the *name order*: by name; of one axis, pre-size 1 by size, then the full axis, then the rest."""
        if self.sub_axis is None:
            return (self.name.encode(), 1, 1, 0)
        return (self.name.encode(), self.sub_axis.pre_size, 0, self.sub_axis.size)

    # Relations -----------------------------------------------------------------------------------

    def contains(self, other: AxisRef) -> bool:
        """Return whether every digit of `other` is in this axis; a full axis contains all of its sub-axes."""
        if self.name != other.name:
            return False
        a, b = self.sub_axis, other.sub_axis
        if a is None or b is None:
            return a is None
        return a.pre_size <= b.pre_size and a.next_pre_size >= b.next_pre_size

    def strictly_contains(self, other: AxisRef) -> bool:
        return self != other and self.contains(other)

    def is_prefix_of(self, other: AxisRef) -> bool:
        """Return whether this axis is the major digits of `other`, or all of them."""
        return other.contains(self) and self.pre_size == other.pre_size

    def is_strict_prefix_of(self, other: AxisRef) -> bool:
        return self != other and self.is_prefix_of(other)

    def is_suffix_of(self, other: AxisRef, sizes: AxisSizes) -> bool:
        """Return whether this axis is the minor digits of `other`, or all of them."""
        return other.contains(self) and self.next_pre_size(sizes) == other.next_pre_size(sizes)

    def overlaps(self, other: AxisRef) -> bool:
        """Return whether some digit belongs to both."""
        if self.name != other.name:
            return False
        a, b = self.sub_axis, other.sub_axis
        if a is None or b is None:
            return True
        return a.pre_size < b.next_pre_size and b.pre_size < a.next_pre_size

    def can_coexist(self, other: AxisRef) -> bool:
        """Return whether one factorisation of the full axis contains the borders of both."""
        a, b = self.sub_axis, other.sub_axis
        if self.name != other.name or a is None or b is None:
            return True
        low_pre, high_pre = sorted((a.pre_size, b.pre_size))
        low_next, high_next = sorted((a.next_pre_size, b.next_pre_size))
        if low_next > high_pre:
            return low_next % high_pre == 0 and high_pre % low_pre == 0 and high_next % low_next == 0
        return high_pre % low_next == 0

    # Arithmetic ----------------------------------------------------------------------------------

    def overlap(self, other: AxisRef) -> AxisRef | None:
        """The digits in both, or None."""
        if self.name != other.name:
            return None
        a, b = self.sub_axis, other.sub_axis
        if a is None:
            return other
        if b is None:
            return self
        pre, end = max(a.pre_size, b.pre_size), min(a.next_pre_size, b.next_pre_size)
        if end <= pre or not self.can_coexist(other):
            return None
        return AxisRef.sub(self.name, pre, end // pre)

    def prefix_without(self, other: AxisRef) -> AxisRef | None:
        """Return the major digits of this axis before the first digit of `other`.

        Returns None if there are none or the two cannot coexist.
        """
        if not self.can_coexist(other):
            return None
        if not self.overlaps(other):
            return self
        if self.pre_size >= other.pre_size:
            return None
        return AxisRef.sub(self.name, self.pre_size, other.pre_size // self.pre_size)

    def suffix_without(self, other: AxisRef, sizes: AxisSizes) -> AxisRef | None:
        """Return the minor digits of this axis behind the last digit of `other`.

        Returns None if there are none or the two cannot coexist.
        """
        if not self.can_coexist(other):
            return None
        if not self.overlaps(other):
            return self
        end, other_end = self.next_pre_size(sizes), other.next_pre_size(sizes)
        if end <= other_end:
            return None
        return AxisRef.sub(self.name, other_end, end // other_end)

    def greatest_common_prefix(self, other: AxisRef) -> AxisRef | None:
        if not self.can_coexist(other):
            return None
        if self.is_prefix_of(other):
            return self
        return other if other.is_prefix_of(self) else None

    def can_merge(self, minor: AxisRef) -> bool:
        """Return whether `minor` directly continues this axis, so that the two can be written as one."""
        a, b = self.sub_axis, minor.sub_axis
        return self.name == minor.name and a is not None and b is not None and a.next_pre_size == b.pre_size

    def merge(self, minor: AxisRef, sizes: AxisSizes) -> AxisRef:
        """Us followed by `minor` (see `can_merge`); the full axis if that covers it."""
        assert self.sub_axis is not None and minor.sub_axis is not None
        size = self.sub_axis.size * minor.sub_axis.size
        return AxisRef(self.name) if size == sizes[self.name] else AxisRef.sub(self.name, self.pre_size, size)


AxisList = tuple[AxisRef, ...]
"""Axis references, major to minor."""


def axes(*names: str) -> AxisList:
    """Full axes by name."""
    return tuple(AxisRef(name) for name in names)


def quote(text: str) -> str:
    """`text` as an MLIR string literal: printable ASCII stays, every other byte becomes a two-digit hex escape."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    out = []
    for byte in text.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        if char == "\\":
            out.append("\\\\")
        elif 32 <= byte < 127 and char != '"':
            out.append(char)
        else:
            out.append(f"\\{byte:02X}")
    return '"' + "".join(out) + '"'


_ESCAPE = re.compile(r'\\(["\\nt]|[0-9a-fA-F]{2})')


def unquote(body: str) -> str:
    """Decode the MLIR string literal ``"body"``; bytes that are no UTF-8 become lone surrogates."""
    out = bytearray()
    last = 0
    for escape in _ESCAPE.finditer(body):
        out += body[last : escape.start()].encode("utf-8", "surrogateescape")
        code = escape[1]
        out += {"n": b"\n", "t": b"\t"}.get(code) or (code.encode() if len(code) == 1 else bytes.fromhex(code))
        last = escape.end()
    out += body[last:].encode("utf-8", "surrogateescape")
    return out.decode("utf-8", "surrogateescape")


def product(axis_list: Iterable[AxisRef], sizes: AxisSizes) -> int:
    """Number of shards along the list."""
    return math.prod(axis.size(sizes) for axis in axis_list)


def append_or_merge(axis_list: list[AxisRef], axis: AxisRef, sizes: AxisSizes) -> None:
    """Appends `axis` in place; merges it with the last element where possible."""
    if axis_list and axis_list[-1].can_merge(axis):
        axis_list[-1] = axis_list[-1].merge(axis, sizes)
    else:
        axis_list.append(axis)


def merged(axis_list: Iterable[AxisRef], sizes: AxisSizes) -> AxisList:
    """The list folded with `append_or_merge`."""
    out: list[AxisRef] = []
    for axis in axis_list:
        append_or_merge(out, axis, sizes)
    return tuple(out)


def any_overlap(first: Iterable[AxisRef], second: Sequence[AxisRef]) -> bool:
    return any(a.overlaps(b) for a in first for b in second)


def difference(minuend: Sequence[AxisRef], subtrahend: Sequence[AxisRef], sizes: AxisSizes) -> AxisList:
    """`minuend` without the digits of `subtrahend`, in its own order and not merged (section 3.1)."""
    if not minuend or tuple(minuend) == tuple(subtrahend):
        return ()
    if not subtrahend:
        return tuple(minuend)
    ordered = sorted(subtrahend, key=lambda axis: axis.name_key)
    out: list[AxisRef] = []
    for axis in minuend:
        rest: AxisRef | None = axis
        while rest is not None:
            cut = next((b for b in ordered if rest.overlaps(b)), None)
            if cut is None:
                out.append(rest)
                break
            prefix = rest.prefix_without(cut)
            if prefix is not None:
                out.append(prefix)
            rest = rest.suffix_without(cut, sizes)
    return tuple(out)


def common_prefix(first: Sequence[AxisRef], second: Sequence[AxisRef]) -> AxisList:
    """The longest list that both start with; the last element may be a proper prefix of theirs."""
    out: list[AxisRef] = []
    for a, b in zip(first, second, strict=False):
        if a != b:
            shared = a.greatest_common_prefix(b)
            if shared is not None:
                out.append(shared)
            break
        out.append(a)
    return tuple(out)


def behind(axis_list: AxisList, prefix: AxisList, sizes: AxisSizes) -> AxisList:
    """Return the axes of `axis_list` behind `prefix`."""
    if not prefix:
        return axis_list
    last = len(prefix) - 1
    return (*difference((axis_list[last],), (prefix[last],), sizes), *axis_list[last + 1 :])


def prefix_without_all(axis: AxisRef, others: Iterable[AxisRef]) -> AxisRef | None:
    """The prefix of `axis` that overlaps none of `others`."""
    rest: AxisRef | None = axis
    for other in others:
        if rest is None:
            return None
        rest = rest.prefix_without(other)
    return rest


def truncate(axis_list: Sequence[AxisRef], others: Sequence[AxisRef]) -> AxisList:
    """Return `axis_list` cut before the first digit that belongs to `others`."""
    out: list[AxisRef] = []
    for axis in axis_list:
        rest = prefix_without_all(axis, others)
        if rest is not None:
            out.append(rest)
        if rest != axis:
            break
    return tuple(out)


def is_strict_prefix(first: Sequence[AxisRef], second: Sequence[AxisRef]) -> bool:
    """Return whether `second` is a longer list that starts with `first`.

    The last element of `first` may be a prefix of its peer.
    """
    if not first:
        return bool(second)
    last = len(first) - 1
    if len(first) > len(second) or tuple(first[:last]) != tuple(second[:last]):
        return False
    if len(first) == len(second):
        return first[last].is_strict_prefix_of(second[last])
    return first[last].is_prefix_of(second[last])


def list_key(axis_list: Sequence[AxisRef]) -> tuple[int, tuple[tuple[bytes, int, int, int], ...]]:
    """Sort key of lists: shorter first, then by name order at the first difference."""
    return (len(axis_list), tuple(axis.name_key for axis in axis_list))


def gather(axis_list: Sequence[AxisRef], removed: Sequence[AxisRef], sizes: AxisSizes) -> AxisList | None:
    """Return the axes of a dimension after an all-gather of `removed`; None if these are not its minor digits."""
    out = list(axis_list)
    for axis in reversed(removed):
        if not out or not axis.is_suffix_of(out[-1], sizes):
            return None
        last = out.pop()
        rest = last.prefix_without(axis) if last != axis else None
        if rest is not None:
            out.append(rest)
    return tuple(out)


def slice_(axis_list: Sequence[AxisRef], added: Iterable[AxisRef], sizes: AxisSizes) -> AxisList:
    """A dimension's axes after slicing it further along `added`."""
    out = list(axis_list)
    for axis in added:
        append_or_merge(out, axis, sizes)
    return tuple(out)


def align(lists: Sequence[Sequence[AxisRef]], others: Iterable[AxisRef], sizes: AxisSizes) -> list[list[AxisRef]]:
    """Splits the axes of each of `lists` at the borders of `others`, and returns the lists in order (section 4.2)."""
    ordered = sorted(others, key=lambda axis: axis.name_key)
    return [[part for axis in axis_list for part in _split(axis, ordered, sizes)] for axis_list in lists]


def _split(axis: AxisRef, ordered: Sequence[AxisRef], sizes: AxisSizes) -> list[AxisRef]:
    """`axis` cut at the borders of the sorted `ordered` axes that lie inside it."""
    parts: list[AxisRef] = []
    rest: AxisRef | None = axis
    position = next((i for i, other in enumerate(ordered) if axis.overlaps(other)), len(ordered))
    while rest is not None and position < len(ordered):
        other = ordered[position]
        if not rest.can_coexist(other) or not rest.overlaps(other) or other.contains(rest):
            break
        prefix, middle, suffix = rest.prefix_without(other), rest.overlap(other), rest.suffix_without(other, sizes)
        parts += [part for part in (prefix, middle) if part is not None]
        rest = suffix
        position += 1
    if rest is not None:
        parts.append(rest)
    return parts
