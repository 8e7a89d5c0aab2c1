"""One program on the devices of two processes, connected over the loopback interface."""

from __future__ import annotations

from tests.execution.processes import run_processes


def test_two_processes_share_a_mesh() -> None:
    for output in run_processes("two_processes.py", 2):
        assert output.splitlines().count("equal") == 1, output
