"""StableHLO's collectives (spec: sharding-rules, 4.1 and 4.6)."""

from __future__ import annotations

from sdy.dialect.ops.elementwise import Pointwise
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, OpSignature, RuleBuilder
from sdy.dialect.values.rule import ShardingRule


@op_model(
    "stablehlo.all_reduce",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.cross-replica-sum",
)
class PointwiseCollective(Pointwise):
    """Model of a collective through which every dimension passes."""


@op_model("stablehlo.all_gather")
class AllGather(OpModel):
    """Pointwise, except that the gathered dimension is replicated on both sides."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return _with_changed_dims(op, op.integer("all_gather_dim"))


@op_model("stablehlo.reduce_scatter")
class ReduceScatter(OpModel):
    """Pointwise, except that the scattered dimension is replicated on both sides."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return _with_changed_dims(op, op.integer("scatter_dimension"))


@op_model("stablehlo.all_to_all")
class AllToAll(OpModel):
    """Pointwise, except that the split and the concatenated dimension are replicated on both sides."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return _with_changed_dims(op, op.integer("split_dimension"), op.integer("concat_dimension"))


def _with_changed_dims(op: OpSignature, *changed: int) -> ShardingRule:
    rule = RuleBuilder(op)
    operand, result = op.operand(0), op.result(0)
    for dim, size in enumerate(operand):
        if dim not in changed:
            rule.align(dim, size)
    for dim in dict.fromkeys(changed):
        rule.align_operands(dim, operand[dim], NEED_REPLICATION)
        rule.align_results(dim, result[dim], NEED_REPLICATION)
    return rule.build()
