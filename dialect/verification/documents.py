"""Verification of attributes: of ops, in the text of a program, and of the edges of propagation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from sdy.dialect.assembly.positions import line_column
from sdy.dialect.data_flow import interface, owning_op
from sdy.dialect.definition.attributes import (
    SHARDING,
    SHARDING_RULE,
    ManualAxes,
    ShardingPerValue,
    ShardingRule,
    value_of,
)
from sdy.dialect.ops.notation import check_rule
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import EdgeNode, PropagationEdges
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.sharding_checks import Scope, Scopes, expect, manual_axis_in, value
from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, Position, Severity
from sdy.mlir.pdl import NOTHING, Operand, Patterns, PatternText, Signature, calling, count_ops, sample
from sdy.mlir.per_context import PerContext
from sdy.mlir.search import ops_with

_LARGE = 3000
"""Number of ops from which it pays to compile patterns."""

_UNKNOWN_SHARE = 0.1
"""Patterns that leave more of the ops are made anew."""


def check_ops(module: ir.Operation, scopes: Scopes, parents: Sequence[ir.Operation]) -> None:
    """Checks all ops that have a sharding or a rule; most of them are directly in regions of `parents`."""
    if not scopes.share_meshes:
        for op in ops_with(module, SHARDING, SHARDING_RULE):
            check_sharding_and_rule(op, scopes.around(op))
        return
    known = _known_in(module.context, scopes)
    for op in _unknown_ops(module, known, scopes, parents):
        known.check(op, scopes)


def _unknown_ops(
    module: ir.Operation, known: _Known, scopes: Scopes, parents: Sequence[ir.Operation]
) -> list[ir.Operation]:
    """Return the ops to check; in a large module without those that patterns recognize as valid."""
    count = count_ops(parents)
    if count < _LARGE:
        return ops_with(module, SHARDING, SHARDING_RULE)
    unknown = known.unknown(module)
    if unknown is None or len(unknown) > _UNKNOWN_SHARE * count:
        known.learn(sample(parents), scopes)
        unknown = known.unknown(module)
    return ops_with(module, SHARDING, SHARDING_RULE) if unknown is None else unknown


def check_sharding_and_rule(op: ir.Operation, scope: Scope) -> None:
    """Checks the list of shardings and the rule of an op; each combination of them with types once."""
    stored = op.attributes
    if SHARDING_RULE not in stored:
        scope.check_list(op, SHARDING, op.results.types)
        return
    key = _key(op)
    if key in scope.valid:
        return
    if SHARDING in stored:
        scope.check_list(op, SHARDING, op.results.types)
    check_rule(op, value(op, SHARDING_RULE, ShardingRule))
    scope.valid.add(key)


def _key(op: ir.Operation) -> tuple[int, ...]:
    """Return the key of the checks: addresses of attributes and types, with the number of operands between them."""
    stored = op.attributes
    operands = [address(operand.type) for operand in op.operands]
    values = address(stored.get(SHARDING)), address(stored.get(SHARDING_RULE)), len(operands)
    return (*values, *operands, *map(address, op.results.types))


# Ops that are alike ------------------------------------------------------------------------------


class _Known:
    """Attributes that are valid everywhere in modules with certain meshes and manual axes."""

    def __init__(self) -> None:
        self._keys: set[tuple[int, ...]] = set()
        self._patterns: Patterns | None = None
        """They "collect" the ops that are not like one of those that the patterns were made from."""

    def unknown(self, module: ir.Operation) -> list[ir.Operation] | None:
        """Return the ops that the patterns do not recognize; None without patterns."""
        if self._patterns is None:
            return None
        found: list[ir.Operation] = []
        self._patterns.apply(module, {"collect": lambda _rewriter, _results, ops: found.extend(ops)})
        return found

    def check(self, op: ir.Operation, scopes: Scopes) -> bool:
        """Check an op unless it is known to be valid; return whether all similar ops are known to be valid now."""
        key = _key(op)
        if key not in self._keys:
            check_sharding_and_rule(op, scopes.around(op))
            if not _uses_no_manual_axes(op, scopes):
                return False
            self._keys.add(key)
        return True

    def learn(self, sampled: Iterable[ir.Operation], scopes: Scopes) -> None:
        """Makes patterns from the valid ops of a sample."""
        concerned = [op for op in sampled if SHARDING in op.attributes or SHARDING_RULE in op.attributes]
        alike = {_key(op): op for op in concerned if self.check(op, scopes)}
        if alike:
            self._patterns = Patterns(concerned[0].context, _pattern_text(alike.values()), ["collect"])


_kept: PerContext[dict[Hashable, _Known]] = PerContext(dict)
"""Known results of a context, by meshes and manual axes."""

_KEPT = 4
"""Number of kept results: exported modules are verified with and without inlined meshes."""


def _known_in(context: ir.Context, scopes: Scopes) -> _Known:
    """Return the valid attributes of modules with these meshes and manual axes."""
    kept, surroundings = _kept.of(context), (tuple(scopes.outermost.meshes.by_name.items()), scopes.manual_names)
    if surroundings not in kept:
        if len(kept) == _KEPT:
            kept.clear()
        kept[surroundings] = _Known()
    return kept[surroundings]


def _uses_no_manual_axes(op: ir.Operation, scopes: Scopes) -> bool:
    """Return whether no sharding of an op uses an axis that is manual anywhere."""
    if not scopes.manual_names or SHARDING not in op.attributes:
        return True
    shardings = value_of(op.attributes[SHARDING]).shardings
    return all(manual_axis_in(sharding, scopes.manual_names) is None for sharding in shardings)


def _pattern_text(ops: Iterable[ir.Operation]) -> str:
    """Return patterns that skip ops similar to `ops`, and "collect" all others with one of the attributes.

    A pattern cannot express the absence of an attribute. So ops with both attributes come first, then the remaining ops
    with a rule.
    """
    text = PatternText()
    for op in ops:
        stored = op.attributes
        names = tuple(name for name in (SHARDING, SHARDING_RULE) if name in stored)
        attributes = tuple((name, stored[name]) for name in names)
        operands = tuple(Operand(value.type) for value in op.operands) if SHARDING_RULE in names else None
        text.add(Signature(None, attributes, operands, tuple(op.results.types)), _BENEFITS[names] + 1, NOTHING)
    for names, benefit in _BENEFITS.items():
        text.add(Signature(attributes=tuple((name, None) for name in names)), benefit, calling("collect"))
    return str(text)


_BENEFITS = {(SHARDING, SHARDING_RULE): 5, (SHARDING_RULE,): 3, (SHARDING,): 1}
"""Benefits of patterns for unknown ops, by their attributes; a known op is recognised first."""


class DocumentsScope(Scope):
    """A scope whose checks of meshes, shardings and manual computations follow the user's documents."""

    def of_module(self, module: ir.Operation) -> DocumentsScope:
        _check_device_counts(module)
        return DocumentsScope(MeshTable(module), self.manual)

    def inside(self, op: ir.Operation, axes: ManualAxes) -> DocumentsScope:
        _check_manual_computation(op, axes, self.meshes)
        return DocumentsScope(self.meshes, (*self.manual, (op, axes)))

    def check(self, op: ir.Operation, sharding: TensorSharding, type_: ir.Type, what: str = "") -> None:
        super().check(op, sharding, type_, what)
        self._check_sizes(op, sharding, type_, what)

    def check_all(
        self, op: ir.Operation, shardings: Sequence[TensorSharding], types: Sequence[ir.Type], what: str = ""
    ) -> None:
        super().check_all(op, shardings, types, what)
        for number, (sharding, type_) in enumerate(zip(shardings, types, strict=False)):
            self._check_sizes(op, sharding, type_, what if len(types) == 1 else f"{what}value number {number} ")

    def _check_sizes(self, op: ir.Operation, sharding: TensorSharding, type_: ir.Type, what: str) -> None:
        for dim, (axes, size) in enumerate(zip(sharding.dim_axes, self.info(type_).shape, strict=False)):
            if axes and size == 0:
                expect(op, f"has a sharding along dimension {dim} of size 0", what)


def _check_device_counts(module: ir.Operation) -> None:
    first: tuple[ir.Operation, Mesh] | None = None
    for nested in module.regions[0].blocks[0].operations:
        op = nested.operation
        if op.name != "sdy.mesh":
            continue
        mesh: Mesh = value(op, "mesh", Mesh)
        if not mesh.axes:
            continue
        if first is None:
            first = op, mesh
        elif mesh.size != first[1].size:
            raise DiagnosticError(
                op,
                f"has {mesh.size} devices; all meshes of a module have the same number",
                [(first[0].location, f"this one has {first[1].size}")],
            )


def _check_manual_computation(op: ir.Operation, manual: ManualAxes, meshes: MeshTable) -> None:
    shardings = [
        (f"{name}: {sharding} ", sharding)
        for name in ("in_shardings", "out_shardings")
        for sharding in value(op, name, ShardingPerValue).shardings
    ]
    common = meshes.common([sharding for _, sharding in shardings])
    mesh = None if common is None else meshes.resolve(common)
    if mesh is None:
        if shardings:
            expect(op, "has shardings on different meshes")
        return
    order = [axis.name for axis in mesh.axes if axis.name in manual.names]
    if order != list(manual.names):
        expect(op, f"has manual axes that are not in the order of the mesh, {', '.join(map(quote, order))}")
    for what, sharding in shardings:
        used = {axis.name for axis in sharding.axis_refs()}
        for name in manual.names:
            if name not in used:
                expect(op, f"neither shards along manual axis {quote(name)} nor is replicated along it", what)


_OPAQUE = lazy_pattern(r'"(?:[^"\\\n]|\\.)*"|//[^\r\n]*')
_DEVICE_IDS = lazy_pattern(r"\[\s*[^\s\[\]][^\[\]]*\]\s*,\s*device_ids\s*=\s*\[([\d\s,]+)\]")


def check_device_ids(text: str, filename: str = "-") -> None:
    """Refuses ordered device lists of meshes with axes; a parsed module omits them.

    Raises `DiagnosticErrors` at each.
    """
    code = _OPAQUE.sub(lambda found: "x" * len(found[0]), text)
    errors: list[Diagnostic] = []
    for found in _DEVICE_IDS.finditer(code):
        ids = found[1].split(",")
        if all(number.strip() == str(place) for place, number in enumerate(ids)):
            place = Position(filename, *line_column(text, found.start(1)))
            message = "device ids in order, 0, 1, and so on, are to be left out"
            errors.append(Diagnostic(Severity.ERROR, place, message))
    if errors:
        raise DiagnosticErrors(errors)


EDGES = "sdy.propagation_edges"
LISTS_OF_EDGES = ("sdy.result_propagation_edges", "sdy.block_arg_propagation_edges")
_EDGE_OPS = ("sdy.func_data_flow_edge", "sdy.data_flow_edge")
RECORDS = (EDGES, *LISTS_OF_EDGES)


def check_records(op: ir.Operation, scope: Scope) -> None:
    """Check all records of an op."""
    if EDGES in op.attributes:
        check_edges(op, scope)
    for name in LISTS_OF_EDGES:
        if name in op.attributes:
            check_lists_of_edges(op, name)


def check_edges(op: ir.Operation, scope: Scope) -> None:
    """Checks that the record of an op refers to its operands and results, and to axes of their mesh."""
    edges: PropagationEdges = value(op, EDGES, PropagationEdges)
    expect(op, check_built(edges))
    entries = [entry for step in edges for entry in step.axis_entries]
    refs = [ref for entry in entries for ref in (entry.source, *entry.targets)]
    operands = _sources(op) if op.name == "sdy.data_flow_edge" else list(op.operands)
    values = {EdgeNode.OPERAND: operands, EdgeNode.RESULT: list(op.results)}
    shardings = [get_sharding(values[ref.node][ref.index]) for ref in refs if 0 <= ref.index < len(values[ref.node])]
    present = [sharding for sharding in shardings if sharding is not None]
    if not present:
        expect(op, "has propagation edges, but none of the values they refer to has a sharding")
    common = scope.meshes.common(present)
    mesh = None if common is None else scope.meshes.resolve(common)
    if mesh is None:
        expect(op, "has propagation edges between values on different meshes")
        return
    for entry in entries:
        if entry.axis.name not in mesh.axis_sizes:
            expect(op, f"has a propagation edge of axis {quote(entry.axis.name)}, which the mesh does not have")
        for ref in (entry.source, *entry.targets):
            # On an edge the record counts sources and targets of the edge; the op has one operand and result for them.
            if ref.index < 0 or (ref.index >= len(values[ref.node]) and op.name not in _EDGE_OPS):
                expect(op, f"has a propagation edge at {ref}, which it does not have")


def check_lists_of_edges(op: ir.Operation, name: str) -> None:
    """Checks the records of a data-flow op: one per owner."""
    found = op.attributes[name]
    if not isinstance(found, ir.ArrayAttr):
        expect(op, f"has an attribute '{name}' that is not an array")
    for element in found:
        if type(element).__name__ != "PropagationEdgesAttr":
            expect(op, f"has an attribute '{name}' with an element that is not 'propagation_edges'")


def check_built(edges: PropagationEdges) -> str | None:
    """Return the error of a record on any op; None if there is none."""
    seen: set[int] = set()
    for step in edges:
        if step.step_index < 0:
            return f"has propagation edges with the negative step {step.step_index}"
        if step.step_index in seen:
            return f"has propagation edges with step {step.step_index} twice"
        seen.add(step.step_index)
        for entry in step.axis_entries:
            if entry.source in entry.targets:
                return f"has a propagation edge from {entry.source} to itself"
            if len(set(entry.targets)) < len(entry.targets):
                return f"has a propagation edge with a target twice: {entry}"
    return None


def _sources(edge: ir.Operation) -> list[ir.Value]:
    """Return the sources of the edge that `edge` represents."""
    owner = edge.operands[0]
    op = owning_op(owner)
    flow = None if op is None else interface(op)
    if flow is None or all(owner != each for each in (*flow.block_arg_owners(), *flow.result_owners())):
        expect(edge, "has propagation edges, but its input owns no data-flow edge")
        return []
    return [use.value for use in flow.sources(owner)]
