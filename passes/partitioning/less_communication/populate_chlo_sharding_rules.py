"""sdy-populate-chlo-sharding-rules: gives ops of CHLO a sharding rule, so that they need not gather their operands.

    %0 = chlo.square %a : tensor<9x6xf32> -> tensor<9x6xf32>
==> %0 = chlo.square %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6}>} : ...

Propagation knows nothing of CHLO, as in the reference: without a rule such an op gets the whole of its operands on
every device. Ops on each element by itself get one, and `chlo.top_k`, along all but its last dimension. A rule that is
there stays.
"""

from __future__ import annotations

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING_RULE
from sdy.dialect.rule import ShardingRule
from sdy.dialect.search import ops_named
from sdy.mlir import ir
from sdy.passes.propagation.rules.builder import NEED_REPLICATION, RuleBuilder
from sdy.passes.propagation.rules.op_signature import OpSignature
from sdy.passes.registry import pass_

_POINTWISE = tuple(
    f"chlo.{name}"
    for name in (
        "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
    ).split()
)
_TOP_K = "chlo.top_k"


@pass_("sdy-populate-chlo-sharding-rules", on="func.func")
def populate_chlo_sharding_rules(func: ir.Operation) -> None:
    for op in ops_named(func, _TOP_K, *_POINTWISE):
        if SHARDING_RULE not in op.attributes:
            rule = _rule(op)
            if rule is not None:
                attributes.put(op, SHARDING_RULE, rule)


def _rule(op: ir.Operation) -> ShardingRule | None:
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
