"""Runs changed sources in place of live functions, and reports their intermediate values."""

from __future__ import annotations

import ast
import builtins
import copy
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.patches.source_edits import SourceFile

_SEEN, _SPEC = "__sdy_seen__", "__sdy_spec__"
"""Names of the helpers that instrumented code calls."""

_Code = Mapping[str, Sequence[CodeType]]
"""By path of a file, the code of all its functions."""

_RESHARDS = ("reshard", "with_sharding_constraint")

Ranges = Mapping[ast.AST, tuple[int, int]]
"""Of expressions of a changed text, the offsets of what they stand for in the original text."""

Place = tuple[str, int, int]
"""A file, and the offsets of an expression in its original text."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of changed sources.

    Attributes:
      error: the raised exception; None after success.
      places: the innermost expression of the sources that raised it; all of a line where an error of a differentiated
        expression says no more.
      is_backward: whether it is such an error.
      steps: how many operands were computed before.
      operands: the last value of each operand.
      result: the result of the run.
    """

    error: BaseException | None
    places: tuple[Place, ...]
    is_backward: bool
    steps: int
    operands: Mapping[Place, Any]
    result: Any = None


class LiveCode:
    """The functions of source files that are alive; they run changed sources within `outcome`.

    As a context, it gives functions that were made meanwhile the code of the files when it ends.
    """

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._codes = {
            path: [*_nested(compile(file.text, path, "exec", dont_inherit=True))] for path, file in files.items()
        }
        known = {code: (path, at) for path, codes in self._codes.items() for at, code in enumerate(codes)}
        alive = (one for one in gc.get_objects() if isinstance(one, FunctionType))
        self._functions = [(one, known[one.__code__]) for one in alive if one.__code__ in known]
        self._originals: dict[CodeType, CodeType] = {}

    def __enter__(self) -> LiveCode:
        return self

    def __exit__(self, *_: object) -> None:
        made = (one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__ in self._originals)
        for function in made:
            original = self._originals[function.__code__]
            if original.co_freevars == function.__code__.co_freevars:
                function.__code__ = original

    def outcome(self, files: Mapping[str, SourceFile], run: Any) -> Outcome:
        """Run a function with the changed sources of all files."""
        steps, operands = [0], dict[Place, Any]()

        def seen(path: str, begin: int, end: int, value: Any) -> Any:
            steps[0] += 1
            operands[path, begin, end] = value
            return value

        trees = {path: file.changed_tree() for path, file in files.items()}
        known = {path: {file.range(one) for one in _reported(file.tree)} for path, file in files.items()}
        error = result = None
        instrumented = {
            path: _Instrumented(path, tree, ranges, known[path]).tree for path, (tree, ranges) in trees.items()
        }
        changed = {
            path: [*_nested(compile(tree, path, "exec", dont_inherit=True))] for path, tree in instrumented.items()
        }
        if (unfit := self._unfit(changed)) is not None:
            return Outcome(NameError(f"{unfit} would take other names from the functions around it"), (), False, 0, {})
        for path, codes in changed.items():
            self._originals |= zip(codes, self._codes[path], strict=True)
        with self._running(changed, seen):
            try:
                result = run()
            except Exception as raised:  # noqa: BLE001 - JAX and the user's code raise what they like
                error = raised
        positions = {path: _by_position(tree, ranges) for path, (tree, ranges) in trees.items()}
        found, is_backward = ((), False) if error is None else _places_of(error, positions)
        return Outcome(error, found, is_backward, steps[0], operands, result)

    def _unfit(self, changed: _Code) -> str | None:
        """Return the name of a function whose changed code does not fit its closure; None without any."""
        for function, (path, at) in self._functions:
            if changed[path][at].co_freevars != function.__code__.co_freevars:
                return function.__qualname__
        return None

    @contextmanager
    def _running(self, changed: _Code, seen: Any) -> Iterator[None]:
        before = [(function, function.__code__) for function, _ in self._functions]
        # Edits name jax, which a file may import under another name, or only in part.
        helpers = {_SEEN: seen, _SPEC: _spec, "jax": sys.modules["jax"]}
        for name, helper in helpers.items():
            setattr(builtins, name, helper)
        try:
            for function, (path, at) in self._functions:
                function.__code__ = changed[path][at]
            yield
        finally:
            for function, code in before:
                function.__code__ = code
            for name in helpers:
                delattr(builtins, name)


class _Instrumented(ast.NodeTransformer):
    """A tree that reports the operands of operators, calls and subscripts when they are computed.

    Of the expressions that stand for one of the original text the outermost reports: an edit adds no step.
    """

    def __init__(self, path: str, tree: ast.Module, ranges: Ranges, known: Set[tuple[int, int]]) -> None:
        wanted = dict[tuple[int, int], ast.expr]()
        for one in _reported(tree):
            is_edit = isinstance(one, ast.Attribute) and ranges[one] == ranges[one.value]
            if ranges[one] in known and not is_edit:
                wanted.setdefault(ranges[one], one)
        changed = copy.deepcopy(tree)
        copies = dict(zip(_in_order(tree), _in_order(changed), strict=True))
        self._path, self._operands = path, {copies[operand]: place for place, operand in wanted.items()}
        self.tree = ast.fix_missing_locations(self.visit(changed))

    def visit(self, node: ast.AST) -> Any:
        """Wrap reported expressions, and the shardings of constraints, whose meshes have axes of another kind."""
        place = self._operands.get(node)
        self.generic_visit(node)
        if isinstance(node, ast.Call) and len(node.args) > 1 and _name(node.func) in _RESHARDS:
            node.args[1] = _call(_SPEC, [node.args[1]], node.args[1])
        for keyword in node.keywords if isinstance(node, ast.Call) and _name(node.func) == "shard_map" else ():
            if keyword.arg == "mesh":
                keyword.value = _call(_SPEC, [keyword.value], keyword.value)
        if place is None or not isinstance(node, ast.expr):
            return node
        return _call(_SEEN, [*map(ast.Constant, (self._path, *place)), node], node)


def _reported(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that report their values, outer ones before inner ones."""
    for node in _in_order(tree):
        operands = [*operands_of(node)]
        if operands and isinstance(node, ast.expr):
            yield node
        yield from operands


def operands_of(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the operands of an operator, a call, a subscript or a literal, and those of literals among them."""
    if isinstance(node, ast.BinOp):
        found = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        found = [node.left, *node.comparators]
    elif isinstance(node, ast.UnaryOp):
        found = [node.operand]
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        found = [node.value]
    elif isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load):
        found = node.elts
    elif isinstance(node, ast.Call) and _name(node.func) not in ("super", "locals", "globals", "vars"):
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        found = [*receiver, *node.args, *(each.value for each in node.keywords if each.arg is not None)]
    else:
        found = []
    for operand in found:
        if isinstance(operand, (ast.Tuple, ast.List)):
            yield from (each for each in operand.elts if not isinstance(each, (ast.Starred, ast.Constant)))
        elif not isinstance(operand, (ast.Starred, ast.Constant, ast.Lambda, ast.Slice, ast.GeneratorExp)):
            yield operand


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes, inner ones behind those around them."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _in_order(child)


def _call(name: str, arguments: list[ast.expr], node: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node), arguments, []), node)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _spec(shardings: Any) -> Any:
    """Return the specs of shardings, since the mesh is that of the run; for a mesh the run's mesh."""
    tree = sys.modules["jax"].tree
    named = sys.modules["jax"].sharding.NamedSharding
    if isinstance(shardings, sys.modules["jax"].sharding.Mesh):
        return sys.modules["jax"].sharding.get_abstract_mesh()
    return tree.map(lambda one: one.spec if isinstance(one, named) else one, shardings)


def _nested(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a module and of all functions in it, in the order of the text."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


Positions = Mapping[tuple[int, int, int, int], tuple[int, int]]


def _by_position(tree: ast.Module, ranges: Ranges) -> Positions:
    found = {}
    for node in _in_order(tree):
        if node in ranges and isinstance(node, ast.expr):
            position = node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or 0
            found.setdefault(position, ranges[node])
    return found


def _places_of(error: BaseException, positions: Mapping[str, Positions]) -> tuple[tuple[Place, ...], bool]:
    """Return the innermost expressions of the sources that raised an error, and whether they were differentiated."""
    cause = error.__cause__
    is_backward = cause is not None and type(cause).__name__ == "JaxStackTraceBeforeTransformation"
    found = tuple[Place, ...]()
    at = cause.__traceback__ if is_backward and cause is not None else error.__traceback__
    while at is not None:
        code, known = at.tb_frame.f_code, positions.get(at.tb_frame.f_code.co_filename)
        if known is not None:
            line, end_line, column, end_column = [*code.co_positions()][at.tb_lasti // 2]
            exact = known.get((line or 0, end_line or 0, column or 0, end_column or 0))
            on_line = dict.fromkeys(place for (first, *_), place in known.items() if first == at.tb_lineno)
            chosen = [exact] if exact is not None else on_line if is_backward else []
            found = tuple((code.co_filename, *place) for place in chosen)
        at = at.tb_next
    return found, is_backward
