"""One program on the devices of two processes, connected over the loopback interface."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_two_processes_share_a_mesh() -> None:
    port = str(free_port())
    script = str(Path(__file__).with_name("two_processes.py"))
    processes = [
        subprocess.Popen(
            [sys.executable, script, str(rank), port], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for rank in range(2)
    ]
    try:
        outputs = [process.communicate(timeout=120) for process in processes]
    finally:
        for process in processes:
            process.kill()  # JAX catches milder signals
    for process, (output, errors) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, errors
        assert output.splitlines().count("equal") == 1, output + errors
