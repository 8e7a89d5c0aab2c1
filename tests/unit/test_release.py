"""What is said in several places about versions, files, and how to check a change, agrees."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = PROJECT["version"]

_PATH = re.compile(r"`((?:dialect|passes|python|tests|lit_tests|benchmarks|examples|docs|tools)/[\w./*-]*)`")


def pythons() -> list[str]:
    """The versions of Python that the package says it runs on."""
    classifiers = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in PROJECT["classifiers"])
    return [found[1] for found in classifiers if found]


def test_cmake_has_the_version() -> None:
    assert f"project(sdy VERSION {VERSION} " in (ROOT / "CMakeLists.txt").read_text()


def test_oldest_python_is_the_required_one() -> None:
    assert PROJECT["requires-python"] == f">={pythons()[0]}"


def test_workflow_checks_every_python() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix is not None
    assert re.findall(r'"([\d.]+)"', matrix[1]) == pythons()
    assert "- run: .ci/run\n        env:\n          PYTHON: python${{ matrix.python }}\n" in workflow


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/code_to_test.md",
        "docs/releasing.md",
        "docs/spec",
    ],
)
def test_paths_in_documents_exist(name: str) -> None:
    """Those of differences.md are tested with its rows, the generated pages with what they are generated from."""
    documents = [ROOT / name] if name.endswith(".md") else sorted((ROOT / name).glob("*.md"))
    paths = {path for one in documents for path in _PATH.findall(one.read_text())}
    assert paths
    assert [path for path in sorted(paths) if not next(ROOT.glob(path), None)] == []


def test_every_folder_names_its_tests() -> None:
    """`docs/code_to_test.md` has a row for each folder of the package, down to the second level."""
    page = (ROOT / "docs" / "code_to_test.md").read_text()
    tops = [ROOT / "dialect", ROOT / "passes", ROOT / "python" / "sdy"]
    folders = {path.parent for top in tops for path in top.glob("*/*.py")}
    listed = {ROOT / path for path in re.findall(r"`((?:dialect|passes|python)/[\w/]*)/`", page)}
    # The links to dialect/ and passes/ are not rooms of their own; stubs hold no code.
    assert folders - listed - {ROOT / "python/sdy/dialect", ROOT / "python/sdy/passes"} == set()


def test_links_between_documents_lead_somewhere() -> None:
    for one in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")):
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", one.read_text())
        assert [link for link in links if not (one.parent / link).exists()] == [], one.name


def test_rooms_of_tests_are_those_of_the_package() -> None:
    tests = ROOT / "tests" / "unit"
    rooms = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert len(rooms) > 10
    assert [room for room in rooms if not ((ROOT / room).is_dir() or (ROOT / "python" / "sdy" / room).is_dir())] == []


def test_hooks_name_what_there_is() -> None:
    config = (ROOT / ".pre-commit-config.yaml").read_text()
    paths = re.findall(r"(?:tests|tools)/[\w/.]+", config)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists() and not path.startswith("tests/data/cache")] == []


def test_changelog_has_the_version() -> None:
    """The newest section is of what is not released; the next one, or it itself, says what the version has."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", changelog, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    assert f"[{VERSION}]" in changelog or f"this is what {VERSION} will be" in changelog


def test_changelog_entries_are_short() -> None:
    """An entry says in a line or three what users can do; the rest is for docs/."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    entries = re.findall(r"^- (.*?)(?=\n- |\n\n|\n#|\Z)", changelog, re.MULTILINE | re.DOTALL)
    assert len(entries) > 30
    assert [entry for entry in entries if len(entry.split()) > 45] == []


def test_changelog_has_known_sections() -> None:
    sections = set(re.findall(r"^### (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE))
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Known limits"}


def _tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_checklist_has_every_step_of_the_rehearsal() -> None:
    checklist = (ROOT / "docs" / "releasing.md").read_text()
    assert re.findall(r"^  - (.*)$", checklist, re.MULTILINE) == [step.__doc__ for step in _tool("release_check").STEPS]


def test_links_of_the_index_page_are_absolute() -> None:
    """Relative links of the README name the tag; images are raw files; links in code stay."""
    readme = "[a](docs/a.md) ![b](docs/b.png) [c](https://c.org)\n\n```\n[d](e)\n```\n[`f` [g]](h.md#i)"
    assert _tool("index_page").index_page(readme, "https://host/sdy", "1.2.3") == (
        "[a](https://host/sdy/blob/v1.2.3/docs/a.md) ![b](https://host/sdy/raw/v1.2.3/docs/b.png) [c](https://c.org)\n\n"
        "```\n[d](e)\n```\n[`f` [g]](https://host/sdy/blob/v1.2.3/h.md#i)"
    )


def test_the_index_page_has_no_relative_links() -> None:
    page = _tool("index_page").dynamic_metadata("readme")
    assert page["content-type"] == "text/markdown"
    assert re.findall(r"\]\((?!https?:|#)", re.sub(r"```.*?```", "", page["text"], flags=re.DOTALL)) == []


def test_bounds_of_jax_are_those_of_the_compatibility_page() -> None:
    """The oldest JAX of the table is the lower bound; the upper bound is the minor version after the newest."""
    page = (ROOT / "docs" / "compatibility.md").read_text()
    tested = sorted(
        tuple(map(int, found.split("."))) for found in re.findall(r"^\| 3\.\d+ \| ([\d.]+) \|", page, re.MULTILINE)
    )
    oldest, newest = tested[0], tested[-1]
    bounds = f">={'.'.join(map(str, oldest))},<{newest[0]}.{newest[1] + 1}"
    assert PROJECT["optional-dependencies"]["jax"] == [f"jax{bounds}", f"jaxlib{bounds}"]
    assert re.findall(r"^\| (3\.\d+) \|", page, re.MULTILINE) == pythons()[::-1]
