"""sdy ops that say how a value is laid out without being collectives (spec: partitioner, 6 and 10.2)."""

from __future__ import annotations

from sdy.dialect.ir_builders.gather_and_slice import as_partial, relayout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.rules.builder import pointwise
from sdy.dialect.values.rule import ShardingRule


@op_model("sdy.data_flow_edge", "sdy.func_data_flow_edge", "sdy.propagation_barrier")
class Move(OpModel):
    """The operand, gathered and sliced where its layout is another one."""

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        move(op)


@op_model("sdy.reshard")
class Reshard(Move):
    """Moves its operand to another sharding."""

    def grows(self, op: ShardedOp) -> bool:
        if not op.is_padded_alike:
            op.fail("moves a value to devices among which it has to be padded in another way")
        return True


@op_model("sdy.sharding_constraint")
class ShardingConstraint(Move):
    """As a reshard; every dimension passes through."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise(op)


@op_model("sdy.sharding_group")
class ShardingGroup(OpModel):
    """Has done its duty in propagation."""

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        op.op.erase()


def move(op: LocalOp) -> None:
    """The operand, gathered and sliced where its layout is another one."""
    have, want = op.operand_layouts[0], op.result_layouts[0]
    moved = relayout(op.comm, op.b, op.operands[0], have, want, op.op)
    op.replace(as_partial(op.comm, op.b, moved, have, want))
