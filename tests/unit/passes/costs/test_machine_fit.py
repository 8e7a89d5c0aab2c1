"""Figures of machines that are found from times are those that the times come from."""

from __future__ import annotations

import math

import pytest

from sdy.passes.costs.machine import Machine
from sdy.passes.costs.machine_fit import Starts, TimedCollectives, fitted_link, fitted_rate, starts

MACHINE = Machine(flops=1e12, bandwidth=3e9, latency=7e-6, memory_bandwidth=5e10, overhead=2e-6, directions=1)


def timed(kinds: tuple[str, ...], size: float, group: int, factor: float = 1.0) -> TimedCollectives:
    seconds = sum(MACHINE.collective_seconds(kind, group, size) for kind in kinds)
    return TimedCollectives(tuple((kind, size) for kind in kinds), group, factor * seconds)


@pytest.mark.parametrize("group", [2, 4, 8])
def test_links(group: int) -> None:
    kinds = ("all_reduce", "all_to_all", "collective_permute")
    samples = [timed((kind,), size, group) for kind in kinds for size in (1 << 12, 1 << 22)]
    samples += [timed(("all_gather", "reduce_scatter"), size, group) for size in (1 << 12, 1 << 22)]
    assert fitted_link(samples) == pytest.approx((3e9, 7e-6))
    # Of times that are off by a tenth, up and down, not much more is wrong.
    rough = [timed((kind,), 1 << 22, group, factor) for kind, factor in zip(kinds, (0.9, 1.1, 1.0), strict=True)]
    rough += [timed((kind,), 1 << 12, group, factor) for kind, factor in zip(kinds, (1.1, 0.9, 1.0), strict=True)]
    assert fitted_link(rough) == pytest.approx((3e9, 7e-6), rel=0.25)


def test_rates() -> None:
    assert fitted_rate([(size, MACHINE.memory_seconds(size)) for size in (1e4, 1e6, 1e8)]) == pytest.approx(
        (5e10, 2e-6)
    )


def test_nothing_is_negative() -> None:
    """What grows faster than it is large has no constant; what does not grow has no rate."""
    rate, constant = fitted_rate([(1e6, 1e-6), (1e7, 2e-5)])
    assert constant == 0.0 and 1e7 / 2e-5 < rate < 1e6 / 1e-6
    rate, constant = fitted_rate([(1e6, 2e-6), (1e7, 1e-6)])
    assert rate == math.inf and 1e-6 <= constant <= 2e-6
    with pytest.raises(ValueError, match="no measurements to fit"):
        fitted_rate([])


def test_what_a_loop_takes_is_not_what_an_op_takes() -> None:
    found = starts(30e-6, 30e-6 + 63 * 2e-6, 64)
    assert found.op == pytest.approx(2e-6) and found.round == pytest.approx(28e-6)
    # Ops that start while the host waits take next to nothing; a loop takes nothing where ops take all of it.
    assert starts(30e-6, 29e-6, 64) == Starts(1e-9, 30e-6 - 1e-9)
    assert starts(2e-6, 64 * 3e-6, 64) == Starts(2e-6, 0.0)
    with pytest.raises(ValueError, match="at least two ops"):
        starts(1e-6, 1e-6, 1)
