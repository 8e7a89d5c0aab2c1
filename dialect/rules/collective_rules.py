"""StableHLO's collectives (spec: sharding-rules, 4.1 and 4.6)."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, RuleBuilder, pointwise
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule

built_in_rule(
    "stablehlo.all_reduce",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.cross-replica-sum",
)(pointwise)


@built_in_rule("stablehlo.all_gather")
def all_gather(op: OpSignature) -> ShardingRule:
    """Pointwise but for the gathered dimension, which is replicated on either side."""
    return _with_changed_dims(op, op.integer("all_gather_dim"))


@built_in_rule("stablehlo.reduce_scatter")
def reduce_scatter(op: OpSignature) -> ShardingRule:
    """Pointwise but for the scattered dimension, which is replicated on either side."""
    return _with_changed_dims(op, op.integer("scatter_dimension"))


@built_in_rule("stablehlo.all_to_all")
def all_to_all(op: OpSignature) -> ShardingRule:
    """Pointwise but for the split and the concatenated dimension, which are replicated on either side."""
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
