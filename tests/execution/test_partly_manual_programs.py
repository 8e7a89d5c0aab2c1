"""Random programs that are manual along some axes compute on 16 devices what they compute on one."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import depth


def test_same_as_on_one_device() -> None:
    seeds = depth.seeds(2, 200)
    command = [sys.executable, "-m", "tests.execution.partly_manual_programs"]
    command += ["--start", str(seeds.start), "--count", str(len(seeds))]
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.endswith(f"0 of {len(seeds)} differ\n"), done.stdout + done.stderr[-2000:]
    assert done.returncode == 0
