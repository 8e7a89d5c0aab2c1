"""Without the extra `sdy[torch]` what needs PyTorch names it; the package itself is there."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from sdy.programs import sources
from sdy.tools import sdy_report


@pytest.fixture(autouse=True)
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide PyTorch, if it is installed."""
    for module in (sdy.torch, sources):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    for name in sdy.torch.__all__:
        monkeypatch.delitem(vars(sdy.torch), name, raising=False)


@pytest.mark.parametrize("name", ["partition", "plan", "trace", "value_and_grad"])
def test_names_need_pytorch(name: str) -> None:
    with pytest.raises(ImportError, match=rf"sdy.torch.{name} needs PyTorch: pip install 'sdy\[torch\]'"):
        getattr(sdy.torch, name)
    with pytest.raises(AttributeError, match=r"module 'sdy.torch' has no attribute 'compile'"):
        getattr(sdy.torch, "compile")  # noqa: B009  (pyright knows that there is none)


def test_files_need_pytorch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.pt2"
    path.write_bytes(b"")
    with pytest.raises(sdy.DiagnosticError, match="is a program of PyTorch, which is needed to read it"):
        sdy.parse(path)
    assert sdy_report.main([str(path), "-o", "-"]) == 1
    assert capsys.readouterr().err == (
        f"{path}:1:1: error: is a program of PyTorch, which is needed to read it: pip install 'sdy[torch]'\n"
    )
