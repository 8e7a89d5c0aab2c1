"""Tools end in a process of their own, and what they have written is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = """
import sys
from sdy.tools.outermost import run_tool

def tool(argv):
    sys.stdout.write("written")
    sys.stderr.write("said")
    return 3

sys.exit(run_tool("tool", tool, None, "none"))
"""


def test_what_tools_leave_in_buffers_is_written(tmp_path: Path) -> None:
    written, said = tmp_path / "written", tmp_path / "said"
    with written.open("w") as stdout, said.open("w") as stderr:
        code = subprocess.run([sys.executable, "-c", TOOL], stdout=stdout, stderr=stderr, check=False).returncode
    assert (code, written.read_text(), said.read_text()) == (3, "written", "said")
