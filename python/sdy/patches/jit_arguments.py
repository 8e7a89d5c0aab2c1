"""The shardings given to a call of `jit`: their positions in the source, and the edits that change them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.patches.source_edits import Names, SourceFile, assigned, calls, local_names
from sdy.patches.written_shardings import Specs

Key = int | str
Path = tuple[Key, ...]
"""Keys of a leaf in a pytree."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An argument or a result: its path in the pytree, its name, its present axes and its new ones."""

    path: Path
    name: str
    before: Specs | None
    after: Specs | None

    @property
    def is_changed(self) -> bool:
        """Return whether its axes change."""
        return _trimmed(self.before) != _trimmed(self.after)


@dataclass(frozen=True)
class Chain:
    """Expressions from a keyword's value down to a leaf; `is_spec` tells of each whether it is a spec or a sharding."""

    leaf: Leaf
    nodes: list[tuple[ast.expr, bool]] = field(default_factory=list)


class JitCall:
    """The call or decorator that jits a function, in one file."""

    def __init__(self, file: SourceFile, function: str, lines: Collection[int]) -> None:
        """Find the places.

        Args:
          file: the file to look in.
          function: the name of the function.
          lines: lines of the file that are executed when it is traced, to know it among functions of its name.
        """
        self._file = file
        self._specs = {"P", "PartitionSpec", *local_names(file.tree, "PartitionSpec")}
        self._named = {"NamedSharding", *local_names(file.tree, "NamedSharding")}
        nodes = [node for node in ast.walk(file.tree) if isinstance(node, ast.FunctionDef) and node.name == function]
        spans = [(node, range(node.lineno, (node.end_lineno or node.lineno) + 1)) for node in nodes]
        self._function = next((node for node, span in spans if any(line in span for line in lines)), None)
        self._added: list[str] = []
        self._found = [*self._calls(function), *self._decorators()]
        self.is_of_any = not self._found
        if not self._found:
            self._found = [*self._calls_of_parameters(lines)]

    @property
    def rank(self) -> int:
        """Order of choice among files: where the function is, where it is named, where any function is jitted."""
        return 2 if self.is_of_any else 1 if self._function is None else 0

    @property
    def count(self) -> int:
        """Return the number of calls or decorators that jit the function."""
        return len(self._found)

    @property
    def line(self) -> int:
        """Line of the first of these places."""
        return self._found[0].lineno

    def edit(self, keyword: str, leaves: Sequence[Leaf], literal: Sequence[str], names: Names) -> Iterator[str]:
        """Yield the edits for one keyword, and the shardings that cannot be written.

        Args:
          keyword: ``in_shardings`` or ``out_shardings``.
          leaves: all of them, changed or not.
          literal: the whole pytree as an expression, where the keyword is not there yet: a text, or bracket, elements
            and bracket; empty if it cannot be written.
          names: the names of the file.
        """
        (node,) = self._found
        given = node.keywords if isinstance(node, ast.Call) else []
        value = next((each.value for each in given if each.arg == keyword), None)
        if value is None:
            names.declare_mesh()
            text = (
                "".join(literal)
                if len(literal) < 3
                else self._file.broken(node, literal[0], literal[1:-1], literal[-1])
            )
            if not literal:
                yield f"{keyword} has parts other than literals: give each leaf its sharding in the plan"
            elif isinstance(node, ast.Call):
                self._file.append(node, f"{keyword}={text}")
            else:
                self._added.append(f"{keyword}={text}")
                self._file.replace(node, f"{self._file.source(node)}({', '.join(self._added)})")
            return
        chains = [self._chain(leaf, value) for leaf in leaves]
        wants: dict[int, set[Specs | None]] = {}
        for chain in chains:
            for part, _ in chain.nodes:
                wants.setdefault(id(part), set()).add(_trimmed(chain.leaf.after))
        for chain in chains:
            if chain.leaf.is_changed:
                yield from self._replace(chain, wants, names)

    def _replace(self, chain: Chain, wants: Mapping[int, set[Specs | None]], names: Names) -> Iterator[str]:
        """Replace the innermost expression whose leaves all get the same sharding."""
        specs = chain.leaf.after
        own = [(node, is_spec) for node, is_spec in chain.nodes if len(wants[id(node)]) == 1]
        if specs is None:
            yield f"{chain.leaf.name}: leave its sharding open"
        elif not own:
            wanted = names.partition_spec(specs)
            yield f"{chain.leaf.name}: its sharding is not a literal; change it to {wanted}"
        else:
            node, is_spec = own[-1]
            self._file.replace(node, names.partition_spec(specs) if is_spec else names.sharding(specs))

    def _chain(self, leaf: Leaf, value: ast.expr) -> Chain:
        chain = Chain(leaf)
        self._follow(value, leaf.path, False, chain, 0)
        return chain

    def _follow(self, node: ast.expr | None, path: Path, is_spec: bool, chain: Chain, depth: int) -> None:
        """Follow a path through literals and names; return the last expression that is reached."""
        if node is None or depth > 40:
            chain.nodes.clear()
            return
        if isinstance(node, ast.Name):
            chain.nodes.append((node, is_spec))
            self._follow(assigned(self._file.tree, node), path, is_spec, chain, depth + 1)
        elif isinstance(node, (ast.Tuple, ast.List)) and path and isinstance(path[0], int):
            inner = node.elts[path[0]] if path[0] < len(node.elts) else None
            self._follow(inner, path[1:], is_spec, chain, depth + 1)
        elif isinstance(node, ast.Dict) and path:
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            inner = node.values[keys.index(path[0])] if path[0] in keys else None
            self._follow(inner, path[1:], is_spec, chain, depth + 1)
        elif isinstance(node, ast.Call):
            self._follow_call(node, path, is_spec, chain, depth)
        elif isinstance(node, ast.Constant) and node.value is None:
            chain.nodes.append((node, is_spec))
        else:
            chain.nodes.clear()

    def _follow_call(self, node: ast.Call, path: Path, is_spec: bool, chain: Chain, depth: int) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = {each.arg: each.value for each in node.keywords}
        if name in ("map", "tree_map") and len(node.args) > 1:
            self._follow(node.args[1], path, True, chain, depth + 1)
        elif name == "dict" and path and not node.args:
            self._follow(given.get(str(path[0])), path[1:], is_spec, chain, depth + 1)
        elif name in self._named and len(node.args) > 1:
            chain.nodes.append((node, False))
            if isinstance(node.args[1], ast.Call):
                chain.nodes.append((node.args[1], True))
        elif name in self._specs:
            chain.nodes.append((node, True))
        elif self._makes_shardings(name):
            chain.nodes.append((node, False))
        else:
            chain.nodes.clear()

    # Names -----------------------------------------------------------------------------------------

    def _makes_shardings(self, name: str) -> bool:
        """Return whether a function of the file, or a lambda, returns a `NamedSharding`."""
        for node in ast.walk(self._file.tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
                made = [each is not None and next(calls(each, *self._named), None) is each for each in returned]
                return bool(made) and all(made)
            targets = node.targets if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) else ()
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                body = node.value.body  # type: ignore[union-attr]
                return next(calls(body, *self._named), None) is body
        return False

    # Places ----------------------------------------------------------------------------------------

    def _calls(self, function: str) -> Iterator[ast.expr]:
        for call in calls(self._file.tree, "jit"):
            names = {node.id for arg in call.args[:1] for node in ast.walk(arg) if isinstance(node, ast.Name)}
            is_lambda = function == "<lambda>" and any(isinstance(arg, ast.Lambda) for arg in call.args[:1])
            if is_lambda or (function in names and self._sees(call)):
                yield call

    def _sees(self, call: ast.Call) -> bool:
        """Return whether a call is in the scope of the function, or the function is in another file."""
        if self._function is None:
            return True
        scopes, node = set[ast.AST](), self._file.parents.get(call)
        while node is not None:
            scopes.add(node)
            node = self._file.parents.get(node)
        scope = self._file.parents[self._function]
        while not isinstance(scope, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            scope = self._file.parents[scope]
        return scope in scopes

    def _calls_of_parameters(self, lines: Collection[int]) -> Iterator[ast.expr]:
        """Yield the calls in executed functions that jit their parameters."""
        for node in ast.walk(self._file.tree):
            if isinstance(node, ast.FunctionDef) and any(
                node.lineno <= line <= (node.end_lineno or 0) for line in lines
            ):
                given = {each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
                for call in calls(node, "jit"):
                    if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id in given:
                        yield call

    def _decorators(self) -> Iterator[ast.expr]:
        for node in self._function.decorator_list if self._function is not None else ():
            named = [
                each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in ast.walk(node)
            ]
            if "jit" in named:
                yield node


def _trimmed(specs: Specs | None) -> Specs | None:
    """Axes without the unsharded dimensions at the end."""
    while specs and not specs[-1]:
        specs = specs[:-1]
    return specs
