"""Convolution (spec: sharding-rules, 5.2)."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.rules.builder import PERMUTATION, REDUCTION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import stablehlo

_LHS, _KERNEL, _RESULT = 0, 1, 0


@built_in_rule("stablehlo.convolution")
def convolution(op: OpSignature) -> ShardingRule:
    """Batch and output features pass through, input features reduce, spatial dimensions split into the windows (which
    move data between neighbours) and the positions in the kernel (which reduce). Strides, padding and dilations do not
    matter. Conservative: spatial dimensions have no factors."""
    rule = RuleBuilder(op)
    numbers = stablehlo.ConvDimensionNumbers(op.required("dimension_numbers"))
    batch_groups = op.integer("batch_group_count", default=1)
    feature_groups = op.integer("feature_group_count", default=1)
    kernel, result = op.operand(_KERNEL), op.result(0)

    lhs_batch, lhs_feature = numbers.input_batch_dimension, numbers.input_feature_dimension
    kernel_in, kernel_out = numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension
    result_batch, result_feature = numbers.output_batch_dimension, numbers.output_feature_dimension

    if batch_groups > 1:
        rule.factor(batch_groups, {_LHS: lhs_batch, _KERNEL: kernel_out}, {_RESULT: result_feature})
    rule.factor(result[result_batch], {_LHS: lhs_batch}, {_RESULT: result_batch})
    if not op.conservative:
        _spatial_factors(
            rule,
            op,
            zip(
                numbers.input_spatial_dimensions,
                numbers.kernel_spatial_dimensions,
                numbers.output_spatial_dimensions,
                strict=True,
            ),
        )
    if feature_groups > 1:
        rule.factor(feature_groups, {_LHS: lhs_feature, _KERNEL: kernel_out}, {_RESULT: result_feature})
    rule.factor(kernel[kernel_in], {_LHS: lhs_feature, _KERNEL: kernel_in}, kind=REDUCTION)
    features_per_group = result[result_feature] // (batch_groups * feature_groups)
    if features_per_group > 1:
        rule.factor(features_per_group, {_KERNEL: kernel_out}, {_RESULT: result_feature})
    return rule.build()


def _spatial_factors(rule: RuleBuilder, op: OpSignature, dims: Iterable[tuple[int, int, int]]) -> None:
    """Factors of the spatial dimensions, given as those of lhs, kernel and result.

    The lhs dimension is shared out between windows and kernel positions, the larger of the two first. What gets no
    share of it has an unshared factor.
    """
    lhs, kernel, result = op.operand(_LHS), op.operand(_KERNEL), op.result(0)
    for lhs_dim, kernel_dim, result_dim in dims:
        windows, positions = result[result_dim], kernel[kernel_dim]
        left = lhs[lhs_dim]
        for is_windows in (True, False) if windows >= positions else (False, True):
            size = windows if is_windows else positions
            shared = min(left, size)
            operands, results = ({}, {_RESULT: result_dim}) if is_windows else ({_KERNEL: kernel_dim}, {})
            if shared > 1:
                kind = PERMUTATION if is_windows else REDUCTION
                rule.factor(shared, {_LHS: lhs_dim, **operands}, results, kind)
                left //= shared
            elif left == 1 and size > 1:
                rule.factor(size, operands, results, PERMUTATION)
