"""What the page on overlap shows is what happens."""

import doctest
import json
import re
from pathlib import Path

import pytest

import sdy
from sdy.tools import sdy_opt

pytestmark = pytest.mark.slow


PATH = Path(__file__).parents[2] / "docs" / "overlap.md"
PAGE = PATH.read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n\$ sdy-opt ([^\n]*)\n(.*?)```", PAGE, re.DOTALL)


def folder_with_program(folder: Path) -> Path:
    text = re.search(r"```mlir\n(.*?)```", PAGE, re.DOTALL)
    assert text
    (folder / "mlp.mlir").write_text(text[1])
    return folder


@pytest.mark.parametrize(("arguments", "printed"), SESSIONS)
def test_sessions(
    arguments: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder_with_program(tmp_path))
    assert sdy_opt.main(arguments.split()) == 0
    assert capsys.readouterr().err.strip() == printed.strip()
    if "--sdy-trace" in arguments:
        names = {event["name"] for event in json.loads((tmp_path / "step.json").read_text())["traceEvents"]}
        assert {"stablehlo.dot_general", "all_gather", "wait for all_gather", "bytes in flight"} <= names


def test_the_machine_is_that_of_the_example() -> None:
    text = re.search(r"\n    (flops=[^\n]*)\n", PAGE)
    assert text
    assert sdy.Machine.parse(text[1]) == sdy.Machine.parse("slow-links")


def test_python() -> None:
    jax = pytest.importorskip("jax")
    if jax.__version_info__ < (0, 12):
        pytest.skip("asynchronous StableHLO was seen to run from JAX 0.12 on")
    found = doctest.testfile(str(PATH), module_relative=False)
    assert found.attempted > 10
    assert not found.failed
