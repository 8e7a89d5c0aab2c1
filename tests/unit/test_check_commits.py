"""Subjects of commits: which are refused, for what reason, and which commits are judged."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("check_commits", ROOT / "tools" / "check_commits.py")
assert _spec is not None and _spec.loader is not None
check_commits = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_commits)


@pytest.mark.parametrize(
    "subject",
    [
        "exchange: keep inner updates local",
        "docs: add a glossary",
        "sdy.jax: pass DLPack arrays on",
        "jax, tools: name the argument in errors",
        "lit_tests/dialect: process each file once",
        "auto: seed the search",
        "a: " + "x" * 69,
    ],
)
def test_good_subjects(subject: str) -> None:
    assert check_commits.faults(subject) == []


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("a: " + "x" * 70, "is 73 characters long, at most 72"),
        ("keep inner updates local", "begin with the area"),
        ("Exchange: keep inner updates local", "begin with the area"),
        ("exchange:keep inner updates local", "begin with the area"),
        ("exchange: Keep inner updates local", "write `Keep` in lower case"),
        ("exchange: keeps inner updates local", "in the imperative, not `keeps`"),
        ("exchange: added a halo", "in the imperative, not `added`"),
        ("exchange: keeping inner updates local", "in the imperative, not `keeping`"),
        ("exchange: keep inner updates local.", "drop the full stop"),
        ("fixup! exchange: keep inner updates local", "squash it"),
    ],
)
def test_bad_subjects(subject: str, fault: str) -> None:
    assert [one for one in check_commits.faults(subject) if fault in one]


def _git(folder: Path, *arguments: str) -> None:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)


def test_only_the_change_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _git(tmp_path, "init", "-b", "main")
    _git(tmp_path, "commit", "--allow-empty", "-m", "Old history. It is not judged.")
    _git(tmp_path, "tag", "base")
    _git(tmp_path, "commit", "--allow-empty", "-m", "docs: say it once")
    arguments = ["--base", "base", "--folder", str(tmp_path)]
    assert check_commits.main(arguments) == 0
    _git(tmp_path, "commit", "--allow-empty", "-m", "Said it twice")
    assert check_commits.main(arguments) == 1
    assert "Said it twice\n  begin with the area" in capsys.readouterr().out


def test_without_a_base_nothing_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_commits.main(["--base", "origin/main", "--folder", str(tmp_path)]) == 0
    assert "nothing is checked" in capsys.readouterr().err


def test_lint_checks_the_subjects() -> None:
    assert "tools/check_commits.py" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "make lint" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
