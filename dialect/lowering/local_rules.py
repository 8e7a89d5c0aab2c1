"""The sharding rule of an op as its devices see it."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import any_model, model_with, target_of
from sdy.dialect.rules import create_rule
from sdy.dialect.rules.registry import extension_rule, is_users
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir


def local_rule(op: ShardedOp) -> ShardingRule | None:
    """A custom rule on the op, else what its types give now; a rule on the op may be of the types before padding."""
    stored = op.get(SHARDING_RULE)
    if stored is not None and stored.is_custom:
        return stored
    rule = extension_rule(op.op) or create_rule(op.op) or stored
    return None if rule is None else rule_of_devices(op.op, rule)


def is_reduced_by_users(op: ShardedOp) -> bool:
    """Return whether a user's rule of an op has reduction factors."""
    name = op.op.name
    if name != "stablehlo.custom_call" and SHARDING_RULE not in op.op.attributes and not is_users(name):
        return False
    rule = local_rule(op)
    return rule is not None and rule.is_custom and bool(rule.reduction)


def rule_of_devices(op: ir.Operation, rule: ShardingRule) -> ShardingRule:
    """`rule` without permutation factors along which devices need nothing of each other."""
    return any_model(op, "rule_of_devices").rule_of_devices(op, rule)


def whole_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """The factors of `rule` along which every device needs all of the data, although the rule does not say so."""
    model = model_with("whole_factors", op.name, target_of(op))
    return frozenset() if model is None else model.whole_factors(op, rule)
