"""The generated pages are those of the docstrings as they are."""

from __future__ import annotations

import importlib.util
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
