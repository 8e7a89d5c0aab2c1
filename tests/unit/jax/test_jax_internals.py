"""The installed JAX has the private names that the package uses, all of which one module imports."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdy import jax_internals

ROOT = Path(__file__).parents[3]
OWN = ROOT / "python" / "sdy" / "jax_internals.py"
FUNCTIONS = [(module, name) for module, names in jax_internals.NEEDED.items() for name in names]


def _sources(mentioned: str) -> Iterator[tuple[Path, ast.Module]]:
    for top in ("python/sdy", "dialect", "passes"):
        for path in (ROOT / top).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if mentioned in text:
                yield path, ast.parse(text)


def _parameters(found: object) -> list[str]:
    """The names of the parameters; none of what has no signature in Python."""
    try:
        return list(inspect.signature(found).parameters) if callable(found) else []
    except (TypeError, ValueError):
        return []


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=lambda one: one)
def test_jax_has_what_is_needed(module: str, name: str) -> None:
    found = getattr(getattr(jax_internals, module), name)
    expected = jax_internals.NEEDED[module][name]
    assert tuple(_parameters(found)[: len(expected)]) == expected


@pytest.mark.parametrize("name", list(jax_internals.NEEDED_ITSELF))
def test_jax_has_the_classes_and_functions(name: str) -> None:
    expected = jax_internals.NEEDED_ITSELF[name]
    assert tuple(_parameters(getattr(jax_internals, name))[: len(expected)]) == expected


def test_caches_of_jax_have_what_ours_uses(tmp_path: Path) -> None:
    cache = jax_internals.LRUCache(str(tmp_path), max_size=1 << 20)
    assert [name for name in jax_internals.NEEDED_OF_CACHES if not hasattr(cache, name)] == []


def test_no_other_module_imports_private_names_of_jax() -> None:
    found = []
    for path, tree in _sources("jax._src"):
        for node in ast.walk(tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [path for name in names if name.startswith("jax._src")]
    assert {path.resolve() for path in found} == {OWN}


def test_the_list_is_complete_and_has_nothing_else() -> None:
    """What other modules take from the imported modules of JAX is what `NEEDED` lists."""
    used: dict[str, set[str]] = defaultdict(set)
    for _, tree in _sources("jax_internals"):
        taken = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "sdy.jax_internals"
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in taken:
                used[node.value.id].add(node.attr)
    modules = {name: attributes for name, attributes in used.items() if name in jax_internals.NEEDED}
    assert modules == {name: set(needed) for name, needed in jax_internals.NEEDED.items()}
