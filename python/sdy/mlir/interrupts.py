"""Interrupts (Ctrl-C) wait while a program is worked on, until it can be left behind.

Python raises an interrupt wherever it is, also where the bindings call Python or what is remembered of a context is
being forgotten; the process may die of that later. So the first one waits for the next `check`, which is made between
passes and between the steps of a search. A second one does not wait.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any


@dataclass
class _Waiting:
    """The handler that there is outside of the blocks, and whether it is to be called."""

    handler: Callable[[int, FrameType | None], Any] | None = None
    is_asked: bool = False


_waiting = _Waiting()


def _ask(number: int, frame: FrameType | None) -> None:
    if _waiting.is_asked and _waiting.handler is not None:
        _waiting.handler(number, frame)
    _waiting.is_asked = True


@contextmanager
def deferred() -> Iterator[None]:
    """Lets interrupts wait for the next `check`, or the end of the block. Only the main thread gets any.

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


def check() -> None:
    """Calls the handler of an interrupt that waits, if this is the main thread.

    Raises what the handler raises: Python's own raises `KeyboardInterrupt`.
    """
    if _waiting.is_asked and _waiting.handler is not None and threading.current_thread() is threading.main_thread():
        _waiting.is_asked = False
        _waiting.handler(signal.SIGINT, None)
