"""Ops that slide a window (spec: sharding-rules, 4.3, 4.5 and 4.7)."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, PASS_THROUGH, PERMUTATION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule


@built_in_rule("stablehlo.reduce_window")
def reduce_window(op: OpSignature) -> ShardingRule:
    """Pointwise with the sizes of the result; a dimension with a real window moves data between neighbours."""
    rule = RuleBuilder(op)
    shape = op.result(0)
    for dim, (size, windowed) in enumerate(zip(shape, _windowed(op, len(shape)), strict=True)):
        rule.align(dim, size, PERMUTATION if windowed else PASS_THROUGH, blocked=windowed and op.conservative)
    return rule.build()


@built_in_rule("stablehlo.select_and_scatter")
def select_and_scatter(op: OpSignature) -> ShardingRule:
    """Pointwise, except that the source is not tied to operand and result in a dimension with a real window."""
    rule = RuleBuilder(op)
    shape, source_shape = op.result(0), op.operand(1)
    for dim, windowed in enumerate(_windowed(op, len(shape))):
        if windowed:
            rule.factor(source_shape[dim], {1: dim}, kind=NEED_REPLICATION, blocked=op.conservative)
            rule.factor(shape[dim], {0: dim}, {0: dim}, PERMUTATION, blocked=op.conservative)
        else:
            rule.align(dim, shape[dim])
    return rule.build()


def _windowed(op: OpSignature, rank: int) -> list[bool]:
    """Per dimension, whether it has a window larger than 1, a stride or a padding. Dilations do not count."""
    windows = op.optional_integers("window_dimensions") or (1,) * rank
    strides = op.optional_integers("window_strides") or (1,) * rank
    padding = op.optional_integers("padding") or (0,) * (2 * rank)
    return [(windows[dim], strides[dim], padding[2 * dim], padding[2 * dim + 1]) != (1, 1, 0, 0) for dim in range(rank)]
