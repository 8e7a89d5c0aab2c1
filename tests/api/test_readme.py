"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_sdy_opt_example(tmp_path: Path) -> None:
    """The shell session of the README: the file it shows, the command, and what the command prints."""
    session = re.search(r"```\n\$ cat (\S+)\n(.*?)\n\n\$ sdy-opt ([^\n]*)\n(.*?)```", README, re.DOTALL)
    assert session
    name, text, arguments, printed = session.groups()
    (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "sdy.tools.sdy_opt", *arguments.split()]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == printed.strip()


def test_installed_commands_answer() -> None:
    """The console scripts are there and start. (Not in a checkout that is only on PYTHONPATH.)"""
    script = Path(sys.executable).parent / "sdy-opt"
    if not script.exists():
        pytest.skip("sdy is not installed in this environment")
    for name in ("sdy-opt", "sdy-run"):
        result = subprocess.run([script.with_name(name), "--help"], capture_output=True, text=True, check=True)
        assert name in result.stdout


@pytest.mark.parametrize("path", re.findall(r"\]\(([\w/.]+)\)|`(examples/\w+\.py)`", README))
def test_named_files_exist(path: tuple[str, str]) -> None:
    assert (Path(__file__).parents[2] / (path[0] or path[1])).exists()
