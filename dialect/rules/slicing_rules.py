"""Ops that cut out, paste, pad, join, reverse or sort (spec: sharding-rules, 4.3, 4.4 and 5)."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, PASS_THROUGH, PERMUTATION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir


@built_in_rule("stablehlo.slice")
def slice_(op: OpSignature) -> ShardingRule:
    """Pointwise; a sliced dimension moves data between neighbours."""
    return _sliced(op, PERMUTATION, blocked=op.conservative)


@built_in_rule("stablehlo.dynamic_slice", custom_call=("mhlo.topk", "TopK"))
def dynamic_slice(op: OpSignature) -> ShardingRule:
    """Pointwise; a sliced dimension is replicated, and no axis is propagated along it. The indices are scalars."""
    return _sliced(op, NEED_REPLICATION, blocked=True)


def _sliced(op: OpSignature, kind: FactorType, *, blocked: bool) -> ShardingRule:
    """Pointwise, with factors of this kind where a part of a dimension is taken."""
    rule = RuleBuilder(op)
    for dim, (size, sliced_size) in enumerate(zip(op.operand(0), op.result(0), strict=True)):
        if size == sliced_size:
            rule.align(dim, size)
        else:
            rule.align(dim, size, kind, blocked=blocked)
    return rule.build()


@built_in_rule("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: OpSignature) -> ShardingRule:
    """Pointwise, except that an updated dimension of another size is not tied to the operand's."""
    rule = RuleBuilder(op)
    for dim, (size, update_size) in enumerate(zip(op.operand(0), op.operand(1), strict=True)):
        if size == update_size:
            rule.align(dim, size)
        else:
            rule.factor(size, {0: dim}, {0: dim}, PERMUTATION)
            rule.factor(update_size, {1: dim}, kind=PERMUTATION)
    return rule.build()


@built_in_rule("stablehlo.pad")
def pad(op: OpSignature) -> ShardingRule:
    """Pointwise; a dimension with padding of any sort moves data between neighbours, even if its size is unchanged."""
    rule = RuleBuilder(op)
    padding = zip(
        op.integers("edge_padding_low"),
        op.integers("edge_padding_high"),
        op.integers("interior_padding"),
        strict=True,
    )
    sizes = zip(op.operand(0), op.result(0), strict=True)
    for dim, ((size, padded_size), paddings) in enumerate(zip(sizes, padding, strict=True)):
        kind = PERMUTATION if any(paddings) else PASS_THROUGH
        rule.align(dim, size, kind, blocked=op.conservative and size != padded_size)
    return rule.build()


@built_in_rule("stablehlo.reverse")
def reverse(op: OpSignature) -> ShardingRule:
    """Pointwise; a reversed dimension moves data between devices."""
    rule = RuleBuilder(op)
    reversed_dims = op.integers("dimensions")
    for dim, size in enumerate(op.result(0)):
        rule.align(dim, size, PERMUTATION if dim in reversed_dims else PASS_THROUGH)
    return rule.build()


@built_in_rule("stablehlo.sort")
def sort(op: OpSignature) -> ShardingRule:
    """Pointwise; the sorted dimension is replicated, and blocked if there is no other that could be sharded.

    A negative dimension (the default) means none, so then all are plain.
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


@built_in_rule("stablehlo.concatenate")
def concatenate(op: OpSignature) -> ShardingRule:
    """Pointwise; the concatenated dimension moves data between neighbours if slices are put together, else it is
    replicated. Conservative: it has no factor."""
    rule = RuleBuilder(op)
    concat_dim = op.integer("dimension")
    for dim, size in enumerate(op.result(0)):
        if dim != concat_dim:
            rule.align(dim, size)
        elif not op.conservative:
            rule.align(dim, size, PERMUTATION if op.look(_joins_slices) else NEED_REPLICATION)
    return rule.build()


def _joins_slices(concat: ir.Operation) -> bool:
    """Whether all operands are slices, or slices of one tensor along with that tensor itself."""
    slices = [value.owner for value in concat.operands if _is_slice(value)]
    if len(slices) == len(concat.operands):
        return True
    bases = {value.owner.operands[0] if _is_slice(value) else value for value in concat.operands}
    return bool(slices) and len(bases) == 1


def _is_slice(value: ir.Value) -> bool:
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == "stablehlo.slice"
