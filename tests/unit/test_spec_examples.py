"""The examples of docs/spec that show a module before and after a pass are what the pass does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sdy

SPEC = Path(__file__).parents[2] / "docs" / "spec"

_APART = re.compile(r"```mlir\n([^`]*)```\nPass: `([^`]*)`\n```mlir\n([^`]*)```")
_TOGETHER = re.compile(r"```mlir\n// before (-[^\n]*)\n([^`]*)// after\n([^`]*)```")
_STEP = re.compile(r"-(sdy[a-z-]+)(?:='([^']*)')?")


def examples() -> list[tuple[str, str, str]]:
    """Module, passes as in `sdy-opt`, module afterwards; meshes that stay are not always repeated in the latter."""
    apart = [
        (before, passes, after) for before, passes, after in _APART.findall((SPEC / "import-passes.md").read_text())
    ]
    together = [
        (before, passes, "\n".join((*re.findall("^sdy.mesh.*", before, re.MULTILINE), after)))
        for passes, before, after in _TOGETHER.findall((SPEC / "export-passes.md").read_text())
    ]
    return [*apart, *together]


def test_there_are_examples() -> None:
    assert len(examples()) > 35


@pytest.mark.parametrize(("before", "passes", "after"), examples())
@pytest.mark.filterwarnings("ignore")
def test_example(before: str, passes: str, after: str) -> None:
    module = sdy.parse(before)
    sdy.run(module, ",".join(f"{name}{{{options}}}" for name, options in _STEP.findall(passes)))
    assert sdy.print_module(module) == sdy.print_module(sdy.parse(after))
