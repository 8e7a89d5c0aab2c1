"""Files of torch.export in the library and the tools; the example."""

# pyright: reportMissingImports=false

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import sdy
import sdy.torch
from sdy.tools import sdy_auto, sdy_report
from tests.pytorch.models import MESH, MLP_PLAN, Mlp, batch, far, hf, torch


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """`Mlp`, exported."""
    path = tmp_path / "mlp.pt2"
    torch.export.save(torch.export.export(Mlp(), (batch(),), strict=False), path)
    return path


def test_a_file_runs(file: Path) -> None:
    step = sdy.torch.partition(file, (), MESH, MLP_PLAN)
    assert far(step(batch()), Mlp()(batch())) < 1e-5
    assert "up.weight" in str(sdy.explain(str(file), "up.weight"))


def test_a_file_keeps_tied_parameters_and_classes_of_modules(tmp_path: Path) -> None:
    case = hf("GPT2")
    torch.export.save(torch.export.export(case.model, (), case.inputs, strict=False), tmp_path / "gpt2.pt2")
    program = sdy.torch.trace(tmp_path / "gpt2.pt2")
    traced = sdy.torch.trace(case.model, kwargs=case.inputs)
    assert (program.names, program.aliases, program.kinds) == (traced.names, traced.aliases, traced.kinds)


def test_tools_take_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    planned, page = file.with_suffix(".mlir"), file.with_suffix(".json")
    assert sdy_auto.main([str(file), "--devices", "data:2,model:4", "--machine", "h100", "-o", str(planned)]) == 0
    assert "down.weight" in capsys.readouterr().out
    assert 'sdy.mesh @mesh = <["data"=2, "model"=4]>' in planned.read_text()
    assert sdy_report.main([str(file), "--json", "-o", str(page)]) == 0
    assert "up.weight" in json.dumps(json.loads(page.read_text()))


def test_a_file_runs_as_it_is(file: Path) -> None:
    command = [sys.executable, "-m", "sdy.tools.sdy_run", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "argument 5  tensor<8x16xf32>" in done.stdout


def test_what_is_no_such_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.pt2"
    path.write_text("nothing")
    assert sdy_auto.main([str(path)]) == 1
    assert capsys.readouterr().err == f"{path}:1:1: error: is not a program of torch.export: it is not an archive\n"
    with pytest.raises(OSError, match="No such file"):
        sdy.parse(str(tmp_path / "missing.pt2"))


def test_the_example_has_the_numbers_of_pytorch(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs transformers")
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "torch_llama.py"))
    assert example["run"](sdy.Mesh.of(**MESH), "cpu", None) < example["TOLERANCE"]
