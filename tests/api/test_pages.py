"""Every snippet of the guides and of the documents runs, and prints what the page says."""

import re
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from tests.api import pages

OLD_JAX = tuple(map(int, jax.__version__.split(".")[:2])) < (0, 12)


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_pages_show(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    if OLD_JAX and "import jax" in text:
        pytest.skip("the page shows what JAX 0.12 prints")
    if re.search(r"^@sdy\.(?!jax)", text, re.MULTILINE):  # what it declares would count for all tests after it
        command = [sys.executable, "-m", "tests.api.pages", str(page)]
        told = subprocess.run(command, cwd=pages.DOCS.parent, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        return
    monkeypatch.chdir(tmp_path)
    for each in pages.run(text):
        assert each.agrees, f"{page.name} shows\n{each.shown}\nbut what happens is\n{each.found}"


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*pages.pages(), pages.DOCS / "index.md"]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links {target}"
