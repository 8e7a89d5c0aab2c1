"""Sharding rules for ops of CHLO, of which propagation knows nothing, as in the reference."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir

_POINTWISE = tuple(
    f"chlo.{name}"
    for name in (
        "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
    ).split()
)
_TOP_K = "chlo.top_k"

CHLO_OPS = (_TOP_K, *_POINTWISE)
"""The ops that have a rule."""


def chlo_rule(op: ir.Operation) -> ShardingRule | None:
    """The rule of an op on each element by itself, or of top-k along all but the last dimension; else None."""
    if op.name not in CHLO_OPS:
        return None
    signature = OpSignature(op)
    if op.name == _TOP_K:
        return _top_k(signature)
    return _pointwise(signature) if len({*signature.operands, *signature.results}) == 1 else None


def _pointwise(op: OpSignature) -> ShardingRule:
    rule = RuleBuilder(op)
    for dim, size in enumerate(op.result(0)):
        rule.align(dim, size)
    return rule.build()


def _top_k(op: OpSignature) -> ShardingRule:
    """The last dimension is searched as a whole."""
    rule = RuleBuilder(op)
    *batch, searched = op.operand(0)
    for dim, size in enumerate(batch):
        rule.align(dim, size)
    last = len(batch)
    rule.factor(searched, {0: last}, kind=NEED_REPLICATION)
    rule.factor(op.result(0)[last], results={0: last, 1: last}, kind=NEED_REPLICATION)
    return rule.build()
