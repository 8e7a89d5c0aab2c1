"""Tools end in a process of their own, and what they have written is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


PLUGIN = """
import sys
import sdy

if {leaves_at_once}:
    sys.exit(3)

@sdy.pass_("test-leaves-the-process")
def leaves(module):
    '''test-leaves-the-process: that.'''
    sys.exit("bye")

@sdy.sharding_rule(custom_call="test.leaves")
def rule(op):
    sys.exit(4)
"""

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @test.leaves(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


@pytest.mark.parametrize(
    ("leaves_at_once", "flags", "said"),
    [
        (True, [], "sdy-opt: error: argument --load-pass-plugin: the plugin '{plugin}' fails to load: SystemExit: 3"),
        (False, ["--test-leaves-the-process"], "op pass 'test-leaves-the-process' failed: SystemExit: bye"),
        (False, ["--sdy-propagation-pipeline"], "such as a plugin's, ended it: SystemExit(4)"),
    ],
)
def test_what_ends_the_process_is_named(tmp_path: Path, leaves_at_once: bool, flags: list[str], said: str) -> None:
    plugin, program = tmp_path / "plugin.py", tmp_path / "program.mlir"
    plugin.write_text(PLUGIN.format(leaves_at_once=leaves_at_once))
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "sdy", "opt", str(program), f"--load-pass-plugin={plugin}", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert said.format(plugin=plugin) in done.stderr and "Traceback" not in done.stderr
