"""docs/report.md: what it shows of code runs as it stands, and its pictures are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jax
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.tools import sdy_report
from tests.report.layers import TALL, WIDE, layers

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("built")
def test_the_code_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    names = {
        "sdy": sdy,
        "step": lambda state, batch: (batch @ state).sum(),
        "shardings": (NamedSharding(mesh, P("x")), NamedSharding(mesh, P())),
        "state": jax.ShapeDtypeStruct((8, 8), "float32"),
        "batch": jax.ShapeDtypeStruct((8, 8), "float32"),
        "text": layers(1),
        "other": layers(1, TALL, WIDE),
        "plan": sdy.auto.partition(layers(1), machine="h100"),
    }
    snippets = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(snippets) == 4
    for number, snippet in enumerate(snippets):
        exec(snippet, names)
        if "save_trace" in snippet:
            assert json.loads(Path("trace.json").read_text())["traceEvents"]
            continue
        written = Path("report.html").read_text()
        title = "lambda" if "lowered" in snippet else "report"
        assert re.search(rf"<title>.*{title}.*</title>", written) and len(written) > 100_000, number
        Path("report.html").unlink()


@pytest.mark.usefixtures("built")
def test_the_command_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("step.mlir").write_text(layers(1))
    (command,) = re.findall(r"^    sdy-report (.*)$", GUIDE, re.MULTILINE)
    assert sdy_report.main(command.split()) == 0
    assert "<title>step</title>" in Path("report.html").read_text()
    (command,) = re.findall(r"`sdy-report ([^`]*--trace)`", GUIDE)
    assert sdy_report.main(command.split()) == 0
    assert "traceEvents" in json.loads(Path("trace.json").read_text())


def test_the_pictures_of_the_guide() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", GUIDE)
    assert sorted(DOCS / each for each in shown) == sorted((DOCS / "pictures").glob("report-*.png"))
