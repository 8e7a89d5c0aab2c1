"""`sdy.explicit_patch`: the edits with which a program traces on a mesh with explicit axes.

JAX is the judge: the program is traced, each error leads to the expression that raised it, and of the annotations that
its place allows the first one that gets tracing further is kept. Shardings are those that propagation gives the values.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import sdy
from sdy.dialect.context import exclusively
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.patches.live_code import LiveCode, Outcome, Place, operands_of
from sdy.patches.patch import Annotated, Changes, Patch, after_changes, axes_of, name_in_repository
from sdy.patches.source_edits import Names, SourceFile, assigned, calls, carried, dimension
from sdy.patches.written_shardings import Specs, Written, written
from sdy.programs.given_modules import compiled, own_copy, with_own_shardings
from sdy.programs.sources import AnyProgram

if TYPE_CHECKING:
    import jax.stages

Files = dict[str, SourceFile]
Arrays = Sequence[tuple[ast.expr, Sequence[int], Specs]]
"""Operands that are arrays, with their shapes and axes."""

Run = Callable[[], "jax.stages.Lowered | None"]

_DIMS = re.compile(r"tensor<((?:\d+x)*)")


def explicit_patch(
    jitted: jax.stages.Wrapped, arguments: Sequence[Any], to: Changes | Annotated | AnyProgram | None = None
) -> Patch:
    """Write the annotations with which a program traces on a mesh whose axes are explicit.

    Edits are the kind of axes of the mesh, `out_sharding` of products, gathers and reshapes, and `jax.sharding.reshard`
    around operands; constraints become reshards. The function is traced again and again with the edits, without a
    change on disk; JAX forgets what it has traced and compiled before.

    Args:
      jitted: the result of `jax.jit`, of a function in a file, with shardings on a mesh whose axes are automatic.
      arguments: its arguments, arrays or shapes; none of them static.
      to: as for `sdy.patch`, where values are to have other shardings than propagation gives them.

    Returns:
      The patch. A note says where tracing ends if no annotation at that place gets it further.

    Raises:
      OSError, SyntaxError: a source file cannot be read.
      TypeError: `jitted` is not jitted.
      ValueError: the program has no mesh.
    """
    function = getattr(jitted, "__wrapped__", None)
    if function is None or not hasattr(jitted, "lower"):
        raise TypeError(f"explicit_patch() takes what jax.jit returned, not {type(jitted).__name__}")
    lowered = jitted.lower(*arguments)
    own = compiled(lowered)
    module = own_copy(own.program, context=own.context)
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        module = with_own_shardings(module, own.partitioning.options)
        given = written(module.operation)
        files, is_meshed = _files(function, given), bool(axes_of(module))
        if to is not None:
            module = after_changes(module, to)
        axes, results = axes_of(module), written(module.operation).results
    with module.context, ir.Location.unknown(), collecting(lambda diagnostic: None):
        sdy.run(module, "sdy-propagation-pipeline")
        found = written(module.operation)
    if not axes:
        raise ValueError("the program has no mesh; shard its arguments, or hand over a plan")
    shapes = _explicit_arguments(lowered, arguments, found, axes)
    dims = [leaf.shape for leaf in sys.modules["jax"].tree.leaves(lowered.out_info)]
    ends = [
        None if specs is None else _sharding(specs, shape, axes)
        for specs, shape in zip(results.values(), dims, strict=True)
    ]
    run = partial(_lower, function, shapes, lowered.out_tree.unflatten(ends), axes)
    patch = _Migration(files, found, axes, is_meshed).patch(run, lambda: _sent(lowered if to is None else module))
    return replace(patch, notes=(*patch.notes, *_handed_over(given, found)))


def _handed_over(given: Written, found: Written) -> Iterator[str]:
    """Yield a note for each argument whose sharding no expression of the program sets."""
    for (name, before), after in zip(given.arguments.items(), found.arguments.values(), strict=True):
        if before is None and after is not None and any(after):
            yield f"hand over {name} as P({', '.join(map(dimension, after))})"


def _files(function: Callable[..., Any], found: Written) -> list[str]:
    """Return the files of the function and of the expressions that make values."""
    own = getattr(inspect.unwrap(function), "__code__", None)
    made = [site.span.file for site in found.sites]
    return [*dict.fromkeys([*([own.co_filename] if own is not None else []), *made])]


def _explicit_arguments(
    lowered: jax.stages.Lowered, arguments: Sequence[Any], found: Written, axes: Mapping[str, int]
) -> Any:
    """Return the arguments as shapes with their propagated shardings."""
    jax = sys.modules["jax"]
    leaves, tree = jax.tree.flatten(tuple(arguments))
    kept = getattr(lowered._lowering, "compile_args", {}).get("kept_var_idx")
    specs = iter(found.arguments.values())
    shapes = []
    for number, leaf in enumerate(leaves):
        own = next(specs) if kept is None or number in kept else None
        shape = jax.typeof(leaf) if not hasattr(leaf, "shape") else leaf
        sharding = _sharding(own or (), shape.shape, axes)
        shapes.append(jax.ShapeDtypeStruct(shape.shape, shape.dtype, sharding=sharding))
    return jax.tree.unflatten(tree, shapes)


def _sharding(specs: Specs, shape: Sequence[int], axes: Mapping[str, int]) -> Any:
    jax = sys.modules["jax"]
    spec = jax.sharding.PartitionSpec(*fitting(specs, shape, axes))
    return jax.sharding.NamedSharding(_mesh(axes), spec)


def _mesh(axes: Mapping[str, int]) -> Any:
    jax = sys.modules["jax"]
    kinds = (jax.sharding.AxisType.Explicit,) * len(axes)
    return jax.sharding.AbstractMesh(tuple(axes.values()), tuple(axes), axis_types=kinds)


def _lower(function: Callable[..., Any], shapes: Any, ends: Any, axes: Mapping[str, int]) -> jax.stages.Lowered | None:
    """Trace and lower a function anew on explicit axes; None if that needs devices."""
    jax = sys.modules["jax"]
    jax.clear_caches()  # which know functions by identity, not by what they do
    with jax.sharding.use_abstract_mesh(_mesh(axes)):
        traced = jax.jit(lambda *given: function(*given), out_shardings=ends).trace(*shapes)
        try:
            return traced.lower(lowering_platforms=("cpu",))
        except ValueError as error:
            if "require devices" in str(error):
                return None
            raise


def fitting(specs: Specs, shape: Sequence[int], axes: Mapping[str, int]) -> Specs:
    """Drop axes that JAX cannot express on explicit axes: parts of axes, and axes that do not divide a dimension."""
    found = []
    for dim, names in zip(shape, specs, strict=False):
        kept, parts = list[str](), 1
        for name in names:
            if name not in axes or dim % (parts * axes[name]):
                break
            kept.append(name)
            parts *= axes[name]
        found.append(tuple(kept))
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _is_further(after: Outcome, before: Outcome) -> bool:
    """Return whether a run gets further; in the backward pass, which counts no steps, whether the error differs."""
    if after.error is None or after.steps > before.steps:
        return True
    is_another = (set(after.places), str(after.error)) != (set(before.places), str(before.error))
    return before.is_backward and after.is_backward and after.steps == before.steps and is_another


@dataclass(frozen=True)
class _Edit:
    """An annotation of some expressions of a file."""

    nodes: Sequence[ast.expr]
    make: Callable[[SourceFile, Names], None]


@dataclass(frozen=True)
class _Migration:
    """Edits that make a program trace."""

    paths: Sequence[str]
    found: Written
    axes: Mapping[str, int]
    is_meshed: bool
    files: Files = field(default_factory=dict)
    edited: set[Place] = field(default_factory=set)

    def patch(self, run: Run, sent: Callable[[], float]) -> Patch:
        for path in self.paths:
            self.files[path] = SourceFile(path)
            for call in calls(self.files[path].tree, "with_sharding_constraint"):
                self.files[path].replace(call.func, "jax.sharding.reshard")
        notes = list[str]()
        with LiveCode(self.files) as live:
            outcome = live.outcome(self.files, run)
            while outcome.error is not None:
                better = self._further(live, outcome, run)
                if better is None:
                    notes.append(self._note(outcome))
                    break
                outcome = better
        if outcome.error is None:
            notes += _more_bytes(sent(), outcome.result)
        notes += self._meshes()
        text = "".join(file.diff(name_in_repository(path)) for path, file in self.files.items())
        return Patch(text, tuple(notes))

    def _further(self, live: LiveCode, outcome: Outcome, run: Run) -> Outcome | None:
        """Keep the first edit that gets tracing further, and return how far."""
        for path, edit in (each for place in outcome.places for each in self._edits(place, outcome.operands)):
            before = self.files[path]
            self.files[path] = before.copy()
            edit.make(self.files[path], Names(before, dict(self.axes)))
            after = live.outcome(self.files, run)
            if _is_further(after, outcome):
                self.edited.update(self._at(path, node) for node in edit.nodes)
                return after
            self.files[path] = before
        return None

    def _note(self, outcome: Outcome) -> str:
        said = str(outcome.error).strip().partition("\n")[0]
        if not outcome.places:
            return f"tracing ends outside of the files of the program: {said}"
        path, begin, _ = outcome.places[0]
        line = self.files[path].text.count("\n", 0, begin) + 1
        nodes = [node for node in map(self._node, outcome.places) if node is not None]
        several = {specs for node in nodes for _, specs in self._values(node)}
        is_again = any(place in self.edited for place in outcome.places)
        why = f"; it makes values of {len(several)} shardings" if is_again and len(several) > 1 else ""
        return f"{path}:{line}: no annotation here gets tracing further{why}: {said}"

    # Edits -----------------------------------------------------------------------------------------

    def _edits(self, place: Place, operands: Mapping[Place, Any]) -> Iterator[tuple[str, _Edit]]:
        """Yield the untried edits of one expression with its file, those that send least first."""
        node = self._node(place)
        if node is None:
            return
        path = place[0]
        given = [(one, *_type(operands.get(self._at(path, one)))) for one in operands_of(node)]
        arrays = [(one, shape, specs) for one, shape, specs in given if shape is not None and specs is not None]
        wanted = dict.fromkeys(fitting(specs, dims, self.axes) for dims, specs in self._values(node))
        results = (edit for specs in wanted for edit in _results(node, specs))
        carries, reshards = self._carries(path, node, arrays, operands), self._reshards(path, node, arrays)
        for edit in chain(results, carries, reshards, _results(node, ())):
            if not any(self._at(path, one) in self.edited for one in edit.nodes):
                yield path, edit

    def _reshards(self, path: str, node: ast.expr, arrays: Arrays) -> Iterator[_Edit]:
        """Yield reshards of operands: to their own shardings, the result's, each other's, and off single dimensions."""
        wishes = list[list[tuple[ast.expr, Specs]]]()
        own = [(one, specs) for one, shape, _ in arrays for specs in self._own(path, one, shape)]
        wishes += [own, *([each] for each in own)]
        for dims, specs in self._values(node):
            aligned = [(one, _aligned(specs, dims, shape)) for one, shape, _ in arrays]
            wishes += [aligned, *([each] for each in aligned)]
        for one, shape, _ in arrays:
            peers = [(dims, specs) for _, dims, specs in arrays if len(dims) == len(shape)]
            wishes += [[(one, _aligned(specs, dims, shape))] for dims, specs in peers]
            wishes += [[(each, _common(peers)) for each, dims, _ in arrays if len(dims) == len(shape)]]
        for one, _, specs in arrays:
            for dim in reversed(range(len(specs))):
                wishes.append([(one, (*specs[:dim], (), *specs[dim + 1 :]))])
        wishes += [[(one, ())] for one, _, _ in arrays] + [[(one, ()) for one, _, _ in arrays]]
        present = {one: specs for one, _, specs in arrays}
        shapes = {one: shape for one, shape, _ in arrays}
        tried = set[tuple[tuple[int, Specs], ...]]()
        for wish in wishes:
            fit = [(one, fitting(specs, shapes[one], self.axes)) for one, specs in wish]
            todo = [(one, specs) for one, specs in fit if specs != present[one]]
            key = tuple((id(one), specs) for one, specs in todo)
            if todo and key not in tried:
                tried.add(key)
                yield _resharding(todo)

    def _carries(self, path: str, node: ast.expr, arrays: Arrays, operands: Mapping[Place, Any]) -> Iterator[_Edit]:
        """Yield reshards of the results of a loop's body to the shardings of the initial values."""
        present = {id(one): specs for one, _, specs in arrays}
        pairs = list[tuple[ast.expr, Specs]]()
        for begin, end in carried(self.files[path].tree, node):
            specs = present.get(id(begin), _type(operands.get(self._at(path, begin)))[1])
            after = _type(operands.get(self._at(path, end)))[1]
            if specs is not None and specs != after:
                pairs.append((end, specs))
        if pairs:
            yield _resharding(pairs)
        yield from (_resharding([pair]) for pair in pairs[1:] + pairs[:1])

    def _own(self, path: str, node: ast.expr, shape: Sequence[int]) -> Iterator[Specs]:
        """Yield the propagated shardings of an expression's values, or of a name's assigned values."""
        made = assigned(self.files[path].tree, node) if isinstance(node, ast.Name) else node
        if made is not None:
            values = self._values(made)
            yield from (specs for dims, specs in values if tuple(dims) == tuple(shape))

    def _values(self, node: ast.expr) -> list[tuple[tuple[int, ...], Specs]]:
        """Return the most frequent shape and axes of an expression's values."""
        position = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        found = [
            ((_shape(site.type), specs), site.is_result, count)
            for (site, specs), count in self.found.values.items()
            if not site.is_gradient
            and (site.span.line, site.span.column, site.span.end_line, site.span.end_column) == position
        ]
        results = [(value, count) for value, is_result, count in found if is_result]
        return [value for value, _ in sorted(results, key=lambda each: -each[1])]

    def _node(self, place: Place) -> ast.expr | None:
        path, begin, end = place
        file = self.files[path]
        nodes = (node for node in ast.walk(file.tree) if isinstance(node, ast.expr))
        return next((node for node in nodes if file.range(node) == (begin, end)), None)

    def _at(self, path: str, node: ast.expr) -> Place:
        return path, *self.files[path].range(node)

    # Meshes ----------------------------------------------------------------------------------------

    def _meshes(self) -> Iterator[str]:
        """Make the axes of meshes explicit; yield a note where no file sets one for tracing."""
        made = [(file, call) for file in self.files.values() for call in calls(file.tree, "make_mesh", "Mesh")]
        made = [(file, call) for file, call in made if _has_axes(call, self.axes)]
        for file, call in made:
            given = next((each.value for each in call.keywords if each.arg == "axis_types"), None)
            if given is None:
                file.append(call, f"axis_types=(jax.sharding.AxisType.Explicit,) * {len(self.axes)}")
            for node in ast.walk(given) if given is not None else ():
                if isinstance(node, ast.Attribute) and node.attr == "Auto":
                    file.replace(node, f"{file.source(node.value)}.Explicit")
            statement = file.parents[call]
            if isinstance(statement, ast.Assign) and statement in file.tree.body:
                (target,) = statement.targets
                assert isinstance(target, ast.expr), "an assignment has expressions on its left"
                file.insert_below(statement, f"jax.set_mesh({file.source(target)})")
                return
        if not made and not self.is_meshed:
            file = next(iter(self.files.values()))
            Names(file, dict(self.axes)).declare_mesh("Explicit", is_set=True)
            return
        if not made:
            yield "give the mesh axis_types=(jax.sharding.AxisType.Explicit,) * n where it is made"
        yield "trace and run it within `with jax.set_mesh(mesh):`"


def _sent(program: jax.stages.Lowered | ir.Module) -> float:
    """Return the bytes that each device sends."""
    return sdy.communication(program, options=sdy.PartitionOptions(embedded=True)).bytes_sent


def _more_bytes(before: float, after: jax.stages.Lowered | None) -> Iterator[str]:
    """Yield a note if the program sends more on explicit axes, where some JAX ops need unsharded dimensions."""
    if after is None:
        yield "what it sends on explicit axes is not known: it has ops that need devices to be lowered"
        return
    sent = _sent(after)
    if sent > before:
        yield f"each device sends {sent:,.0f} bytes on explicit axes, {before:,.0f} before"


def _has_axes(call: ast.Call, axes: Mapping[str, int]) -> bool:
    """Return whether a call that makes a mesh names these axes, or none by literals."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    literals = [node.value for each in given for node in ast.walk(each) if isinstance(node, ast.Constant)]
    names = [each for each in literals if isinstance(each, str)]
    return names == [*axes] if names else len(call.args) > 1 and not isinstance(call.args[1], (ast.Tuple, ast.List))


def _shape(type_: str) -> tuple[int, ...]:
    found = _DIMS.match(type_)
    return tuple(map(int, found[1].split("x")[:-1])) if found else ()


def _type(value: Any) -> tuple[tuple[int, ...] | None, Specs | None]:
    """Return the shape of an array, and its axes on the explicit mesh."""
    jax = sys.modules["jax"]
    if not isinstance(value, jax.Array):
        return None, None
    kind = jax.typeof(value)
    dims = tuple(() if dim is None else (dim,) if isinstance(dim, str) else tuple(dim) for dim in kind.sharding.spec)
    return tuple(kind.shape), fitting(dims, kind.shape, dict(kind.sharding.mesh.shape))


def _aligned(specs: Specs, dims: Sequence[int], shape: Sequence[int]) -> Specs:
    """Return the axes of an operand that is broadcast to a result."""
    padded = [*specs, *[()] * (len(dims) - len(specs))]
    pairs = zip(reversed(shape), [*zip(reversed(dims), reversed(padded), strict=True)], strict=False)
    return tuple(reversed([axes if size == dim else () for size, (dim, axes) in pairs]))


def _common(values: Sequence[tuple[Sequence[int], Specs]]) -> Specs:
    """Return the axes of dimensions that are equal in all values, which have one rank."""
    rows = [[*zip(dims, [*specs, *[()] * (len(dims) - len(specs))], strict=True)] for dims, specs in values]
    return tuple(
        axes if all(row[dim] == (size, axes) for row in rows) else () for dim, (size, axes) in enumerate(rows[0])
    )


def _results(node: ast.expr, specs: Specs) -> Iterator[_Edit]:
    """Yield edits that set the sharding of an expression's result."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield _Edit([node], lambda file, names: _product(node, specs, file, names))
    elif isinstance(node, ast.Subscript):
        yield _Edit([node], lambda file, names: _indexing(node, specs, file, names))
    elif isinstance(node, ast.Call) and not any(each.arg == "out_sharding" for each in node.keywords):
        yield _Edit([node], lambda file, names: file.append(node, f"out_sharding={names.partition_spec(specs)}"))


def _product(node: ast.BinOp, specs: Specs, file: SourceFile, names: Names) -> None:
    file.replace_between(node.left, node.right, "@", ", ")
    file.wrap(node, f"{names.module('jax.numpy')}.matmul(", f", out_sharding={names.partition_spec(specs)})")


def _indexing(node: ast.Subscript, specs: Specs, file: SourceFile, names: Names) -> None:
    file.insert_behind(node.value, ".at")
    file.wrap(node, "", f".get(out_sharding={names.partition_spec(specs)})")


def _resharding(todo: Sequence[tuple[ast.expr, Specs]]) -> _Edit:
    def edit(file: SourceFile, names: Names) -> None:
        for node, specs in todo:
            file.wrap(node, "jax.sharding.reshard(", f", {names.partition_spec(specs)})")

    return _Edit([node for node, _ in todo], edit)
