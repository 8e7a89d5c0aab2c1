"""Sharding rules of ops (spec: sharding-rules): how they are declared, built, written as text and found."""

from __future__ import annotations

from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.ops.short_forms import sharding_rule
from sdy.dialect.rules.builder import RuleBuilder, pointwise
from sdy.dialect.rules.notation import einsum_rule, parse_rule
from sdy.dialect.rules.registry import (
    create_rule,
    depends_on_surroundings,
    facts_for_rule,
    rule_of,
)

__all__ = [
    "OpSignature",
    "RuleBuilder",
    "create_rule",
    "depends_on_surroundings",
    "einsum_rule",
    "facts_for_rule",
    "parse_rule",
    "pointwise",
    "rule_of",
    "sharding_rule",
]
