"""Runs a script in several processes that are connected over the loopback interface."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

SECONDS = 120


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_processes(script: str, count: int, *args: str) -> list[str]:
    """Run ``script RANK COUNT PORT SOCKET args...`` for each rank; return what each prints.

    All have the same port, of the coordinator, and each a socket of its own.
    """
    path = str(Path(__file__).with_name(script))
    port = str(free_port())
    processes = [
        subprocess.Popen(
            [sys.executable, path, str(rank), str(count), port, str(free_port()), *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for rank in range(count)
    ]
    try:
        outputs = [process.communicate(timeout=SECONDS) for process in processes]
    finally:
        for process in processes:
            process.kill()  # JAX catches milder signals
    for process, (output, errors) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, output + errors
    return [output for output, _ in outputs]
