"""Budgets in CI: the fixture of pytest in a run of its own, and `sdy-report --budget`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sdy.tools import sdy_report
from tests.unit.testing.test_budget import HLO, LAYER

TEST = f"""
LAYER = {LAYER!r}

def test_layer(communication_snapshot):
    communication_snapshot(LAYER)

def test_two(communication_snapshot):
    communication_snapshot(LAYER, "a")
    communication_snapshot(LAYER.replace('{{"model"}}, {{}}', '{{}}, {{"model"}}'), "b")
"""

BUDGET = """max_bytes = 2_000

[program.layer]
file = "layer.mlir"
none_of = ["all_to_all"]

[program.step]
file = "step.hlo"
mesh = "data:4,model:2"
at_most = { "any over model" = 3 }
"""


def pytest_of(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin alone, whether or not the entry point is installed."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:sdy",
        "-p",
        "sdy.pytest_plugin",
        "-p",
        "no:cacheprovider",
    ]
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_fixture_keeps_a_file_per_program(tmp_path: Path) -> None:
    file = tmp_path / "test_programs.py"
    file.write_text(TEST)
    missing = pytest_of(tmp_path)
    assert missing.returncode == 1 and "`pytest --update-communication` writes it" in missing.stdout
    assert pytest_of(tmp_path, "--update-communication").returncode == 0
    kept = tmp_path / "communication" / "test_programs"
    assert sorted(path.name for path in kept.iterdir()) == ["test_layer.txt", "test_two-a.txt", "test_two-b.txt"]
    assert pytest_of(tmp_path).returncode == 0
    snapshot = kept / "test_layer.txt"
    snapshot.write_text(snapshot.read_text().replace("2,048", "1,024"))
    changed = pytest_of(tmp_path)
    assert changed.returncode == 1 and "1 failed, 1 passed" in changed.stdout
    assert '+all_reduce  {"model"}      2      1             2,048' in changed.stdout


def test_the_plugin_loads_nothing_before_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        "import sys\n\ndef test_nothing():\n"
        "    assert 'sdy.pytest_plugin' in sys.modules and 'sdy.testing' not in sys.modules\n"
        "    assert sys.modules.keys().isdisjoint(['torch_mlir', 'jaxlib', 'jax', 'numpy'])\n"
    )
    found = pytest_of(tmp_path)
    assert found.returncode == 0, found.stdout


def _programs(folder: Path) -> Path:
    (folder / "layer.mlir").write_text(LAYER)
    (folder / "step.hlo").write_text(HLO)
    budget = folder / "budget.toml"
    budget.write_text(BUDGET)
    return budget


def test_a_summary_with_the_difference_to_a_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    budget = _programs(tmp_path)
    base = tmp_path / "base"
    base.mkdir()
    (base / "layer.mlir").write_text(LAYER.replace('{"model"}, {}', '{}, {"model"}'))
    assert sdy_report.main(["--budget", str(budget), "--base", str(base)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "## Communication: 1 of 2 programs exceed the budget"
    assert lines[4:6] == [
        "| layer | 1 | 2,048 | 0 | +2,048 | bytes that each device sends: 2,048, at most 2,000 |",
        "| step | 4 | 1,536 |  |  | kept |",
    ]
    assert '| all_reduce | {"model"} | 0 → 1 | 0 | 2,048 | +2,048 |' in lines
    assert "<details><summary>layer: why</summary>" in lines


def test_programs_within_the_budget(tmp_path: Path) -> None:
    budget, output = _programs(tmp_path), tmp_path / "summary.md"
    budget.write_text(BUDGET.replace("2_000", "3_000"))
    assert sdy_report.main(["--budget", str(budget), "-o", str(output)]) == 0
    assert output.read_text().startswith("## Communication: 2 programs within the budget\n")


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        ("none_of", "none_off", "budget.toml:5:1: error: unknown key 'none_off', did you mean 'none_of'?"),
        ("2_000", "", "budget.toml:1:13: error: Invalid value"),
        ("2_000", '"a"', "error: program 'layer': max_bytes is a number, not 'a'"),
        ("all_to_all", "all_to_none", "error: program 'layer': 'all_to_none' selects no collectives"),
        ("any over model", "any near", "error: program 'step': 'any near' cannot be read from 'near' on"),
        ('file = "step.hlo"', "", "error: program 'step' needs a file, as text"),
        ("step.hlo", "step.txt", "step.txt: error: No such file or directory"),
        ("data:4,model:2", "data", "budget.toml:7:10: error: program 'step': a mesh is written as"),
    ],
)
def test_budgets_that_cannot_be_read(
    before: str, after: str, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    budget = _programs(tmp_path)
    budget.write_text(BUDGET.replace(before, after))
    assert sdy_report.main(["--budget", str(budget)]) == 1
    assert error in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--base", "x"], ["a.mlir"], ["a.mlir", "--budget", "b.toml"]])
def test_arguments_that_do_not_go_together(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_report.main(arguments) == 1
    assert capsys.readouterr().err.startswith("sdy-report: error: ")
