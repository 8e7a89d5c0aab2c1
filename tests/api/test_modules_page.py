"""What the page on modules from elsewhere shows is what happens."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

import sdy
from sdy.tools import sdy_opt

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "modules_from_elsewhere.md"
PAGE = PATH.read_text(encoding="utf-8")
GIVEN, READ = re.findall(r"```mlir\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"^sdy-opt ([^#\n]*)", PAGE, re.MULTILINE)


@pytest.fixture(autouse=True)
def in_a_folder_with_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.mlir").write_text(GIVEN)
    for name, module in (("artifact", "portable_artifact"), ("dump", "dump_of_xla")):
        shutil.copy(ROOT / f"tests/data/modules/{module}.mlir", f"{name}.mlir")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    if "export" in command:
        assert "sdy.mesh @" not in printed
        assert "mhlo.sharding" in printed
    else:
        assert "sdy.mesh @" in printed
        assert "mhlo.sharding" not in printed


def test_what_tiles_are_read_as() -> None:
    module = sdy.parse(GIVEN)
    sdy.run(module, "sdy-import-foreign-shardings")
    assert sdy.print_module(module) == sdy.print_module(sdy.parse(READ))


def test_python() -> None:
    found = doctest.testfile(str(PATH), module_relative=False)
    assert found.attempted > 4
    assert not found.failed
