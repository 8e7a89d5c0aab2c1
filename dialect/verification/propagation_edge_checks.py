"""Verification of the records of propagation (spec: dialect, 10)."""

from __future__ import annotations

from sdy.dialect.data_flow import interface, owning_op
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import quote
from sdy.dialect.values.propagation_edges import EdgeNode, PropagationEdges
from sdy.dialect.verification.checked_attributes import expect, value
from sdy.dialect.verification.scope import Scope
from sdy.mlir import ir

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
