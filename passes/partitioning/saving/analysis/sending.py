"""Which collectives send anything, and how much."""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition import attributes
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.values.axes import product
from sdy.mlir import ir
from sdy.passes.costs.collective_cost import moved_bytes

FREE = frozenset({"sdy.all_slice", "sdy.replicated_to_unreduced", "sdy.sharded_to_unreduced"})
"""Collectives that only say that a device goes on with a part of what it has."""

SENDING = COLLECTIVES - FREE


def sent_bytes(op: ir.Operation, layouts: Layouts) -> float:
    """What each device sends for a collective, by the ring algorithms; groups are those of the axes."""
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
