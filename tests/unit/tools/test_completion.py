"""Every tool says what completes its command lines, and its version."""

from __future__ import annotations

from importlib import import_module

import pytest

import sdy
from sdy.tools import completion

TOOLS = {"sdy_opt": "--run-reproducer", "sdy_run": "--inputs", "sdy_auto": "--annotate", "sdy_report": "--cures"}
TOOLS["sdy_hlo"] = "--in-flight"


def _said(tool: str, flag: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Some parsers leave the process at a flag that asks for information, as argparse has it."""
    try:
        code = import_module(f"sdy.tools.{tool}").main([flag])
    except SystemExit as left:
        code = left.code
    assert not code
    return capsys.readouterr().out


@pytest.mark.parametrize("tool", TOOLS)
def test_scripts_of_shells(tool: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = tool.replace("_", "-")
    bash = _said(tool, "--print-completion=bash", capsys)
    assert TOOLS[tool] in bash and f"_shtab_{tool} {name}\n" in bash
    assert f"#compdef {name}\n" in _said(tool, "--print-completion=zsh", capsys)
    assert f"complete -c {name} " in _said(tool, "--print-completion=fish", capsys)
    assert _said(tool, "--version", capsys) == f"{name} {sdy.__version__}\n"


def test_an_old_shtab(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shtab = completion.importlib.import_module("shtab")
    monkeypatch.setattr(shtab, "SUPPORTED_SHELLS", ["bash", "zsh", "tcsh"])
    assert import_module("sdy.tools.sdy_report").main(["--print-completion=fish"]) == 1
    assert "knows bash, zsh, tcsh only" in capsys.readouterr().err
