"""The devices of a tile assignment in row-major order of its tiles (spec: interchange, 2 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Iota:
    """Devices 0, 1, ..., n-1 reshaped to `reshape` and transposed by `permutation`: ``<=[2,4]T(1,0)``."""

    reshape: tuple[int, ...]
    permutation: tuple[int, ...]

    @staticmethod
    def of(reshape: Sequence[int], permutation: Sequence[int]) -> Iota:
        """In canonical form: without sizes 1, neighbours that stay neighbours are one dimension."""
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
