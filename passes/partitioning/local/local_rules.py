"""The sharding rule of an op as its devices see it."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.rules import create_rule
from sdy.dialect.rules.extension_rules import extension_rule
from sdy.dialect.rules.registry import is_users
from sdy.dialect.values.rule import ShardingRule
from sdy.passes.partitioning.emit.laid_op import LaidOp
from sdy.passes.partitioning.facts.convolution_factors import without_trivial_windows


def local_rule(op: LaidOp) -> ShardingRule | None:
    """A custom rule on the op, else what its types give now; a rule on the op may be of the types before padding."""
    stored = op.get(SHARDING_RULE)
    if stored is not None and stored.is_custom:
        return stored
    rule = extension_rule(op.op) or create_rule(op.op) or stored
    return None if rule is None else without_trivial_windows(op.op, rule)


def is_reduced_by_users(op: LaidOp) -> bool:
    """Whether a user's rule says of an op that its devices' results add up to the result."""
    name = op.op.name
    if name != "stablehlo.custom_call" and SHARDING_RULE not in op.op.attributes and not is_users(name):
        return False
    rule = local_rule(op)
    return rule is not None and rule.is_custom and bool(rule.reduction)
