"""Axes of one tile assignment: cuts of the device order that suit its tiles (spec: interchange, 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.sharding_text.device_order import Iota
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh


@dataclass(frozen=True, slots=True)
class LocalAxes:
    """Axes in the order of the devices, and which of them each tile dimension has, major to minor."""

    sizes: tuple[int, ...]
    of_dims: tuple[tuple[int, ...], ...]


def cut(dims: Sequence[int], devices: Iota) -> LocalAxes | None:
    """The axes of tiles `dims` over `devices`; None if the one's sizes do not divide the other's.

    Both are walked from the minor end; each step takes what the tile dimension and the dimension of the devices have
    in common.
    """
    owners: list[list[tuple[int, int]]] = [[] for _ in devices.reshape]  # minor first: size and tile dimension
    waiting = list(devices.permutation)
    rest = devices.reshape[waiting[-1]]
    for dim in reversed(range(len(dims))):
        left = dims[dim]
        while left > 1:
            while rest == 1:
                waiting.pop()
                rest = devices.reshape[waiting[-1]]
            size = math.gcd(left, rest)
            if size == 1:
                return None
            owners[waiting[-1]].append((size, dim))
            left, rest = left // size, rest // size
    pieces = [(reshaped, piece) for reshaped, minor_first in enumerate(owners) for piece in reversed(minor_first)]
    by_dim: list[list[int]] = [[] for _ in dims]
    # Within a tile dimension the pieces stand in the order of the permuted devices.
    for reshaped in devices.permutation:
        for number, (owner, (_, dim)) in enumerate(pieces):
            if owner == reshaped:
                by_dim[dim].append(number)
    return LocalAxes(tuple(size for _, (size, _) in pieces), tuple(map(tuple, by_dim)))


def axes_of_sizes(mesh: Mesh, sizes: Sequence[int]) -> AxisList:
    """The axes of a mesh, cut into parts of `sizes`; where each axis ends, one of the parts does."""
    rest = list(sizes)
    axes: list[AxisRef] = []
    for axis in mesh.axes:
        pre_size = 1
        while pre_size < axis.size:
            size = rest.pop(0)
            axes.append(AxisRef(axis.name) if size == axis.size else AxisRef.sub(axis.name, pre_size, size))
            pre_size *= size
    return tuple(axes)


def refine(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...] | None:
    """The coarsest sizes of which both lists are made by multiplying neighbours; None if there are none."""
    sizes: list[int] = []
    left, right = list(first), list(second)
    while left and right:
        size = math.gcd(left[0], right[0])
        if size == 1 and (left[0] > 1 and right[0] > 1):
            return None
        if size > 1:
            sizes.append(size)
        for rest in (left, right):
            rest[0] //= size
            if rest[0] == 1:
                rest.pop(0)
    return None if any(size > 1 for size in (*left, *right)) else tuple(sizes)
