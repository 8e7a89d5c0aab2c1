"""What is remembered between two modules is bounded, and nothing else that may change outlives one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

import sdy
from sdy.dialect.context import exclusively
from sdy.mlir import per_context
from sdy.mlir.diagnostics import collecting, saying_once, warn_once
from sdy.mlir.per_context import PerContext

ROOT = Path(__file__).parents[2]
ROOMS = ("dialect", "passes", "python/sdy")

UNBOUNDED = {
    "_compile": "of the declared ops",
    "_kinds": "of the declared ops; of the classes of options",
    "_fields": "of the classes of options",
    "registered_dialects": "has no argument",
    "canonical_text": "of the dialects that are declared here",
    "_reader_of": "of the kinds of attributes",
    "_directions": "of enumerations",
    "_environment": "has no argument",
    "_modules": "has no argument",
    "_all_modules": "has no argument",
    "_versions": "has no argument",
    "_field_types": "of the classes of what is kept of programs",
    "_import_all": "has no argument",
    "_load_families_of": "names of ops, of which there are few",
    "_load_lapack": "has no argument",
    "hide": "has no argument",
}
"""Functions whose results are kept without a bound, and what there are so few of."""

REGISTRIES = {
    "_all": "what is kept per context",
    "_aliases": "passes",
    "_asking": "frontends of users' functions",
    "_built_in": "op models",
    "_choices": "lowerings, by op and target",
    "_declarations": "ops of StableHLO",
    "_declared": "what users have registered in all of these",
    "_forgetting": "what forgets what follows from op models",
    "_found": "which op model has which part, of the ops that are asked for",
    "_families": "kinds of asynchronous pairs",
    "_kinds": "data-flow ops",
    "_passes": "passes",
    "_pipelines": "pipelines",
    "_readers": "ops that declare meshes",
    "_registered": "auto-partitioners",
    "_registered_dialects": "dialects of users",
    "_registered_names": "passes and pipelines",
    "_registrations": "ops of StableHLO",
    "_users": "op models of users",
    "_DECLARED": "attributes of the dialects that are declared here",
    "_DECODERS": "as `_DECLARED`",
    "_ENCODERS": "as `_DECLARED`",
    "MNEMONICS": "as `_DECLARED`",
    "VALUE_CLASSES": "as `_DECLARED`",
    "ALL_IN_ONE": "checks",
    "INVARIANTS": "checks",
    "PATTERNS": "canonicalization",
    "SYMBOL_USES": "checks",
    "_extensions": "extensions, which are loaded once, under a lock",
    "_names": "partitioners that jitted functions carry, as long as these live; and functions in modules that JAX "
    "lowered, as long as these live",
    "_by_text": "as `_names`",
    "_numbers": "a counter, which never gives a number twice",
    "_groups": "contexts as long as they live",
    "_idle": "contexts for programs to come, of which there are two at most",
}
"""Names of modules that may change after the import, and what is registered there."""

_MAY_CHANGE = frozenset(
    "WeakKeyDictionary WeakValueDictionary defaultdict deque count dict list set Extensions".split()
)


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    links = [ROOT / "python" / "sdy" / room for room in ("dialect", "passes")]
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not any(map(path.is_relative_to, links)):
                yield path, ast.parse(path.read_text(encoding="utf-8"))


def _called(node: ast.AST) -> str:
    """The last name of what is called, or what is referred to."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _caches_without_bound(tree: ast.Module) -> Iterator[str]:
    """Names of functions, or what is called instead, for a cache that is no decorator."""
    nodes = [*ast.walk(tree)]
    decorators = {
        id(each): node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in node.decorator_list
    }
    for node in nodes:
        if (id(node) in decorators or isinstance(node, ast.Call)) and _is_unbounded(node):
            yield decorators.get(id(node), ast.unparse(node))


def _is_unbounded(node: ast.AST) -> bool:
    arguments = [*node.args, *(each.value for each in node.keywords)] if isinstance(node, ast.Call) else []
    unlimited = any(isinstance(each, ast.Constant) and each.value is None for each in arguments)
    return _called(node) == "cache" or (_called(node) == "lru_cache" and unlimited)


def _changeable(tree: ast.Module) -> Iterator[str]:
    """Names of what is empty at first, or made to change, and lives as long as a module, and of `global` statements."""
    nodes = [*ast.walk(tree)]
    classes = [node.body for node in nodes if isinstance(node, ast.ClassDef)]
    for node in chain(tree.body, *classes):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _may_change(node.value):
            yield ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
    for node in nodes:
        if isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.arguments):
            with_default = [*node.posonlyargs, *node.args][::-1], node.kwonlyargs[::-1]
            for arguments, defaults in zip(with_default, (node.defaults, node.kw_defaults), strict=True):
                pairs = zip(arguments, defaults[::-1], strict=False)
                yield from (name.arg for name, default in pairs if default is not None and _may_change(default))


def _may_change(value: ast.expr) -> bool:
    is_empty = (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)
    return is_empty or (isinstance(value, ast.Call) and _called(value) in _MAY_CHANGE)


@pytest.mark.slow
def test_nothing_else_is_kept_without_a_bound() -> None:
    caches, names = set[str](), set[str]()
    for path, tree in _sources():
        found, changeable = set(_caches_without_bound(tree)), set(_changeable(tree))
        assert found <= set(UNBOUNDED), f"{path}: bound it (lru_cache(maxsize=...)), or say why there are few"
        assert changeable <= set(REGISTRIES), f"{path}: keep it per context (PerContext), or in objects of one module"
        caches |= found
        names |= changeable
    assert caches == set(UNBOUNDED), "no longer there"
    assert names == set(REGISTRIES), "no longer there"


@pytest.mark.parametrize(
    "source",
    [
        "known = {}",
        "known: list[int] = []",
        "known = defaultdict(list)",
        "def f():\n  global known\n  known = 1",
        "class A:\n  known = {}",
        "def f(x, known={}):\n  known[x] = x",
        "def f(x, *, known: dict = {}, y):\n  known[x] = x",
    ],
)
def test_what_is_refused(source: str) -> None:
    assert set(_changeable(ast.parse(source))) == {"known"}


@pytest.mark.parametrize("decorator", ["cache", "functools.cache", "lru_cache(maxsize=None)", "lru_cache(None)"])
def test_what_is_refused_of_caches(decorator: str) -> None:
    assert set(_caches_without_bound(ast.parse(f"@{decorator}\ndef f(x):\n  return x"))) == {"f"}
    assert not set(_caches_without_bound(ast.parse("@lru_cache(maxsize=8)\ndef f(x):\n  return x")))


@pytest.mark.parametrize("cache", ["cache(g)", "lru_cache(None)(g)", "functools.lru_cache(maxsize=None)(g)"])
def test_what_is_refused_of_caches_that_are_no_decorators(cache: str) -> None:
    assert len(set(_caches_without_bound(ast.parse(f"f = {cache}")))) == 1
    assert not set(_caches_without_bound(ast.parse("f = lru_cache(maxsize=8)(g)")))


def test_what_is_kept_for_a_context_is_emptied_between_turns() -> None:
    kept, context = PerContext[dict[int, int]](dict, most=2), sdy.make_context()
    try:
        with exclusively(context):
            kept.of(context).update({1: 1, 2: 2, 3: 3})
            with exclusively(context):
                assert len(kept.of(context)) == 3
        with exclusively(context):
            assert kept.of(context) == {}
            kept.of(context)[1] = 1
        with exclusively(context):
            assert kept.of(context) == {1: 1}
    finally:
        per_context._all.remove(kept)


def test_a_program_stays_the_same_where_everything_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.slice %0 [1:7, 0:8] : (tensor<8x8xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.pad %1, %c, low = [1, 0], high = [1, 0], interior = [0, 0]
      : (tensor<6x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
""".replace("  %1 =", "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %1 =")
    expected, context = sdy.partition(text).text, sdy.make_context()
    for each in per_context._all:
        if each._size is not per_context.own_bound:
            monkeypatch.setattr(each, "_most", 0)
    for _ in range(3):
        assert sdy.partition(text, context=context).text == expected


def test_what_is_said_once_is_said_of_each_module() -> None:
    module = sdy.parse("module {}")
    said: list[str] = []
    with collecting(lambda warning: said.append(warning.message)):
        for _ in range(2):
            with saying_once():
                with saying_once():
                    warn_once("kind", module.operation, "doubtful")
                warn_once("kind", module.operation, "doubtful")
                warn_once("other", module.operation, "doubtful as well")
    assert [each.split(" op ")[-1] for each in said] == ["doubtful", "doubtful as well"] * 2
