"""Dimensions that an op needs as a whole although its sharding rule lets them pass through."""

from __future__ import annotations

from sdy.dialect.rules.extension_rules import is_uninitialized
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir
from sdy.passes.partitioning.facts.convolution_factors import spatial_reduction_factors

_MATRIX_CALLS = frozenset(
    "Cholesky CompactWyHelper Eigh InvertDiagBlocksLowerTriangular InvertDiagBlocksUpperTriangular".split()
)
_TOP_K_CALLS = frozenset({"mhlo.topk", "TopK"})
_PARTITIONER_CALLS = "_SPMDInternalOp_"

WITH_WHOLE_FACTORS = frozenset({"stablehlo.convolution", "stablehlo.custom_call", "stablehlo.reduce_window"})
"""Names of the ops of which `whole_factors` may find any."""


def whole_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """The factors of `rule` along which every device needs all of the data.

    The rules of some custom calls follow the reference in letting axes propagate along dimensions on which the call
    mixes all elements.
    """
    if op.name not in WITH_WHOLE_FACTORS:
        return frozenset()
    if op.name == "stablehlo.convolution":
        return spatial_reduction_factors(op, rule)
    if op.name == "stablehlo.reduce_window":
        return _dilated_factors(op, rule)
    if is_uninitialized(op):
        return frozenset()
    target = op.attributes["call_target_name"].value
    if target in _MATRIX_CALLS:
        return frozenset(factor for dim in rule.operands[0][-2:] for factor in dim)
    if target in _TOP_K_CALLS:
        return _minor_factors(rule, 1)
    if target.startswith(_PARTITIONER_CALLS):
        return frozenset(range(rule.num_factors))
    return _one_sided_factors(rule)


def _dilated_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """The factors of dimensions between whose elements a window sees holes."""
    dilations = list(op.attributes["base_dilations"]) if "base_dilations" in op.attributes else []
    dilated = [dim for dim, dilation in enumerate(dilations) if dilation != 1]
    return frozenset(factor for dim in dilated for factor in rule.operands[0][dim])


def _one_sided_factors(rule: ShardingRule) -> frozenset[int]:
    """The factors of operands that no result has, and the other way round: a call makes no parts by itself.

    JAX's rules of decompositions give each matrix factors of its own. A reduction gives partial results, and may.
    """
    taken, made = (
        {factor for mapping in mappings for factors in mapping for factor in factors}
        for mappings in (rule.operands, rule.results)
    )
    return frozenset(factor for factor in taken ^ made if rule.factor_types[factor] is FactorType.PASS_THROUGH)


def _minor_factors(rule: ShardingRule, count: int) -> frozenset[int]:
    return frozenset(factor for mapping in rule.tensors for dim in mapping[-count:] for factor in dim)
