"""Every snippet of the guides and of the documents runs, and prints what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from sdy.dialect.definition.op_declarations import OPS
from tests.api import pages

pytestmark = pytest.mark.slow


EXAMPLE = pages.DOCS.parent / "examples" / "own_dialect"
OLD_JAX = tuple(map(int, jax.__version__.split(".")[:2])) < (0, 12)


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_pages_show(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    if OLD_JAX and re.search("import (jax|hlo_conversion)", text):
        pytest.skip("the page shows what JAX 0.12 prints")
    if re.search("^import torch$", text, re.MULTILINE):
        pytest.importorskip("torch", reason="needs PyTorch: pip install 'sdy[torch]'")
    if re.search(r"^@sdy\.(?!jax)", text, re.MULTILINE):  # what it declares would count for all tests after it
        command = [sys.executable, "-m", "tests.api.pages", str(page)]
        path = {"PYTHONPATH": os.pathsep.join(filter(None, [str(EXAMPLE), os.environ.get("PYTHONPATH")]))}
        told = subprocess.run(
            command, cwd=pages.DOCS.parent, env=os.environ | path, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stderr
        return
    monkeypatch.chdir(tmp_path)
    for each in pages.run(text):
        assert each.agrees, f"{page.name} shows\n{each.shown}\nbut what happens is\n{each.found}"


NEWER = {"func_data_flow_edge", "replicated_to_unreduced", "sharded_to_unreduced"}


def test_the_page_on_the_dialect_has_every_op_of_the_document() -> None:
    written = re.findall(r"^### (.*)", (pages.DOCS / "documents/dialect.md").read_text(encoding="utf-8"), re.MULTILINE)
    ops = {name.removeprefix("sdy.") for name in OPS if name.startswith("sdy.")} - NEWER - {"return"}
    assert ops <= set(", ".join(written).split(", "))


def test_the_entry_point_of_an_extension_is_that_of_the_example() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", (pages.DOCS / "extending.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")


def _places(page: Path) -> set[str]:
    """What a link to a place on it may name: its headings, as GitHub and the site turn them into anchors."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    root = pages.DOCS.parent
    for page in [*pages.DOCS.rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]:
        for target, place in re.findall(r"\]\((?!http)([^)#\s]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            file = page.parent / target if target else page
            assert file.exists(), f"{page} links {target}"
            assert not place or place in _places(file), f"{page} links {place} of {file}"
