"""The generated pages are those of the docstrings as they are; the page on differences names tests that exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "tools" / "generate_docs.py")
assert _spec is not None and _spec.loader is not None
generate_docs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate_docs)


@pytest.mark.parametrize("name", sorted(generate_docs.PAGES))
def test_pages_are_current(name: str) -> None:
    current = generate_docs.PAGES[name]().rstrip() + "\n"
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == current, "run `make docs`"


DIFFERENCES = [
    line
    for line in (ROOT / "docs" / "differences.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("| pass |", "|---"))
]


@pytest.mark.parametrize("row", DIFFERENCES)
def test_differences_name_a_test(row: str) -> None:
    *_, test = [cell.strip() for cell in row.strip("|").split(" | ")]
    node = re.fullmatch(r"`(tests/[\w/]+\.py)::(\w+)`", test)
    lit = re.fullmatch(r"`([\w/]+\.mlir)`(?: `(@\w+)`)?", test)
    if node:
        assert f"def {node[2]}(" in (ROOT / node[1]).read_text(encoding="utf-8")
    else:
        assert lit, f"no test: {test}"
        assert f"{lit[2] or ''}(" in (ROOT / "lit_tests" / lit[1]).read_text(encoding="utf-8")
