"""Calls in a process of their own, for what the bindings may not survive: reading damaged bytecode."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Died(Exception):
    """The process that made the call ended without an answer."""


def isolated(call: Callable[[], Result]) -> Result:
    """What `call` returns, made in a child process; what it raises is raised here.

    Both have to be picklable. Where processes cannot be forked the call is made in this one.

    Raises:
      Died: the call ended the process.
    """
    if not hasattr(os, "fork"):
        return call()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(call, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    if not answer:
        raise Died
    result, error = pickle.loads(answer)
    if error is not None:
        raise error
    return result


def _answer(call: Callable[[], Any], writing: int) -> None:
    """Makes the call and ends the process."""
    try:
        # What the bindings print when they abort is for developers of them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            answer = call(), None
        except Exception as error:  # noqa: BLE001 - it is raised again in the parent
            answer = None, error
        with os.fdopen(writing, "wb") as answers:
            pickle.dump(answer, answers)
    finally:
        os._exit(0)
