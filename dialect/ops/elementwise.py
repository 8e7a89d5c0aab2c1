"""Ops whose dimensions correspond one to one (spec: sharding-rules, 4.1 and 4.2)."""

from __future__ import annotations

from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import OpSignature, RuleBuilder, Shape, pointwise, pointwise_of_one_shape
from sdy.dialect.values.rule import ShardingRule

UNARY = (
    "abs cbrt ceil convert cosine count_leading_zeros exponential exponential_minus_one floor imag is_finite log "
    "log_plus_one logistic negate not popcnt real reduce_precision round_nearest_afz round_nearest_even rsqrt sign "
    "sine sqrt tan tanh"
).split()


BINARY = (
    "add and atan2 compare complex divide maximum minimum multiply or power remainder shift_left "
    "shift_right_arithmetic shift_right_logical subtract xor"
).split()


@op_model(*(f"stablehlo.{name}" for name in UNARY + BINARY))
class Pointwise(OpModel):
    """Model of an element-wise op: every dimension passes through."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise(op)


@op_model("stablehlo.clamp")
class Clamp(OpModel):
    """Pointwise; `min` and `max` may be scalars."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return _aligned(op, op.operand(1))


@op_model("stablehlo.select")
class Select(OpModel):
    """Pointwise; `pred` may be a scalar."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return _aligned(op, op.result(0))


def _aligned(op: OpSignature, shape: Shape) -> ShardingRule:
    rule = RuleBuilder(op)
    for dim, size in enumerate(shape):
        rule.align(dim, size)
    return rule.build()


_POINTWISE = tuple(
    f"chlo.{name}"
    for name in (
        "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
    ).split()
)


@op_model(*_POINTWISE)
class ChloPointwise(OpModel):
    """Model of an element-wise op: every dimension passes through."""

    def extension_rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise_of_one_shape(op)
