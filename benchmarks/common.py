"""Paired timing and the tables that all benchmarks print.

A pair is one run of ours directly followed by one of the reference, so that both see the machine in the same state. The
ratio is the median of the pairs' ratios (below 1: ours is faster); times are medians as well.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

RUNS = 5

Prepared = Callable[[], object]
"""Does the work that is timed."""

Prepare = Callable[[], Prepared]
"""Sets up one run, untimed."""


@dataclass(frozen=True)
class Row:
    """Medians of one comparison, in seconds, and their ratio."""

    label: str
    ours: float
    reference: float
    ratio: float


Clock = Callable[[], float]
"""`time.perf_counter`, or `time.process_time`: what all threads spend on processors, however busy the machine is."""


def seconds(prepare: Prepare, clock: Clock = time.perf_counter) -> float:
    """Time of one prepared run."""
    work = prepare()
    gc.collect()
    started = clock()
    work()
    return clock() - started


def paired(label: str, ours: Prepare, reference: Prepare, runs: int = RUNS, clock: Clock = time.perf_counter) -> Row:
    """Times both in alternation, after one run of each that does not count."""
    seconds(ours)
    seconds(reference)
    pairs = [(seconds(ours, clock), seconds(reference, clock)) for _ in range(runs)]
    return Row(
        label,
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def print_table(title: str, rows: Sequence[Row], runs: int = RUNS, peer: str = "C++") -> None:
    """`peer` is what ours is compared with."""
    print(f"{title:<44}{'ours':>10}{peer:>12}{'ratio':>8}   ({runs} paired runs, median)")
    for row in rows:
        times = "".join(_shown(seconds, width) for seconds, width in ((row.ours, 10), (row.reference, 12)))
        print(f"  {row.label:<42}{times}{row.ratio:>8.2f}")
    print(flush=True)


def _shown(seconds: float, width: int) -> str:
    return f"{seconds:>{width - 2}.3f} s" if seconds >= 0.1 else f"{seconds * 1e3:>{width - 3}.2f} ms"


def print_growth(smaller: Sequence[Row], larger: Sequence[Row]) -> None:
    """How many times longer the rows of `larger` take than those of `smaller`."""
    print(f"{'growth':<44}{'ours':>10}{'C++':>12}")
    for small, large in zip(smaller, larger, strict=True):
        grown = large.ours / small.ours, large.reference / small.reference
        print(f"  {large.label:<42}{grown[0]:>10.1f}{grown[1]:>12.1f}")
    print(flush=True)
