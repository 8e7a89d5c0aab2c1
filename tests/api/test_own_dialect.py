"""`examples/own_dialect`: a package with a dialect, found by its path, and installed into an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import depth

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_dialect"
LIT = EXAMPLE / "lit_tests" / "sum_of_squares.mlir"

TOOL = """
import sys
from sdy.tools.sdy_opt import main

file, folder, *commands = sys.argv[1:]
for number, flags in enumerate(commands):
    assert main([file, "-o", f"{folder}/{number}", *flags.split()]) == 0
"""


def _run_lines(python: Path, folder: Path, environment: dict[str, str]) -> None:
    """What the RUN lines of the lit test say, without lit and in one process."""
    lines = re.findall(r"// RUN: sdy-opt %s (.*) \| filecheck %s (.*)", LIT.read_text(encoding="utf-8"))
    assert len(lines) == 3
    command = [str(python), "-c", TOOL, str(LIT), str(folder), *(flags for flags, _ in lines)]
    subprocess.run(command, env=os.environ | environment, check=True, cwd=folder)
    for number, (_, check) in enumerate(lines):
        with open(folder / str(number), encoding="utf-8") as output:
            subprocess.run([sys.executable, "-m", "filecheck", str(LIT), *check.split()], stdin=output, check=True)


@pytest.mark.slow
def test_it_works_by_its_path(tmp_path: Path) -> None:
    """An installed package has a folder with its entry points beside it; this is such a folder."""
    ((group, points),) = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"].items()
    metadata = tmp_path / "own_dialect-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: own-dialect\nVersion: 0.1.0\n")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    path = os.pathsep.join([str(EXAMPLE), str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    _run_lines(Path(sys.executable), tmp_path, {"PYTHONPATH": path})


@pytest.mark.slow
@pytest.mark.skipif(not depth.ALL, reason="makes an environment and builds a package: SDY_TESTS=all")
def test_it_works_once_installed(tmp_path: Path) -> None:
    """The environment sees what that of the tests has, and the package besides."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    copy = shutil.copytree(EXAMPLE, tmp_path / "example")  # building leaves files beside the sources
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", copy]
    subprocess.run(install, check=True, cwd=tmp_path)
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    own = [each for each in sys.path if each.endswith("site-packages")]
    lines = [f"import site; site.addsitedir({each!r})" for each in own]
    Path(packages, "of_the_tests.pth").write_text("\n".join(lines) + "\n")
    _run_lines(python, tmp_path, {})
