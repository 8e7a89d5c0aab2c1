"""Linear algebra, normalization, Fourier transform and random bits (spec: sharding-rules, 4.3 and 5)."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, PASS_THROUGH, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule


@built_in_rule("stablehlo.cholesky")
def cholesky(op: OpSignature) -> ShardingRule:
    """Batch dimensions pass through, those of the matrices are replicated."""
    rule = RuleBuilder(op)
    shape = op.operand(0)
    for dim, size in enumerate(shape):
        rule.align(dim, size, PASS_THROUGH if dim < len(shape) - 2 else NEED_REPLICATION)
    return rule.build()


@built_in_rule("stablehlo.triangular_solve")
def triangular_solve(op: OpSignature) -> ShardingRule:
    """Batch dimensions pass through. Those of the matrices are replicated, each factor in two of the three tensors: the
    right hand side and the result do not share the solved dimension."""
    rule = RuleBuilder(op)
    a, b = op.operand(0), op.operand(1)
    last = len(a) - 1
    for dim in range(last - 1):
        rule.align(dim, a[dim])
    rows, columns = last - 1, last
    if "NO_TRANSPOSE" not in str(op.required("transpose_a")):
        rows, columns = columns, rows
    if op.flag("left_side"):
        rule.factor(a[rows], {0: rows, 1: last - 1}, kind=NEED_REPLICATION)
        rule.factor(b[last], {1: last}, {0: last}, NEED_REPLICATION)
        rule.factor(a[columns], {0: columns}, {0: last - 1}, NEED_REPLICATION)
    else:
        rule.factor(b[last - 1], {1: last - 1}, {0: last - 1}, NEED_REPLICATION)
        rule.factor(a[columns], {0: columns, 1: last}, kind=NEED_REPLICATION)
        rule.factor(a[rows], {0: rows}, {0: last}, NEED_REPLICATION)
    return rule.build()


@built_in_rule("stablehlo.batch_norm_inference")
def batch_norm_inference(op: OpSignature) -> ShardingRule:
    """Pointwise; scale, offset, mean and variance have the feature dimension only."""
    rule = RuleBuilder(op)
    feature_dim = op.integer("feature_index")
    for dim, size in enumerate(op.operand(0)):
        operands = {0: dim}
        if dim == feature_dim:
            operands |= dict.fromkeys(range(1, 5), 0)
        rule.factor(size, operands, {0: dim})
    return rule.build()


@built_in_rule("stablehlo.fft")
def fft(op: OpSignature) -> ShardingRule:
    """Pointwise; transformed dimensions are replicated, and the last one is blocked if its size changes."""
    rule = RuleBuilder(op)
    shape = op.operand(0)
    first_transformed = len(shape) - len(op.integers("fft_length"))
    for dim in range(first_transformed):
        rule.align(dim, shape[dim])
    for dim in range(first_transformed, len(shape)):
        is_resized = dim == len(shape) - 1 and shape[dim] != op.result(0)[dim]
        rule.align(dim, shape[dim], NEED_REPLICATION, blocked=is_resized)
    return rule.build()


@built_in_rule("stablehlo.rng_bit_generator")
def rng_bit_generator(op: OpSignature) -> ShardingRule:
    """The state is replicated and blocked; the random bits may be sharded in any way."""
    rule = RuleBuilder(op)
    for dim, size in enumerate(op.operand(0)):
        rule.factor(size, {0: dim}, {0: dim}, NEED_REPLICATION, blocked=True)
    for dim, size in enumerate(op.result(1)):
        rule.factor(size, {}, {1: dim})
    return rule.build()
