"""Sharding rules of ops (spec: sharding-rules): how they are declared, built, written as text and found."""

from __future__ import annotations

from sdy.passes.propagation.rules import (  # noqa: F401  (each declares the rules of a family of ops)
    collectives,
    composite,
    convolution,
    custom_calls,
    dot,
    elementwise,
    gather_scatter,
    linalg,
    reduce,
    reshape,
    slicing,
    window,
)
from sdy.passes.propagation.rules.builder import RuleBuilder, pointwise
from sdy.passes.propagation.rules.notation import einsum_rule
from sdy.passes.propagation.rules.op_signature import OpSignature
from sdy.passes.propagation.rules.parse import parse_rule
from sdy.passes.propagation.rules.registry import (
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
