"""Matrix products (spec: sharding-rules, 5)."""

from __future__ import annotations

from sdy.dialect.rules.builder import REDUCTION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import stablehlo


@built_in_rule("stablehlo.dot_general")
def dot_general(op: OpSignature) -> ShardingRule:
    """Batching dimensions and the free ones of lhs and rhs pass through, in this order; contracting ones reduce."""
    rule = RuleBuilder(op)
    numbers = stablehlo.DotDimensionNumbers(op.required("dot_dimension_numbers"))
    batching = list(zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True))
    contracting = list(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
    lhs, rhs = op.operand(0), op.operand(1)
    result_dim = 0
    for lhs_dim, rhs_dim in batching:
        rule.factor(lhs[lhs_dim], {0: lhs_dim, 1: rhs_dim}, {0: result_dim})
        result_dim += 1
    for number, shape in enumerate((lhs, rhs)):
        taken = {pair[number] for pair in batching + contracting}
        for dim, size in enumerate(shape):
            if dim not in taken:
                rule.factor(size, {number: dim}, {0: result_dim})
                result_dim += 1
    for lhs_dim, rhs_dim in contracting:
        rule.factor(lhs[lhs_dim], {0: lhs_dim, 1: rhs_dim}, kind=REDUCTION)
    return rule.build()


@built_in_rule("stablehlo.dot")
def dot(op: OpSignature) -> ShardingRule:
    """Product of vectors and matrices: rows of lhs and columns of rhs pass through, the inner dimension reduces."""
    rule = RuleBuilder(op)
    lhs, rhs = op.operand(0), op.operand(1)
    if len(lhs) == 2:
        rule.factor(lhs[0], {0: 0}, {0: 0})
    if len(rhs) == 2:
        rule.factor(rhs[1], {1: 1}, {0: len(lhs) - 1})
    rule.factor(rhs[0], {0: len(lhs) - 1, 1: 0}, kind=REDUCTION)
    return rule.build()
