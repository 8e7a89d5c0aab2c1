"""Forked processes, a few at a time."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True)
class Child:
    """What a process is to do, and how many seconds it may take; all that it starts ends with it."""

    run: Callable[[], None]
    seconds: float
    ended: Callable[[bool], None] = lambda in_time: None


def run_all(children: Sequence[Child], jobs: int) -> None:
    """Runs each in a fork of this process, without output, `jobs` of them at a time; calls `ended` of each here."""
    waiting = list(reversed(children))
    running: dict[int, tuple[Child, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            child = waiting.pop()
            running[_start(child)] = (child, time.monotonic() + child.seconds)
        time.sleep(0.02)
        for process, (child, deadline) in list(running.items()):
            is_over = os.waitpid(process, os.WNOHANG)[0] == process
            is_late = not is_over and time.monotonic() > deadline
            if is_over or is_late:
                with suppress(ProcessLookupError):
                    os.killpg(process, signal.SIGKILL)
                if is_late:
                    os.waitpid(process, 0)
                del running[process]
                child.ended(not is_late)


def limit(seconds: float) -> None:
    """Ends this process when it has used so much processor time, or 20 times as much has passed."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    signal.alarm(20 * int(seconds + 1))


def _start(child: Child) -> int:
    process = os.fork()
    if process:
        return process
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        child.run()
    finally:
        os._exit(0)
