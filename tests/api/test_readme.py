"""Commands and files that sentences of the README name; `test_pages.py` runs its snippets."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import sdy

pytestmark = pytest.mark.slow


STATIC = Path(sdy.page.__file__).parent / "static" / "report.js"
README = (Path(__file__).parents[2] / "README.md").read_text()


WHY = """\
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<32x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("sdy-opt program.mlir --sdy-report-communication", "all_reduce"),
        ("--sdy-explain=%0", '"data" in dimension 0'),
        ("sdy-run program.mlir", "largest difference"),
        ("sdy-report program.mlir -o report.html --machine h100", ""),
    ],
)
def test_commands_in_sentences(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert f"`{command}`" in README
    tool, *arguments = (command if command.startswith("sdy") else f"sdy-opt program.mlir {command}").split()
    if tool == "sdy-report" and not STATIC.exists():
        pytest.skip("the page is not built: `make page`")
    monkeypatch.chdir(tmp_path)
    Path("program.mlir").write_text(WHY)
    module = f"sdy.tools.{tool.replace('-', '_')}"
    if tool == "sdy-run":
        # It says how many devices a CPU has, before JAX looks.
        subprocess.run([sys.executable, "-m", module, *arguments], check=True)
    else:
        assert import_module(module).main(arguments) == 0
    out, err = capfd.readouterr()
    assert shown in out + err
    assert Path("report.html").exists() == (tool == "sdy-report")


def test_installed_commands_answer() -> None:
    """The console scripts are there and start. (Not in a checkout that is only on PYTHONPATH.)"""
    script = Path(sys.executable).parent / "sdy-opt"
    if not script.exists():
        pytest.skip("sdy is not installed in this environment")
    for name in ("sdy-opt", "sdy-run"):
        result = subprocess.run([script.with_name(name), "--help"], capture_output=True, text=True, check=True)
        assert name in result.stdout


@pytest.mark.parametrize("path", re.findall(r"\]\(([\w/.-]+)\)|`(examples/\w+\.py)`", README))
def test_named_files_exist(path: tuple[str, str]) -> None:
    assert (Path(__file__).parents[2] / (path[0] or path[1])).exists()


@pytest.mark.parametrize("name", ["auto", "hlo", "opt", "report", "run"])
def test_tools_run_as_modules(name: str) -> None:
    """`python -m sdy.tools.sdy_opt` is `sdy-opt`."""
    command = [sys.executable, "-m", f"sdy.tools.sdy_{name}", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"usage: sdy-{name}" in result.stdout.lower()
