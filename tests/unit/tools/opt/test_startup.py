"""What does not need MLIR does not wait for it, and says the same as what does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sdy.tools.flags import BUILT_IN
from sdy.tools.opt.pass_help import help_text, pass_list

HEAVY = ("torch_mlir", "mlir", "numpy", "jax", "jaxlib", "sdy.mlir.loading")


def _loaded_by(statement: str) -> set[str]:
    program = f"import sys\n{statement}\nsys.stderr.write(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(result.stderr.split())


@pytest.mark.parametrize(
    "statement",
    ["import sdy", *(f"import sdy.tools.sdy_opt as t; t.main(['{flag}'])" for flag in ("--help", "--version"))],
)
def test_the_bindings_load_when_they_are_needed(statement: str) -> None:
    assert not _loaded_by(statement).intersection(HEAVY)


def test_the_quick_help_is_the_help() -> None:
    current = pass_list(built_in=True)
    assert BUILT_IN.read_text(encoding="utf-8") == current + "\n", "run `make docs`"
    assert current.splitlines()[-1] in help_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 0, "report  as sdy-report: writes a page"),
        (["opt", "--version"], 0, "sdy-opt "),
        (["sdy-opt", "--version"], 0, "sdy-opt "),
        (["walk"], 1, "sdy: error: there is no tool 'walk'; there are opt, run, auto, report, hlo"),
    ],
)
def test_the_package_runs_its_tools(arguments: list[str], code: int, said: str) -> None:
    command = [sys.executable, "-m", "sdy", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert said in result.stdout + result.stderr
