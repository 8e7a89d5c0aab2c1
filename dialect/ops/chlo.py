"""Ops of CHLO on each element by itself. The reference has no rule for them."""

from __future__ import annotations

from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.rules.builder import pointwise_of_one_shape
from sdy.dialect.values.rule import ShardingRule

_POINTWISE = tuple(
    f"chlo.{name}"
    for name in (
        "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
    ).split()
)


@op_model(*_POINTWISE)
class ChloPointwise(OpModel):
    """Every dimension passes through."""

    def extension_rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise_of_one_shape(op)
