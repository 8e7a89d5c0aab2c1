"""The devices of a tile assignment, and the axes that cut them (spec: interchange, 2 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Iota:
    """Devices 0, 1, ..., n-1 reshaped to `reshape` and transposed by `permutation`: ``<=[2,4]T(1,0)``."""

    reshape: tuple[int, ...]
    permutation: tuple[int, ...]

    @staticmethod
    def of(reshape: Sequence[int], permutation: Sequence[int]) -> Iota:
        """Return the canonical form: without sizes 1, with permanent neighbours joined."""
        runs: list[list[int]] = []
        kept = [dim for dim in range(len(reshape)) if reshape[dim] != 1]
        number = {dim: index for index, dim in enumerate(kept)}
        for dim in (number[dim] for dim in permutation if dim in number):
            if runs and runs[-1][-1] + 1 == dim:
                runs[-1].append(dim)
            else:
                runs.append([dim])
        ordered = sorted(runs)
        sizes = tuple(math.prod(reshape[kept[dim]] for dim in run) for run in ordered)
        return Iota(sizes or (1,), tuple(ordered.index(run) for run in runs) or (0,))

    @staticmethod
    def identity(size: int) -> Iota:
        """Devices in their own order."""
        return Iota((size,), (0,))

    @property
    def size(self) -> int:
        return math.prod(self.reshape)

    @property
    def ids(self) -> np.ndarray:
        """The device ids in order, shape ``[size]``, int64."""
        return np.arange(self.size).reshape(self.reshape).transpose(self.permutation).reshape(-1)

    def __str__(self) -> str:
        transposed = f"T({_numbers(self.permutation)})" if len(self.reshape) > 1 else ""
        return f"<=[{_numbers(self.reshape)}]{transposed}"


@dataclass(frozen=True, slots=True)
class Listed:
    """Devices one by one: ``7,6,5,4,3,2,1,0``."""

    devices: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.devices)

    @property
    def ids(self) -> np.ndarray:
        """The device ids in order, shape ``[size]``, int64."""
        return np.asarray(self.devices, dtype=np.int64)

    def __str__(self) -> str:
        return _numbers(self.devices)


DeviceOrder = Iota | Listed


def as_iota(ids: Sequence[int]) -> Iota | None:
    """The transposed iota that lists `ids`; None if there is none."""
    strides: list[tuple[int, int]] = []  # of each digit, minor to major: how far apart, how many
    block = 1
    while block < len(ids):
        stride = ids[block] - ids[0]
        count = 1
        while count * block < len(ids) and ids[count * block] - ids[0] == count * stride:
            count += 1
        strides.append((stride, count))
        block *= count
    digits = strides[::-1]
    major_first = sorted(range(len(digits)), key=lambda digit: -digits[digit][0])
    found = Iota.of([digits[digit][1] for digit in major_first], [major_first.index(d) for d in range(len(digits))])
    return found if found.size == len(ids) and found.ids.tolist() == list(ids) else None


def _numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


@dataclass(frozen=True, slots=True)
class LocalAxes:
    """Axes in the order of the devices, and which of them each tile dimension has, major to minor."""

    sizes: tuple[int, ...]
    of_dims: tuple[tuple[int, ...], ...]


def cut(dims: Sequence[int], devices: Iota) -> LocalAxes | None:
    """Return the axes of tiles `dims` over `devices`; None if the sizes of one do not divide the other's.

    Both are walked from the minor end; each step takes the common part of the tile dimension and the dimension of the
    devices.
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
    """Return the axes of a mesh, cut into parts of `sizes`; the end of each axis is the end of a part."""
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
    """Return the coarsest sizes that refine both lists; None if there are none."""
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
