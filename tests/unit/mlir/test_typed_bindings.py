"""The stubs of the bindings say what is there: every name, and the names of parameters."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdy
from sdy.mlir import ext, ir, irdl, passmanager, quant, rewrite, stablehlo

_STUBS = Path(sdy.__file__).parent / "mlir" / "typed_bindings"
_MODULES = {
    "ext": ext,
    "irdl": irdl,
    "passmanager": passmanager,
    "quant": quant,
    "rewrite": rewrite,
    "stablehlo": stablehlo,
}
_FIELDS = {"OperandDef", "ResultDef", "AttributeDef", "RegionDef", "FieldDef", "ParamDef"}
"""Data classes, whose fields only objects have."""


def _stub_files() -> list[Path]:
    return sorted(_STUBS.glob("*.pyi"))


_CLASSES = {
    node.name: node
    for path in _stub_files()
    for node in ast.parse(path.read_text()).body
    if isinstance(node, ast.ClassDef)
}
"""Where two files have a class of one name, either."""


def _problems(path: Path) -> Iterator[str]:
    module = _MODULES.get(path.stem, ir)
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield from _problems_of_function(f"{path.stem}.{node.name}", getattr(module, node.name, None), node)
        elif isinstance(node, ast.ClassDef) and (hasattr(module, node.name) or not node.name.startswith("_")):
            found = getattr(module, node.name, None)
            if isinstance(found, type):
                yield from _problems_of_class(f"{path.stem}.{node.name}", module, found, node)
            elif not _is_only_a_name(path, node.name):
                yield f"{path.stem}.{node.name} is no class of the bindings"


def _is_only_a_name(path: Path, name: str) -> bool:
    """Classes of what the bindings return, which they do not export, and what classes have in common."""
    return (path.stem, name) in {
        ("ir", "_OperationBase"),
        ("rewrite", "FrozenRewritePatternSet"),
        ("ir", "DiagnosticHandler"),
        ("stablehlo", "Enumerator"),
        ("ir", "Uniqued"),
    }


def _members(node: ast.ClassDef, module: object) -> Iterator[ast.stmt]:
    """What a class declares: by itself, and by bases that are in the stubs only."""
    yield from node.body
    for base in node.bases:
        written = base.value if isinstance(base, ast.Subscript) else base
        name = written.id if isinstance(written, ast.Name) else ""
        if name in _CLASSES and not hasattr(module, name):
            yield from _members(_CLASSES[name], module)


def _problems_of_class(where: str, module: object, found: type, node: ast.ClassDef) -> Iterator[str]:
    for member in _members(node, module):
        if isinstance(member, ast.FunctionDef):
            # What is iterated by position has no `__iter__`.
            by_position = member.name == "__iter__" and not _has(found, "__iter__")
            if member.name == "__buffer__" and sys.version_info < (3, 12):
                continue  # had by objects then, which no method tells
            name = "__getitem__" if by_position else member.name
            yield from _problems_of_function(f"{where}.{name}", getattr(found, name, None), member)
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            name = member.target.id
            set_by_use = name.startswith("_") or found.__name__ in _FIELDS or found is ext.Dialect
            if not _has(found, name) and not set_by_use and not issubclass(found, (ext.Operation, ext.Type)):
                yield f"{where}.{name} is not there"


def _has(found: type, name: str) -> bool:
    """Whether a class has it; properties of a class are not asked, which may raise."""
    return any(name in vars(base) for base in found.__mro__)


def _problems_of_function(where: str, found: object, node: ast.FunctionDef) -> Iterator[str]:
    if found is None:
        yield f"{where} is not there"
        return
    signatures = getattr(found, "__nb_signature__", None)
    if not isinstance(signatures, tuple):
        return
    texts = " ".join(str(each[0]) for each in signatures)
    if node.args.posonlyargs or (node.name.startswith("__") and node.name != "__init__"):
        return  # given by position
    for each in (*node.args.args, *node.args.kwonlyargs):
        if each.arg not in ("self", "cls") and not re.search(rf"\b{each.arg}\b\s*[:=,)]", texts):
            yield f"{where} has no parameter '{each.arg}': {texts}"


@pytest.mark.parametrize("path", _stub_files(), ids=lambda path: path.stem)
def test_stub(path: Path) -> None:
    assert list(_problems(path)) == []
