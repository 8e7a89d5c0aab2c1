"""Reduction (spec: sharding-rules, 5)."""

from __future__ import annotations

from sdy.dialect.rules.builder import REDUCTION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule


@built_in_rule("stablehlo.reduce")
def reduce(op: OpSignature) -> ShardingRule:
    """Reduced dimensions reduce, the others pass through; the initial values are scalars."""
    rule = RuleBuilder(op)
    reduced_dims = op.integers("dimensions")
    num_inputs = len(op.results)
    result_dim = 0
    for dim, size in enumerate(op.operand(0)):
        inputs = dict.fromkeys(range(num_inputs), dim)
        if dim in reduced_dims:
            rule.factor(size, inputs, kind=REDUCTION)
        else:
            rule.factor(size, inputs, dict.fromkeys(range(num_inputs), result_dim))
            result_dim += 1
    return rule.build()
