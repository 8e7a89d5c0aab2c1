"""Tables of costs, each with a number: equal tables have one, so that what follows from them is computed once.

Costs are whole numbers of picoseconds. Sums of them are exact in any order, so that layers of a program that are alike
stay alike, and every process finds the same plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

Cost = int
"""Picoseconds."""

NEVER: Cost = 1 << 52
"""The cost of what must not be; a few hundred of them may be added up."""

PICOSECOND = 1e-12


def cost_of(seconds: float) -> Cost:
    """Seconds as a cost; what would take longer than an hour costs as much as what must not be."""
    return NEVER if seconds >= NEVER * PICOSECOND else round(seconds / PICOSECOND)


class Tables:
    """Tables by their numbers."""

    def __init__(self) -> None:
        self._arrays: list[np.ndarray] = []
        self._alike: dict[tuple[tuple[int, ...], int], list[int]] = {}

    def number(self, array: np.ndarray) -> int:
        """The number of a table of int64; the array must not be changed any more."""
        array = np.ascontiguousarray(array, dtype=np.int64)
        alike = self._alike.setdefault((array.shape, crc32(array)), [])
        for number in alike:
            if np.array_equal(self._arrays[number], array):
                return number
        alike.append(len(self._arrays))
        self._arrays.append(array)
        return alike[-1]

    def row(self, costs: Sequence[Cost]) -> int:
        """The number of a table of one dimension."""
        return self.number(np.array(costs, dtype=np.int64))

    def __getitem__(self, number: int) -> np.ndarray:
        return self._arrays[number]
