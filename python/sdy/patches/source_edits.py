"""Edits of one Python file: expressions wrapped, replaced, or given as keywords, found by their position."""

from __future__ import annotations

import ast
import copy
import difflib
import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from sdy.patches.written_shardings import Span, Specs

_JAX = re.compile(r"\bjax\.")
"""Pattern of edits that need the name `jax`."""

_LINE_END = re.compile(r"\r?\n")

_LONG = 60
"""Characters of a list that stands in one line."""


class SourceFile:
    """A Python file with pending edits, which are applied together."""

    def __init__(self, path: str) -> None:
        """Read and parse a file.

        Raises:
          OSError: it cannot be read.
          SyntaxError: it is not Python.
        """
        self.path = path
        self.text = Path(path).read_bytes().decode("utf-8")
        self.tree = ast.parse(self.text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._lines = _lines(self.text)
        self._line_end = "\r\n" if "\r\n" in self.text else "\n"
        self._wrapped: dict[tuple[int, int], tuple[str, str]] = {}
        self._replaced: dict[tuple[int, int], str] = {}
        self._inserted: dict[tuple[int, str], None] = {}

    def expression(self, span: Span) -> ast.expr | None:
        """Return the expression at a position; None if there is none, as in a changed file."""
        wanted = (span.line, span.column, span.end_line, span.end_column)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr) and _place(node) == wanted:
                return node
        return None

    def source(self, node: ast.expr) -> str:
        """Return the text of an expression."""
        begin, end = self.range(node)
        return self.text[begin:end]

    def broken(self, node: ast.expr, opening: str, parts: Sequence[str], closing: str) -> str:
        """Return a list of parts on one line, or a line each where that would be long, indented below a node."""
        line = f"{opening}{', '.join(parts)}{',' if opening == '(' and len(parts) == 1 else ''}{closing}"
        if len(line) <= _LONG or not parts:
            return line
        indent = re.match(r"\s*", self._lines[node.lineno - 1])
        margin = indent[0] if indent else ""
        return f"{opening}\n" + "".join(f"{margin}    {part},\n" for part in parts) + f"{margin}{closing}"

    def copy(self) -> SourceFile:
        """Return a separate file with the same pending edits."""
        other = copy.copy(self)
        other._wrapped, other._replaced, other._inserted = (
            dict(self._wrapped),
            dict(self._replaced),
            dict(self._inserted),
        )
        return other

    def wrap(self, node: ast.expr, before: str, after: str) -> None:
        """Put text around an expression, and around what is wrapped around it."""
        inner = self._wrapped.get(self.range(node), ("", ""))
        self._wrapped[self.range(node)] = (before + inner[0], inner[1] + after)

    def replace_between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Replace the first `old`, with the white space around it, behind one expression and before another."""
        begin = self.range(left)[1]
        found = re.compile(rf"\s*{re.escape(old)}\s*").search(self.text, begin, self.range(right)[0])
        assert found is not None, "the operator stands between its operands"
        self._replaced[found.span()] = new

    def replace(self, node: ast.expr, text: str) -> None:
        """Put a text in the place of an expression."""
        self._replaced[self.range(node)] = text

    def insert(self, node: ast.stmt, text: str) -> None:
        """Insert a line of text in front of an unindented statement."""
        self._inserted[sum(map(len, self._lines[: _line(node) - 1])), f"{text}\n"] = None

    def insert_below(self, node: ast.stmt, text: str) -> None:
        """Insert a line of text below an unindented statement."""
        self._inserted[sum(map(len, self._lines[: node.end_lineno])), f"{text}\n"] = None

    def insert_behind(self, node: ast.expr, text: str) -> None:
        """Insert text directly behind an expression and its wrappers."""
        self._inserted[self.range(node)[1], text] = None

    def append(self, call: ast.Call, text: str) -> None:
        """Add an argument behind those of a call."""
        end = self.range(call)[1] - 1
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        last = max((self.range(node)[1] for node in given), default=None)
        self._inserted[(end, text) if last is None else (last, f", {text}")] = None

    def diff(self, name: str) -> str:
        """Return the unified diff of the file; empty without an edit."""
        lines = difflib.unified_diff(_lines(self.text), _lines(self.changed()), f"a/{name}", f"b/{name}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def changed(self) -> str:
        """Return the text with all edits."""
        return "".join(text for text, _, _ in self._pieces())

    def changed_tree(self) -> tuple[ast.Module, dict[ast.AST, tuple[int, int]]]:
        """Parse the text with all edits.

        Returns:
          The tree, and of each of its expressions the range of the original text that it stands for.

        Raises:
          SyntaxError: an edit left no Python.
        """
        pieces, text = [*self._pieces()], self.changed()
        begins = [*accumulate((len(piece) for piece, _, _ in pieces), initial=0)]
        lines = _lines(text)
        rows = [*accumulate(map(len, lines), initial=0)]

        def original(line: int, column: int, is_end: bool) -> int:
            place = rows[line - 1] + len(lines[line - 1].encode()[:column].decode())
            at = (bisect_left if is_end else bisect_right)(begins, place) - 1
            piece, begin, end = pieces[at]
            if end - begin == len(piece):
                return begin + place - begins[at]
            return end if is_end else begin

        tree = ast.parse(text)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        places = {node: _place(node) for node in nodes}
        return tree, {
            node: (original(line, column, False), original(end_line, end_column, True))
            for node, (line, column, end_line, end_column) in places.items()
        }

    def _pieces(self) -> Iterator[tuple[str, int, int]]:
        """Yield the parts of the changed text, each with the range of the original text that it replaces."""
        # At one place what ends comes before what is inserted and what begins; of the ends the inner one first, of the
        # beginnings the outer one.
        pieces = [(place, 1, number, place, text) for number, (place, text) in enumerate(self._inserted)]
        for (begin, end), (before, after) in self._wrapped.items():
            pieces += [(begin, 2, begin - end, begin, before), (end, 0, end - begin, end, after)]
        pieces += [(begin, 3, 0, end, text) for (begin, end), text in self._replaced.items()]
        if not self._has_jax and any(_JAX.search(text) for *_, text in pieces):
            pieces.append((self._beginning(), 1, -1, self._beginning(), "import jax\n"))
        at = 0
        for place, _, _, end, text in sorted(pieces):
            if place >= at:  # what is left of it would stand within an expression that was replaced
                yield self.text[at:place], at, place
                yield _LINE_END.sub(self._line_end, text), place, end
                at = end
        yield self.text[at:], at, len(self.text)

    @cached_property
    def _has_jax(self) -> bool:
        """Return whether the name `jax` is imported for the whole file."""
        scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        nodes = (node for top in self.tree.body if not isinstance(top, scopes) for node in ast.walk(top))
        imports = [alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names]
        return any((alias.asname or alias.name.partition(".")[0]) == "jax" for alias in imports)

    def _beginning(self) -> int:
        """Return the offset of the first statement that may follow an import."""
        first = next((node for node in self.tree.body if not _is_first(node)), None)
        return len(self.text) if first is None else sum(map(len, self._lines[: _line(first) - 1]))

    def range(self, node: ast.expr) -> tuple[int, int]:
        """Return the offsets of an expression in the original text."""
        line, column, end_line, end_column = _place(node)
        return self._offset(line, column), self._offset(end_line, end_column)

    def _offset(self, line: int, column: int) -> int:
        """The place in the text; columns count bytes of UTF-8."""
        row = self._lines[line - 1]
        return sum(map(len, self._lines[: line - 1])) + len(row.encode()[:column].decode())


def _lines(text: str) -> list[str]:
    """Return the lines of a text as Python counts them; a form feed ends none."""
    return [*io.StringIO(text)]


def _line(node: ast.stmt) -> int:
    """Return the line in which a statement begins, with its decorators."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def _place(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


class Names:
    """The names that a file uses for meshes and shardings."""

    def __init__(self, file: SourceFile, axes: dict[str, int]) -> None:
        self._file, self._axes = file, axes
        self.spec = self._imported("PartitionSpec") or "jax.sharding.PartitionSpec"
        self.named = self._imported("NamedSharding") or "jax.sharding.NamedSharding"
        self._mesh = self._assigned_mesh()
        self.mesh = self._mesh or self._free("mesh", "device_mesh", "sharding_mesh")

    def partition_spec(self, specs: Specs) -> str:
        """``P("data", None)``."""
        while specs and not specs[-1]:
            specs = specs[:-1]
        return f"{self.spec}({', '.join(map(dimension, specs))})"

    def sharding(self, specs: Specs) -> str:
        """Return ``NamedSharding(mesh, P("data", None))``."""
        return f"{self.named}({self.mesh}, {self.partition_spec(specs)})"

    def declare_mesh(self, kind: str = "Auto", *, is_set: bool = False) -> None:
        """Insert a mesh in front of the first statement after the imports, if the file has none.

        Args:
          kind: of its axes.
          is_set: whether it becomes the one that functions are traced on.
        """
        if self._mesh is None:
            sizes, names = tuple(self._axes.values()), tuple(self._axes)
            kinds = f"axis_types=(jax.sharding.AxisType.{kind},) * {len(names)}"
            first = next(node for node in self._file.tree.body if not _is_head(node))
            made = f"{self.mesh} = jax.make_mesh({sizes}, {_quoted(names)}, {kinds})"
            self._file.insert(first, f"{made}\njax.set_mesh({self.mesh})" if is_set else made)
            self._mesh = self.mesh

    def module(self, name: str) -> str:
        """Return the name under which the file imports a module; the full one if it does not."""
        for node in ast.walk(self._file.tree):
            for alias in node.names if isinstance(node, ast.Import) else ():
                if alias.name == name and alias.asname:
                    return alias.asname
        return name

    def _free(self, *names: str) -> str:
        """Return the first name that the file uses nowhere, or the last one."""
        nodes = [*ast.walk(self._file.tree)]
        used = {getattr(node, of, None) for node in nodes for of in ("id", "name", "arg", "asname")}
        return next((name for name in names if name not in used), names[-1])

    def _imported(self, name: str) -> str | None:
        """Return a name of the file for one of `jax.sharding`."""
        return next(local_names(self._file.tree, name), None)

    def _assigned_mesh(self) -> str | None:
        """The name of the module's mesh."""
        for node in self._file.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                made = node.value.func
                called = made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", "")
                if called in ("make_mesh", "Mesh", "create_device_mesh", "AbstractMesh"):
                    return next((target.id for target in node.targets if isinstance(target, ast.Name)), None)
        return None


def _is_head(node: ast.stmt) -> bool:
    """Return whether a statement is an import or the docstring."""
    return _is_first(node) or isinstance(node, (ast.Import, ast.ImportFrom))


def _is_first(node: ast.stmt) -> bool:
    """Return whether a statement is the docstring or an import of `__future__`, which stand before all others."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def dimension(axes: tuple[str, ...]) -> str:
    """Return the axes of a dimension as an argument of a partition spec."""
    if not axes:
        return "None"
    return f'"{axes[0]}"' if len(axes) == 1 else _quoted(axes)


def _quoted(names: tuple[str, ...]) -> str:
    """A tuple as ruff formats it."""
    listed = ", ".join(f'"{name}"' for name in names)
    return f"({listed},)" if len(names) == 1 else f"({listed})"


def local_names(tree: ast.AST, name: str) -> Iterator[str]:
    """Yield the names that a file gives to one of `jax.sharding`, by imports and assignments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jax"):
            yield from (alias.asname or name for alias in node.names if alias.name == name)
        if isinstance(node, ast.Assign):
            last = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", None)
            yield from (target.id for target in node.targets if isinstance(target, ast.Name) and last == name)


def calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    """Yield the calls of functions with one of these last names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in names:
                yield node


_BODIES = {"scan": ((0, 1),), "while_loop": ((1, 2),), "fori_loop": ((2, 3),), "cond": ((1, 3), (2, 3))}
"""Of calls of JAX, the places of each body and of the values that it begins with."""


def carried(tree: ast.Module, call: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Return the initial value and the body's result of a loop, one pair for each element of a literal."""
    name = call.func.attr if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""
    found = list[tuple[ast.expr, ast.expr]]()
    for body, begin in _BODIES.get(name, ()):
        if isinstance(call, ast.Call) and len(call.args) > max(body, begin):
            ends = [*_returned(tree, call.args[body])]
            if name == "scan":
                ends = [end.elts[0] for end in ends if isinstance(end, ast.Tuple)]
            start = call.args[begin]
            literal = assigned(tree, start) if isinstance(start, ast.Name) else None
            begins = literal if isinstance(literal, ast.Tuple) else start
            found += [pair for end in ends for pair in _pairs(begins, end)]
    return found


def assigned(tree: ast.AST, name: ast.Name) -> ast.expr | None:
    """Return the expression that a name is assigned, if a file assigns it exactly once."""
    made = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name.id for target in node.targets)
    ]
    return made[0] if len(made) == 1 else None


def _returned(tree: ast.Module, function: ast.expr) -> Iterator[ast.expr]:
    """Yield what a lambda, or a function of the file, returns."""
    if isinstance(function, ast.Lambda):
        yield function.body
    name = function.id if isinstance(function, ast.Name) else None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)


def _pairs(begin: ast.expr, end: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(begin, ast.Tuple) and isinstance(end, ast.Tuple):
        yield from zip(begin.elts, end.elts, strict=False)
    else:
        yield begin, end
