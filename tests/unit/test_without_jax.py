"""Without the extra `sdy[jax]` programs are propagated, partitioned, planned and reported; the rest names the extra."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKER = """
import sys


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("jax", "jaxlib", "scipy", "ml_dtypes", "opt_einsum"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Blocker())
"""

PROGRAM = """\
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<32x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<16x64xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<32x64xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xbf16>, tensor<16x64xbf16>) -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
}
"""  # noqa: E501


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "sitecustomize.py").write_text(BLOCKER)
    (folder / "program.mlir").write_text(PROGRAM)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("sdy_opt program.mlir --sdy-partition-pipeline=executable", "stablehlo.all_reduce"),
        ("sdy_opt program.mlir --sdy-report-communication -o /dev/null", "all_reduce"),
        ("sdy_auto program.mlir --machine h100 -o planned.mlir", "argument"),
    ],
)
def test_tools_need_no_jax(command: str, shown: str, tmp_path: Path) -> None:
    tool, *arguments = command.split()
    done = _run(tmp_path, "-m", f"sdy.tools.{tool}", *arguments)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout + done.stderr


def test_the_library_needs_no_jax(tmp_path: Path) -> None:
    code = """
import sys, sdy
program = sdy.partition("program.mlir")
print(sdy.why("program.mlir", "c0").cures[0])
print(sdy.timeline("program.mlir", "h100").total > 0, program.arguments[0].local_type, "jax" in sys.modules)
"""
    done = _run(tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert "True tensor<8x16xbf16> False" in done.stdout


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sdy.jax", "sdy.jax needs JAX: pip install 'sdy[jax]'"),
        ("import sdy.execution", "sdy.execution needs JAX: pip install 'sdy[jax]'"),
        ("import sdy; sdy.auto.measure", "sdy.auto.measure needs JAX: pip install 'sdy[jax]'"),
        ("import sdy.tools.sdy_run", "sdy-run needs JAX: pip install 'sdy[jax]'"),
        ("import sdy; sdy.write_bytecode(sdy.parse('program.mlir'))", "needs jaxlib: pip install 'sdy[jax]'"),
    ],
)
def test_what_needs_jax_names_the_extra(code: str, message: str, tmp_path: Path) -> None:
    done = _run(tmp_path, "-c", code)
    assert done.returncode != 0
    assert message in done.stderr
