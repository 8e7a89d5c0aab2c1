"""Sharding rules of ops (spec: sharding-rules): how they are declared, built, written as text and found."""

from __future__ import annotations

from sdy.dialect.rules import (  # noqa: F401  (each declares the rules of a family of ops)
    collective_rules,
    composite_rule,
    convolution_rule,
    custom_call_rules,
    dot_rules,
    elementwise_rules,
    gather_scatter_rules,
    linalg_rules,
    reduce_rule,
    reshape_rules,
    slicing_rules,
    window_rules,
)
from sdy.dialect.rules.builder import RuleBuilder, pointwise
from sdy.dialect.rules.notation import einsum_rule
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.parse import parse_rule
from sdy.dialect.rules.registry import (
    create_rule,
    depends_on_surroundings,
    facts_for_rule,
    rule_of,
    sharding_rule,
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
