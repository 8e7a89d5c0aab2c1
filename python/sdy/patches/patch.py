"""`sdy.patch`: the edits of a user's source that give a program the shardings of a plan or a cure.

>>> found = sdy.patch(lowered, lowered.cure())
>>> print(found)                     # a unified diff, for `git apply`
>>> found.notes                      # what it leaves to the user, and why
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sdy.dialect.context import exclusively
from sdy.dialect.shardings.meshes import MeshTable
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.patches.jit_arguments import JitCall, Leaf
from sdy.patches.jit_arguments import Path as TreePath
from sdy.patches.source_edits import Names, SourceFile, calls, dimension
from sdy.patches.written_shardings import Site, Specs, Written, written
from sdy.programs.given_modules import compiled, own_copy, with_own_shardings
from sdy.programs.sources import AnyProgram

if TYPE_CHECKING:
    import jax.stages


@runtime_checkable
class Changes(Protocol):
    """Changes that can be made to a module, such as those of `sdy.cure` and `sdy.why`."""

    def apply(self, module: ir.Module) -> None:
        """Make the changes in a module."""
        ...


@runtime_checkable
class Annotated(Protocol):
    """A plan, whose text is the program with its shardings."""

    @property
    def text(self) -> str:
        """The program with the shardings."""
        ...


@dataclass(frozen=True, slots=True)
class Patch(ShownText):
    """Edits of source files.

    Attributes:
      text: a unified diff, which `git apply` takes in the folder that holds the repository of the files; empty if
        nothing can be written.
      notes: changes left to the user, one line each: a line that makes several values of which one is meant, values
        inside of a library's functions, shardings that are not written as literals.
    """

    text: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return self.text + "".join(f"# {note}\n" for note in self.notes)

    def save(self, path: str | Path) -> None:
        """Write the diff, without the notes, into a file."""
        Path(path).write_text(self.text, encoding="utf-8")


def patch(lowered: jax.stages.Lowered, to: Changes | Annotated | AnyProgram) -> Patch:
    """Write the shardings of a plan or a cure into the source of a program.

    Edits are `in_shardings` and `out_shardings` of the call of `jit`, at existing literals if possible, and
    `jax.lax.with_sharding_constraint` around the expression that makes a value. Nothing is guessed: changes without a
    position are in the notes.

    Args:
      lowered: a stage lowered by `sdy.jax.jit` or `jax.jit`, from functions in files.
      to: the result of `sdy.cure` or `sdy.why`, a `sdy.auto.Plan`, or the program with other shardings.

    Returns:
      A `Patch`: a unified diff for `git apply`, and notes on the changes that it leaves out.

    Raises:
      OSError, SyntaxError: a source file cannot be read.
      TypeError: `lowered` is not a stage of JAX.
      ValueError: a plan that shards every value, made without ``annotate="minimal"``.
    """
    stages = sys.modules.get("jax.stages")
    if stages is None or not isinstance(lowered, stages.Lowered):
        raise TypeError(f"patch() takes what jit lowered, not {type(lowered).__name__}")
    own = compiled(lowered)
    before = own_copy(own.program, context=own.context)
    with before.context, exclusively(before.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        before = with_own_shardings(before, own.partitioning.options)
        found = written(before.operation)
        axes = axes_of(before)
        changed = after_changes(before, to)
    with changed.context, ir.Location.unknown():
        after, changed_axes = written(changed.operation), axes_of(changed)
    return _Patcher(lowered, found, after, axes or changed_axes).patch()


def after_changes(before: ir.Module, to: Changes | Annotated | AnyProgram) -> ir.Module:
    """Return the program with other shardings, which may be `before` itself, changed in place.

    Raises `ValueError` for a plan that says something of every value.
    """
    plan = getattr(to, "plan", to)
    if getattr(plan, "annotate", "minimal") in ("values", "full"):
        raise ValueError('the plan shards every value: make one with annotate="minimal"')
    if isinstance(plan, Changes):
        plan.apply(before)
        return before
    return own_copy(plan.text if isinstance(plan, Annotated) else plan)


def axes_of(module: ir.Module) -> dict[str, int]:
    """Return the sizes of the axes of the first mesh that has any."""
    meshes = [mesh for mesh in MeshTable(module.operation).by_name.values() if mesh.axes]
    return dict(meshes[0].axis_sizes) if meshes else {}


class _Patcher:
    """Writes the differences between two states of a program into its source files."""

    def __init__(self, lowered: jax.stages.Lowered, before: Written, after: Written, axes: dict[str, int]) -> None:
        self._lowered, self._before, self._after, self._axes = lowered, before, after, axes
        self._files: dict[str, SourceFile] = {}
        self._names: dict[str, Names] = {}

    def patch(self) -> Patch:
        notes = [*self._constraints(), *self._removed(), *self._placeless(), *self._boundaries()]
        text = "".join(file.diff(name_in_repository(file.path)) for file in self._files.values())
        return Patch(text, tuple(dict.fromkeys(notes)))

    def _file(self, path: str) -> SourceFile | None:
        if path not in self._files and os.path.isfile(path):
            self._files[path] = SourceFile(path)
            self._names[path] = Names(self._files[path], self._axes)
        return self._files.get(path)

    # Values ----------------------------------------------------------------------------------------

    def _constraints(self) -> Iterator[str]:
        """Wrap the expressions of values that need a constraint."""
        new = self._after.values - self._before.values
        forward = {(site.span, site.type) for site, _ in new if not site.is_gradient}
        wanted, totals = Counter[tuple[Site, Specs]](), Counter[Site]()
        for (site, specs), count in new.items():
            if site.is_gradient and (site.span, site.type) in forward:
                continue  # a constraint on a value is one on its gradient
            value = self._forward(site) if site.is_gradient else None
            wanted[_of_any_type(value or site), specs] += count
        for site, count in self._after.sites.items():
            totals[_of_any_type(site)] += count
        for (site, specs), count in wanted.items():
            yield from self._constrain(site, specs, count, totals[site])

    def _forward(self, site: Site) -> Site | None:
        """Return the forward value of a gradient, if its expression makes one value of that type."""
        key = site.span, site.type
        found = [one for one in self._after.sites if (one.span, one.type) == key and one.is_result]
        found = [one for one in found if not one.is_gradient]
        return found[0] if len(found) == 1 and self._after.sites[found[0]] == 1 else None

    def _constrain(self, site: Site, specs: Specs, count: int, total: int) -> Iterator[str]:
        file = self._file(site.span.file)
        node = None if file is None else file.expression(site.span)
        names = self._names.get(site.span.file)
        if file is None or node is None or names is None:
            yield f"{site.span}: constrain the result of {site.op}; there is no such expression in the file"
            return
        text = file.source(node)
        wanted = names.partition_spec(specs)
        if site.is_gradient:
            yield f"{site.span}: the gradient of `{text}` is to be {wanted}, which needs a constraint on a value"
        elif not site.is_result:
            yield f"{site.span}: {wanted} is meant for {site.op} within `{text}`"
        elif count < total:
            yield f"{site.span}: `{text}` makes {total} values, {count} of which are to be {wanted}"
        elif any(":" in axis for axes in specs for axis in axes):
            yield f"{site.span}: `{text}` is to be sharded over a part of an axis, which JAX cannot say"
        else:
            names.declare_mesh()
            file.wrap(node, "jax.lax.with_sharding_constraint(", f", {names.sharding(specs)})")

    def _removed(self) -> Iterator[str]:
        """Unwrap or change existing constraints."""
        gone, new = self._before.constraints - self._after.constraints, self._after.constraints
        totals = Counter[Site]()
        for (site, _), count in self._before.constraints.items():
            totals[site] += count
        for (site, _), count in gone.items():
            if site.is_gradient:
                continue
            file = self._file(site.span.file)
            node = None if file is None else file.expression(site.span)
            call = next(calls(node, "with_sharding_constraint"), None) if node is not None else None
            if file is None or call is None or len(call.args) < 2:
                yield f"{site.span}: change the constraint there"
            elif count < totals[site]:
                yield f"{site.span}: `{file.source(call)}` makes {totals[site]} constraints, {count} of which are to go"
            else:
                specs = next((specs for one, specs in new if one == site), None)
                if specs is None:
                    file.replace(call, file.source(call.args[0]))
                else:
                    file.replace(call.args[1], self._names[file.path].sharding(specs))

    def _placeless(self) -> Iterator[str]:
        """Yield a note for each sharding without a position in the user's files."""
        new = self._after.placeless - self._before.placeless
        for (what, specs), count in new.items():
            spec = ", ".join(map(dimension, specs))
            times = f", {count} times" if count > 1 else ""
            yield f"{what} is to be P({spec}){times}; no expression of your files makes it alone"

    # Arguments and results -------------------------------------------------------------------------

    def _boundaries(self) -> Iterator[str]:
        jit = self._jit()
        for keyword, leaves in (("in_shardings", self._arguments()), ("out_shardings", self._results())):
            if not any(leaf.is_changed for leaf in leaves):
                continue
            if jit is None:
                yield f"{keyword}: there is no single call of jit in the files of the program"
            else:
                path, call = jit
                if call.is_of_any:
                    yield f"{path}:{call.line}: jits what it is given, here with the shardings of {self._function}"
                names = self._names[path]
                yield from call.edit(keyword, leaves, _literal(leaves, self._tree(keyword), names), names)

    def _jit(self) -> tuple[str, JitCall] | None:
        """Return the call of `jit` in one of the program's files; first choice is one that names the function."""
        found = list[tuple[str, JitCall]]()
        for path in self._before.files:
            file = self._file(path)
            if file is not None:
                lines = {line for name, line in self._before.lines if name == path}
                found.append((path, JitCall(file, self._function, lines)))
        found = [(path, call) for path, call in found if call.count == 1]
        return min(found, key=lambda each: each[1].rank, default=None)

    @property
    def _function(self) -> str:
        return str(getattr(self._lowered._lowering, "_name", "")).removeprefix("jit(").removesuffix(")")

    def _tree(self, keyword: str) -> object:
        """Return the pytree of arguments or results, with a path in place of each leaf."""
        util = sys.modules["jax"].tree_util
        tree = self._lowered.in_avals[0] if keyword == "in_shardings" else self._lowered.out_info
        return util.tree_map_with_path(lambda path, _: _LeafPath(_keys(path)), tree)

    def _arguments(self) -> list[Leaf]:
        util = sys.modules["jax"].tree_util
        paths = [_keys(path[1:]) for path, _ in util.tree_flatten_with_path(self._lowered.in_avals)[0]]
        kept = getattr(self._lowered._lowering, "compile_args", {}).get("kept_var_idx")
        used = [path for number, path in enumerate(paths) if kept is None or number in kept]
        return _leaves(used, self._before.arguments, self._after.arguments)

    def _results(self) -> list[Leaf]:
        util = sys.modules["jax"].tree_util
        paths = [_keys(path) for path, _ in util.tree_flatten_with_path(self._lowered.out_info)[0]]
        return _leaves(paths, self._before.results, self._after.results)


def _of_any_type(site: Site) -> Site:
    """Return the site of all values of an expression, such as those of layers of several sizes in a loop."""
    return replace(site, type="")


def _leaves(
    paths: Sequence[TreePath], before: Mapping[str, Specs | None], after: Mapping[str, Specs | None]
) -> list[Leaf]:
    rows = zip(paths, before.items(), after.values(), strict=True)
    return [Leaf(path, name, old, old if new is None else new) for path, (name, old), new in rows]


def _keys(path: Sequence[object]) -> TreePath:
    """The keys of a path of JAX."""
    return tuple(next(getattr(key, name) for name in ("key", "idx", "name") if hasattr(key, name)) for key in path)


@dataclass(frozen=True, slots=True)
class _LeafPath:
    """The path of a leaf, in the place of the leaf."""

    keys: TreePath


def _literal(leaves: Sequence[Leaf], tree: object, names: Names) -> tuple[str, ...]:
    """Write a pytree as an expression; equal shardings of a branch are written once for the branch.

    Returns:
      A text; or an opening bracket, the elements, and a closing one; nothing if the tree has nodes of other classes.
    """
    known = {leaf.path: leaf.after for leaf in leaves}

    def text(node: object) -> str:
        below = {known.get(path) for path in _paths(node)}
        if len(below) <= 1:
            specs = next(iter(below), None)
            return "None" if specs is None else names.sharding(specs)
        first, *parts, last = elements(node)
        return f"{first}{', '.join(parts)}{',' if first == '(' and len(parts) == 1 else ''}{last}"

    def elements(node: object) -> tuple[str, ...]:
        if type(node) is dict:
            return "{", *(f"{_key(key)}: {text(value)}" for key, value in node.items()), "}"
        if type(node) is list or type(node) is tuple:
            first, last = "[]" if type(node) is list else "()"
            return first, *map(text, node), last
        raise _NoLiteral

    try:
        return (text(tree),) if isinstance(tree, _LeafPath) else elements(tree)
    except _NoLiteral:
        return ()


def _key(key: object) -> str:
    """Return the key of a dictionary as ruff formats it."""
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else repr(key)


class _NoLiteral(Exception):
    """A pytree has a node of a class of the user's."""


def _paths(node: object) -> Iterator[TreePath]:
    leaves: list[_LeafPath] = sys.modules["jax"].tree.leaves(node)
    return (leaf.keys for leaf in leaves)


def name_in_repository(path: str) -> str:
    """Return the path from the folder of the repository, or else from the file's own folder."""
    absolute = Path(path).resolve()
    root = next((folder for folder in absolute.parents if (folder / ".git").exists()), absolute.parent)
    return absolute.relative_to(root).as_posix()
