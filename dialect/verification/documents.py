"""Verification of attributes in the text of a program, and of the edges of propagation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdy.dialect.assembly.positions import line_column
from sdy.dialect.data_flow import interface, owning_op
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import EdgeNode, PropagationEdges
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.scope import Scope, expect, value
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, Position, Severity


class DocumentsScope(Scope):
    """A scope in which meshes, shardings and manual computations are as the documents want them."""

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


_OPAQUE = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_DEVICE_IDS = re.compile(r"\[\s*[^\s\[\]][^\[\]]*\]\s*,\s*device_ids\s*=\s*\[([\d\s,]+)\]")


def check_device_ids(text: str, filename: str = "-") -> None:
    """Refuses lists of devices of meshes with axes that are in order; in a module that is parsed they are left out.

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
    """All records of an op."""
    if EDGES in op.attributes:
        check_edges(op, scope)
    for name in LISTS_OF_EDGES:
        if name in op.attributes:
            check_lists_of_edges(op, name)


def check_edges(op: ir.Operation, scope: Scope) -> None:
    """The record of an op refers to operands and results that it has, and to axes of their mesh."""
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
    """The records of a data-flow op: one per owner."""
    found = op.attributes[name]
    if not isinstance(found, ir.ArrayAttr):
        expect(op, f"has an attribute '{name}' that is no array")
    for element in found:
        if type(element).__name__ != "PropagationEdgesAttr":
            expect(op, f"has an attribute '{name}' with an element that is no 'propagation_edges'")


def check_built(edges: PropagationEdges) -> str | None:
    """What is wrong with the record whatever op it is on; None if nothing is."""
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
    """What flows into the edge that `edge` holds the sharding of."""
    owner = edge.operands[0]
    op = owning_op(owner)
    flow = None if op is None else interface(op)
    if flow is None or all(owner != each for each in (*flow.block_arg_owners(), *flow.result_owners())):
        expect(edge, "has propagation edges, but its input owns no data-flow edge")
        return []
    return [use.value for use in flow.sources(owner)]
