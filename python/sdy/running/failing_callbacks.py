"""Callbacks that keep what they raise until all devices can go on without them.

A device that fails while others wait for it in a collective takes the process with it, some time later. So a callback
whose result other devices wait for does not fail where it is called: it returns zeros and the number of its failure,
and that number is handed to `Failures.raise_` behind the last collective.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

NO_FAILURE = 0

Passed: TypeAlias = "np.ndarray | np.generic | None"
"""What XLA passes to callbacks and takes from them: arrays, and None for tokens."""

Callback: TypeAlias = Callable[..., Sequence[Passed]]


class Failures:
    """What the callbacks of one program have raised and nobody has been told of yet, by number."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._raised: dict[int, Exception] = {}

    def add(self, error: Exception) -> int:
        """The number of a failure."""
        with self._lock:
            number = NO_FAILURE + 1 + next(self._numbers) % (2**31 - 1)  # an i32
            self._raised[number] = error
            return number

    def raise_(self, number: Passed, *_: Passed) -> tuple[()]:
        """Raises the failure of that number, unless somebody was told of it; the last callback of a program."""
        with self._lock:
            error = self._raised.pop(_number(number), None)
        if error is not None:
            raise error
        return ()


def keeping_failures(callback: Callback, zeros: Sequence[np.ndarray | None], failures: Failures) -> Callback:
    """`callback` with one more argument and one more result: the number of the failure before it, and after it.

    After a failure it is not called. `zeros` are what it returns then; None stands for a token, the first argument.
    """

    def kept(*args: Passed) -> tuple[Passed, ...]:
        *given, before = args
        number = _number(before)
        if number == NO_FAILURE:
            try:
                return (*callback(*given), np.int32(NO_FAILURE))
            except Exception as error:  # noqa: BLE001 (whatever it is, it is raised at the end)
                number = failures.add(error)
        return (*(given[0] if zero is None else zero for zero in zeros), np.int32(number))

    return kept


def _number(given: Passed) -> int:
    """The number of a failure as it travels."""
    assert given is not None, "a token has no number"
    return int(given)
