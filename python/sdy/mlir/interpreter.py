"""Changes to Python while a program is worked on: recursion, interrupts (Ctrl-C) that wait, cycles, and locks."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from types import FrameType

from sdy.lazy_dataclass import dataclass


def process_lock() -> RLock:
    """Return a reentrant lock that is free in a forked child process, whichever thread forks and holds it.

    A holder may take locks made before this one, but none made after it: forking takes them in that order.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


DEEPEST = 1000
"""The deepest nesting of programs."""

_FRAMES = 10
"""Python calls per level of nesting, at most."""


@dataclass
class _Room:
    """Number of blocks that need deep recursion, and the recursion limit before the first."""

    users: int = 0
    usual: int = 0


_room, _changing = _Room(), process_lock()


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Lets Python recurse into programs that are nested up to `DEEPEST` for the time of the block.

    Python has one limit for all threads, so the last block to end restores it.
    """
    with _changing:
        if not _room.users:
            _room.usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_room.usual, DEEPEST * _FRAMES))
        _room.users += 1
    try:
        yield
    finally:
        with _changing:
            _room.users -= 1
            if not _room.users:
                sys.setrecursionlimit(_room.usual)


@dataclass
class _Waiting:
    """Interrupt handler outside of the blocks, with a flag that a call is pending."""

    handler: Callable[[int, FrameType | None], object] | None = None
    is_asked: bool = False


_waiting = _Waiting()


def _ask(number: int, frame: FrameType | None) -> None:
    if _waiting.is_asked and _waiting.handler is not None:
        _waiting.handler(number, frame)
    _waiting.is_asked = True


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Lets interrupts wait for the next `check_interrupts`, or the end of the block. Only the main thread gets any.

    Raises:
      KeyboardInterrupt: there was an interrupt, and the handler is Python's own.
    """
    if _waiting.handler is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        yield
        return
    # In this order an interrupt at any place leaves nothing behind.
    _waiting.is_asked = False
    signal.signal(signal.SIGINT, _ask)
    _waiting.handler = handler
    try:
        yield
    finally:
        _waiting.handler = None
        signal.signal(signal.SIGINT, handler)
        if _waiting.is_asked:
            handler(signal.SIGINT, None)


def check_interrupts() -> None:
    """Calls the handler of an interrupt that waits, if this is the main thread.

    Raises what the handler raises: Python's own raises `KeyboardInterrupt`.
    """
    if _waiting.is_asked and _waiting.handler is not None and threading.current_thread() is threading.main_thread():
        _waiting.is_asked = False
        _waiting.handler(signal.SIGINT, None)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause Python's cycle collector during the block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def keep_loaded() -> None:
    """Move all objects to the oldest generation of the cycle collector, without a look at them.

    What modules leave when they are loaded stays for good; the next collection of young objects would take 10 ms for
    those of a first program. Nothing happens where somebody has frozen objects.
    """
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()
