"""Fit the figures of a machine to measured times: each op takes the time of its work plus a constant."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import hops, moved_bytes

LEAST = 1e-9
"""Seconds that anything is taken to last at least."""


@dataclass(frozen=True, slots=True)
class Starts:
    """Seconds to start an op, and seconds of overhead of one round of a loop."""

    op: float
    round: float


def starts(one: float, row: float, count: int) -> Starts:
    """Compute them from the seconds of a round with one op, and of a round with `count` ops in a row.

    Neither figure is negative. Raises `ValueError` for a row of one.
    """
    if count < 2:
        raise ValueError("a row is at least two ops")
    op = min(max((row - one) / (count - 1), LEAST), one)
    return Starts(op, one - op)


@dataclass(frozen=True, slots=True)
class TimedCollectives:
    """Collectives that ran one after the other: kinds with the bytes that a device contributes, and total seconds.

    Groups are of `group_size` devices.
    """

    collectives: tuple[tuple[str, float], ...]
    group_size: int
    seconds: float

    @property
    def moved(self) -> float:
        """Bytes that each device sends."""
        return sum(moved_bytes(kind, self.group_size, size) for kind, size in self.collectives)

    @property
    def hops(self) -> int:
        """Links that the last bytes pass."""
        return sum(hops(kind, self.group_size) for kind, _ in self.collectives)


def fitted_rate(timed: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the amounts per second, and the seconds to start, fitted to pairs of an amount and its seconds.

    Raises `ValueError` without any pair.
    """
    return _fitted([(amount, 1.0, seconds) for amount, seconds in timed])


def fitted_work(timed: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return amounts per second, and seconds of a start, fitted to amounts, numbers of starts and seconds.

    Raises `ValueError` without any row.
    """
    return _fitted(timed)


def fitted_link(timed: Sequence[TimedCollectives]) -> tuple[float, float]:
    """Bandwidth and latency of the links of one mesh axis, which collectives use in one direction.

    Raises `ValueError` without any collective.
    """
    return _fitted([(one.moved, float(one.hops), one.seconds) for one in timed])


def _fitted(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """The rate and the constant of ``seconds = amount / rate + count * constant``, by least relative errors.

    Negative values become 0, and the other one is fitted alone.
    """
    if not rows:
        raise ValueError("there are no measurements to fit")
    left = np.array([[amount / seconds, count / seconds] for amount, count, seconds in rows])
    right = np.ones(len(rows))
    (slope, constant), *_ = np.linalg.lstsq(left, right, rcond=None)
    if slope <= 0 or constant < 0:
        alone = [max(float(column @ right / (column @ column)), 0.0) if column.any() else 0.0 for column in left.T]
        errors = [np.sum((left[:, place] * alone[place] - right) ** 2) for place in (0, 1)]
        slope, constant = (alone[0], 0.0) if errors[0] <= errors[1] else (0.0, alone[1])
    return (1 / float(slope) if slope > 0 else math.inf), float(constant)
