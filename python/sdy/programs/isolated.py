"""Calls in separate processes, for input that may crash the bindings or XLA: damaged bytecode, texts of HLO.

The process is not a fork: a fork of a process with threads, such as one that runs JAX, may wait forever for a lock.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

_PROGRAM = "from sdy.programs.isolated import answer; answer()"


class Died(Exception):
    """The process that made the call ended without an answer."""


class Child:
    """A process that makes one call after the other; a context manager, which ends it.

    It starts with the first call, and anew with the next one after it died.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            # Leaving the process's own block closes its pipes, and waits.
            with self._process:
                self._process = None

    def call(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Call `function`, one of a module, in the process; return its result or raise its exception.

        Arguments and results have to be picklable.

        Raises:
          Died: the call ended the process.
        """
        if self._process is None:
            # What the bindings print when they abort is for developers of them.
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | self._environment,
            )
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None and answered is not None
        try:
            pickle.dump((function, argument), asked)
            asked.flush()
            result, error = pickle.load(answered)
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):
            self.close()
            raise Died from None
        if error is not None:
            raise error
        return result


def isolated(function: Callable[[Argument], Result], argument: Argument) -> Result:
    """Make one call in a separate process (see `Child.call`).

    Without an interpreter to start, as in a program that embeds Python, the call runs in this process.
    """
    if not sys.executable:
        return function(argument)
    with Child() as child:
        return child.call(function, argument)


def answer() -> None:
    """Serve calls in the other process: read them from standard input, and answer on standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answered: tuple[Any, Exception | None]
    while True:
        try:
            function, argument = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answered = function(argument), None
        except Exception as error:  # noqa: BLE001 - it is raised again by who asks
            answered = None, error
        pickle.dump(answered, answers)
        answers.flush()
