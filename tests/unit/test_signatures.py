"""Signatures say what they take: `Any` stands only where a value is truly anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ANYTHING = {
    "dialect/assembly/formats.py": "constraints of IRDL are types, classes and functions",
    "dialect/builders.py": "arrays of any element type",
    "dialect/definition/attributes.py": "value objects of all attributes",
    "dialect/definition/op_declarations.py": "constraints of IRDL: anything",
    "dialect/hlo_async/declarations.py": "constraints of IRDL: anything",
    "dialect/mpmd/declarations.py": "constraints of IRDL: anything",
    "dialect/mpmd/mpmd_builders.py": "value objects of all attributes",
    "dialect/context.py": "the class of a dialect, of either package of `ext`",
    "dialect/irdl_loading.py": "the class of a dialect, of either package of `ext`",
    "dialect/surroundings.py": "locations of either bindings",
    "dialect/ops/op_signature.py": "attributes, of classes that the op says",
    "dialect/verification/collective_checks.py": "one of several lists of axes",
    "dialect/lowering/sharded_op.py": "value objects of all attributes",
    "dialect/lowering/local_op.py": "what lowerings remember for themselves",
    "python/sdy/jax/caching/kept_programs.py": "types of fields, and values of them",
    "python/sdy/lazy_dataclass.py": "fields of any type",
    "python/sdy/patches/explicit.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/patches/live_code.py": "values of all expressions of users",
    "python/sdy/stablehlo/ops/builder.py": "builders of all ops, which take and give various things",
    "python/sdy/stablehlo/ops/declared.py": "builders of all ops, which take and give various things",
    "python/sdy/torch/gradients.py": "arguments of users' modules; objects of PyTorch, which may be absent",
    "python/sdy/torch/lowering.py": "objects of PyTorch, which may be absent",
    "python/sdy/torch/plans.py": "what plans say: axes, placements, styles",
    "python/sdy/torch/programs.py": "arguments and results of users' modules",
    "python/sdy/jax/mpmd/auto.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/mpmd/config.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/mpmd/jitted.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/mpmd/lowered.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/mpmd/lowering.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/mpmd/units.py": "arrays and pytrees of users, and functions of them",
    "python/sdy/jax/jitted.py": "a jitted function or one that is planned, as the value of `auto` says",
}
"""Files in whose signatures `Any` stands, and why."""


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    """Of arguments, results and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            yield from (each.annotation for each in named if each is not None and each.annotation is not None)
            if node.returns is not None:
                yield node.returns
        elif isinstance(node, ast.ClassDef):
            yield from (each.annotation for each in node.body if isinstance(each, ast.AnnAssign))


def _count(text: str) -> int:
    """How many annotations of a module have `Any` in them."""
    return sum(
        any(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(each))
        for each in _annotations(ast.parse(text))
    )


def _counts(folder: str) -> Iterator[tuple[str, int]]:
    links = [ROOT / "python" / "sdy" / room for room in ("dialect", "passes")]
    for path in sorted((ROOT / folder).rglob("*.py")):
        found = 0 if any(map(path.is_relative_to, links)) else _count(path.read_text(encoding="utf-8"))
        if found:
            yield path.relative_to(ROOT).as_posix(), found


@pytest.mark.slow
def test_files_say_what_they_take() -> None:
    files = {name for folder in ("dialect", "passes", "python/sdy") for name, _ in _counts(folder)}
    assert not files - set(ANYTHING), "say what it is: an op, a value, a type, an attribute, a value object"
    assert not set(ANYTHING) - files, "no longer needs to be listed"


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(x: Any, *y: int, z: list[Any]) -> Any: ...", 3),
        ("class A:\n  x: Any\n  y: int", 1),
        ("x: Any = 1\ndef f(x: int) -> None:\n  y: Any = x", 0),
    ],
)
def test_what_counts(source: str, count: int) -> None:
    assert _count(source) == count
