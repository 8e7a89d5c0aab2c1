"""A pipeline of two meshes on two processes, each of which has the devices of one mesh."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.execution.test_two_processes import free_port


def test_each_process_runs_the_fragments_of_its_mesh() -> None:
    script = str(Path(__file__).with_name("mpmd_two_processes.py"))
    port = str(free_port())
    processes = [
        subprocess.Popen(
            [sys.executable, script, str(rank), port, str(free_port())],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
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
