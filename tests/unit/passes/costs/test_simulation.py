"""The stream of a device and its channels, by hand: the check values of the specification (async, 13)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sdy.passes.costs.simulation import Done, Run, Start, Step, Work, simulate

GATHER_1, GATHER_2, REDUCE = 1, 2, 3


def start(key: int, channel: str = "link") -> Start:
    return Start(key, {GATHER_1: 30, GATHER_2: 30, REDUCE: 20}[key], (channel,), ((key, 8),))


PRODUCT_1 = PRODUCT_2 = Work(40)
UPDATE = Work(5)


def run(*steps: Step) -> Run:
    return simulate(steps)


def both(key: int) -> Sequence[Step]:
    return start(key), Done(key)


def test_synchronous() -> None:
    found = run(*both(GATHER_1), PRODUCT_1, *both(GATHER_2), PRODUCT_2, *both(REDUCE), UPDATE)
    assert (found.total, found.compute, found.communication, found.exposed) == (165, 85, 80, 80)
    assert found.peak_bytes_in_flight == 8


def test_placed() -> None:
    found = run(
        start(GATHER_1), start(GATHER_2), Done(GATHER_1), PRODUCT_1, start(REDUCE), Done(GATHER_2), PRODUCT_2,
        Done(REDUCE), UPDATE,
    )  # fmt: skip
    assert (found.total, found.exposed, found.peak_bytes_in_flight) == (115, 30, 16)
    assert found.flights[GATHER_2].begun == 30, "there is one channel"
    assert [found.flights[key].wait for key in (GATHER_1, GATHER_2, REDUCE)] == [30, 0, 0]


def test_placed_within_eight_bytes() -> None:
    found = run(
        start(GATHER_1), Done(GATHER_1), start(GATHER_2), PRODUCT_1, Done(GATHER_2), start(REDUCE), PRODUCT_2,
        Done(REDUCE), UPDATE,
    )  # fmt: skip
    assert (found.total, found.exposed, found.peak_bytes_in_flight) == (115, 30, 8)


def test_channels_do_not_hinder_one_another() -> None:
    found = run(start(GATHER_1, "x"), start(GATHER_2, "y"), Done(GATHER_1), Done(GATHER_2))
    assert (found.total, found.communication) == (30, 60)


def test_who_needs_two_channels_waits_for_both() -> None:
    wide = Start(REDUCE, 20, ("up", "down"))
    found = run(start(GATHER_1, "up"), Work(5), wide, start(GATHER_2, "down"), Done(GATHER_2), Done(REDUCE))
    assert (found.flights[REDUCE].begun, found.flights[GATHER_2].begun) == (30, 50)
    assert found.total == 80


def test_a_loop_is_one_step_with_its_own_waits() -> None:
    found = run(start(GATHER_1), Work(10, exposed=50, communication=60, bytes_in_flight=100), Done(GATHER_1))
    assert (found.total, found.compute, found.exposed, found.communication) == (60, 10, 50, 90)
    assert found.peak_bytes_in_flight == 108


def test_a_buffer_that_several_hold_counts_once() -> None:
    shared = ("operand", 100)
    found = run(
        Start(1, 1, ("x",), (shared, ("a", 1))),
        Start(2, 1, ("y",), (shared, ("b", 2))),
        Done(1),
        Work(0, 0, 0, 7),
        Done(2),
    )
    assert found.peak_bytes_in_flight == 109
    assert found.bytes_in_flight == [(0, 101), (0, 103), (1, 102), (1, 0)]


@pytest.mark.parametrize("work", [0, 20, 30, 40])
def test_waits_are_what_is_left_of_a_transfer(work: float) -> None:
    found = run(start(GATHER_1), Work(work), Done(GATHER_1))
    assert found.exposed == max(0, 30 - work)
    assert found.total == found.compute + found.exposed
