"""An interrupt (Ctrl-C) while a program is partitioned is an interrupt, and the next program is as it always is."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

import sdy
from sdy.mlir.interpreter import check_interrupts, interrupts_deferred
from tests.data.generate import program
from tests.depth import ALL

COUNT = 300 if ALL else 25


@pytest.fixture(autouse=True)
def raises() -> Iterator[None]:
    """Interrupts raise, also where tests run in the background of a shell, which lets its children ignore them."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture
def alarm() -> Iterator[None]:
    usual = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, usual)


@pytest.mark.usefixtures("alarm")
def test_partitioning_is_interrupted() -> None:
    text = program("mlp_fsdp")
    expected = sdy.partition(text).text
    began = time.perf_counter()
    sdy.partition(text)
    taken = time.perf_counter() - began
    interrupted = 0
    for number in range(COUNT):
        try:
            signal.setitimer(signal.ITIMER_REAL, taken * (number + 1) / (COUNT + 1))
            sdy.partition(text)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted > COUNT // 2
    assert sdy.partition(text).text == expected
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_interrupt_waits_and_the_second_does_not() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts_deferred():
        signal.raise_signal(signal.SIGINT)
        with interrupts_deferred():
            pass
        check_raises()
        signal.raise_signal(signal.SIGINT)
        waited = True
    assert waited
    with pytest.raises(KeyboardInterrupt), interrupts_deferred():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("goes on")


def check_raises() -> None:
    with pytest.raises(KeyboardInterrupt):
        check_interrupts()


def test_a_handler_of_the_users_is_called_in_its_time() -> None:
    called: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, frame: called.append(number))
    try:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            assert called == []
            check_interrupts()
            assert called == [signal.SIGINT]
        assert called == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, usual)
