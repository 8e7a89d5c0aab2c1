"""sdy ops that say how a value is laid out without being collectives (spec: partitioner, 6 and 10.2)."""

from __future__ import annotations

from sdy.passes.partitioning.emit.gather_and_slice import as_partial, relayout
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering


@local_lowering(
    "sdy.reshard",
    "sdy.sharding_constraint",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.propagation_barrier",
)
def move(op: LocalOp) -> None:
    """The operand, gathered and sliced where its layout is another one."""
    have, want = op.operand_layouts[0], op.result_layouts[0]
    moved = relayout(op.comm, op.b, op.operands[0], have, want, op.op)
    op.replace(as_partial(op.comm, op.b, moved, have, want))


@local_lowering("sdy.sharding_group")
def sharding_group(op: LocalOp) -> None:
    """Has done its duty in propagation."""
    op.op.erase()
