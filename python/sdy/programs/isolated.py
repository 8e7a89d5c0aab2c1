"""Calls in separate processes, for input that may crash the bindings: damaged bytecode.

The process is not a fork: a fork of a process with threads, such as one that runs JAX, may wait forever for a lock.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

_PROGRAM = "from sdy.programs.isolated import answer; answer()"


class Died(Exception):
    """The process that made the call ended without an answer."""


def isolated(function: Callable[[Argument], Result], argument: Argument) -> Result:
    """Call `function`, one of a module, in a separate process; return its result or raise its exception.

    Arguments and results have to be picklable. Without an interpreter to start, as in a program that embeds Python, the
    call runs in this process.

    Raises:
      Died: the call ended the process.
    """
    if not sys.executable:
        return function(argument)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    question = pickle.dumps((function, argument))
    # What the bindings print when they abort is for developers of them.
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM], input=question, capture_output=True, env=environment, check=False
    )
    if not ended.stdout:
        raise Died
    result, error = pickle.loads(ended.stdout)
    if error is not None:
        raise error
    return result


def answer() -> None:
    """Serve a call in the other process: read it from standard input, and answer on standard output."""
    function, argument = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answered: tuple[Any, Exception | None]
    try:
        answered = function(argument), None
    except Exception as error:  # noqa: BLE001 - it is raised again by who asks
        answered = None, error
    with answers:
        pickle.dump(answered, answers)
