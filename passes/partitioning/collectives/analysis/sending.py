"""Bytes that collectives send."""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, difference, product
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.passes.costs.machine import moved_bytes

FREE = frozenset({"sdy.all_slice", "sdy.replicated_to_unreduced", "sdy.sharded_to_unreduced"})
"""Collectives that only say that a device goes on with a part of what it has."""

SENDING = COLLECTIVES - FREE


def sent_bytes(op: ir.Operation, layouts: Layouts) -> float:
    """Return the bytes that each device sends for a collective, by ring algorithms over the groups of the axes."""
    operand, result = map(layouts.of_value, (op.operands[0], op.results[0]))
    before, after = operand.local_bytes, result.local_bytes
    kind, mesh = op.name.removeprefix("sdy."), result.mesh
    assert mesh is not None
    if kind == "all_gather":
        group = round(after / before) if before else 1
    elif kind == "reduce_scatter":
        group = round(before / after) if after else 1
    elif kind == "all_reduce":
        group = product(attributes.get(op, "reduction_axes").axes, mesh.axis_sizes)
    elif kind == "all_to_all":
        group = product([axis for param in attributes.get(op, "params") for axis in param.axes], mesh.axis_sizes)
    else:
        group = mesh.size
    return moved_bytes(kind, group, before)


def summed_axes(op: ir.Operation) -> AxisList:
    """Return the axes along which an `sdy.all_reduce` or `sdy.reduce_scatter` sums."""
    if op.name == "sdy.all_reduce":
        return attributes.get(op, "reduction_axes").axes
    return tuple(axis for axes in attributes.get(op, "reduce_scatter_axes").lists for axis in axes)


def is_looked_up(op: ir.Operation, axes: AxisList) -> bool:
    """Return whether `op`, a reduction over `axes`, sums lookups in a sharded table, which have no other use.

    One device has the element then, and the others have zeros.
    """
    value = op.operands[0]
    if not isinstance(value, ir.OpResult) or value.owner.operation.name != "stablehlo.gather":
        return False
    table, found = get_sharding(value.owner.operation.operands[0]), get_sharding(value)
    if table is None or found is None or table.unreduced or found.reduction is not Reduction.SUM:
        return False
    mesh = of_module(MeshTable, op).of(found)
    if mesh is None or difference(axes, found.unreduced, mesh.axis_sizes):
        return False
    return op.attributes["reduction_op"].value == Reduction.SUM.value and len(uses_of(value)) == 1
