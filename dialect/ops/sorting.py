"""Ops that order elements (spec: sharding-rules, 4.4; partitioner, 4)."""

from __future__ import annotations

from sdy.dialect.lowering.generic_lowering import AlignedOp
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, OpSignature, RuleBuilder, sliced_rule
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.stablehlo import views


@op_model("stablehlo.sort")
class Sort(AlignedOp):
    """Pointwise; the sorted dimension is whole on every device."""

    def rule(self, op: OpSignature) -> ShardingRule:
        """Pointwise; the sorted dimension is replicated, and blocked if no other dimension can be sharded.

        A negative dimension (the default) means none: all dimensions are plain.
        """
        rule = RuleBuilder(op)
        sorted_dim = op.integer("dimension", default=-1)
        shape = op.operand(0)
        blocked = all(size == 1 for dim, size in enumerate(shape) if dim != sorted_dim)
        for dim, size in enumerate(shape):
            if dim == sorted_dim:
                rule.align(dim, size, NEED_REPLICATION, blocked)
            else:
                rule.align(dim, size)
        return rule.build()

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """The sorted dimension; by default the last."""
        return [views.Sort(op.op).dimension % op.result_layouts[0].rank]

    def pad(self, op: PadOp) -> None:
        """Padding must not get between the sorted elements."""
        sorted_dim = views.Sort(op.op).dimension % op.result_layouts[0].rank
        if any(sorted_dim in op.grown_dims(index) for index in range(len(op.operand_layouts))):
            op.compute_unpadded()
        else:
            op.grow()


@op_model("chlo.top_k")
class TopK(OpModel):
    """The last dimension is searched as a whole."""

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        *batch, searched = op.operand(0)
        for dim, size in enumerate(batch):
            rule.align(dim, size)
        last = len(batch)
        rule.factor(searched, {0: last}, kind=NEED_REPLICATION)
        rule.factor(op.result(0)[last], results={0: last, 1: last}, kind=NEED_REPLICATION)
        return rule.build()


@op_model(custom_call=("mhlo.topk", "TopK"))
class TopKCall(OpModel):
    """Pointwise; a sliced dimension is replicated, and no axis is propagated along it. The indices are scalars."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return sliced_rule(op, NEED_REPLICATION, blocked=True)

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        del op
        return frozenset(factor for mapping in rule.tensors for dim in mapping[-1:] for factor in dim)


@op_model(custom_call=("ApproxTopK", "PartialReduce"))
class PartialReduce(OpModel):
    """Values and their indices along with two scalars."""

    def rule(self, op: OpSignature) -> ShardingRule:
        """Values and their indices along with two scalars.

        Pointwise, except that the reduced dimension is replicated and blocked in the results and has a separate factor
        in the operands.
        """
        rule = RuleBuilder(op)
        for dim, (size, reduced_size) in enumerate(zip(op.operand(0), op.result(0), strict=True)):
            if size == reduced_size:
                rule.align(dim, size)
            else:
                rule.factor(size, {0: dim, 1: dim})
                rule.factor(reduced_size, {}, {0: dim, 1: dim}, NEED_REPLICATION, blocked=True)
        return rule.build()
