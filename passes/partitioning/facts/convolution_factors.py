"""Factors of a convolution's sharding rule that slide (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.facts.window_dims import windows_of


def without_trivial_windows(op: ir.Operation, rule: ShardingRule) -> ShardingRule:
    """`rule` as the devices see it: a spatial dimension of which each window is one element, in turn, passes through.

    The rule itself, by which shardings are propagated, goes by the sizes of dimensions alone.
    """
    if op.name != "stablehlo.convolution" or not rule.permutation:
        return rule
    trivial = {
        factor
        for window in windows_of(op)
        if window.is_trivial and window.made == op.operands[0].type.shape[window.source_dim]
        for factor in rule.operands[0][window.source_dim]
    }
    return replace(rule, permutation=tuple(factor for factor in rule.permutation if factor not in trivial))


def spatial_reduction_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """Reduction factors shared by a spatial dimension of the input and of the kernel.

    A plain contraction (the whole dimension is multiplied with the kernel, once) is not among them.
    """
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    found: set[int] = set()
    for index, (input_dim, kernel_dim) in enumerate(
        zip(numbers.input_spatial_dimensions, numbers.kernel_spatial_dimensions, strict=True)
    ):
        output_dim = numbers.output_spatial_dimensions[index]
        if is_plain_contraction(op, index, op.results[0].type.shape[output_dim]):
            continue
        shared = set(rule.operands[0][input_dim]) & set(rule.operands[1][kernel_dim])
        found |= shared & set(rule.reduction)
    return frozenset(found)


def is_plain_contraction(op: ir.Operation, index: int, output_size: int) -> bool:
    """Whether spatial dimension `index` is summed over as in a matrix product."""
    ones = all(_entry(op, name, index, 1) == 1 for name in ("window_strides", "lhs_dilation", "rhs_dilation"))
    attributes = op.attributes
    padding = np.array(attributes["padding"]).reshape(-1, 2)[index] if "padding" in attributes else (0, 0)
    reversed_ = "window_reversal" in attributes and bool(list(attributes["window_reversal"])[index])
    return output_size == 1 and ones and not any(padding) and not reversed_


def _entry(op: ir.Operation, name: str, index: int, default: int) -> int:
    attributes = op.attributes
    return list(attributes[name])[index] if name in attributes else default


def group_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """All factors of the grouped dimension, if groups and their elements are both factors of it.

    In a depthwise convolution every group has one element, so its groups are like a batch dimension.
    """
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    feature_groups = op.attributes["feature_group_count"].value
    batch_groups = op.attributes["batch_group_count"].value
    if feature_groups == 1 and batch_groups == 1:
        return frozenset()
    dim = numbers.input_batch_dimension if batch_groups > 1 else numbers.input_feature_dimension
    grouped = rule.operands[0][dim]
    kernel = rule.operands[1][numbers.kernel_output_feature_dimension]
    if len(grouped) <= 1 and len(kernel) <= 1:
        return frozenset()
    return frozenset(grouped) | frozenset(kernel)


def torn_group_factors(op: ir.Operation, rule: ShardingRule, layout_of: Callable[[ir.Value], Layout]) -> frozenset[int]:
    """`group_factors` if a device has pieces of several groups; none if each has whole groups, or a part of one."""
    found = group_factors(op, rule)
    groups = max(op.attributes[name].value for name in ("feature_group_count", "batch_group_count"))
    for value, mapping in zip((*op.operands, *op.results), rule.tensors, strict=True):
        layout = layout_of(value)
        for dim, factors in enumerate(mapping):
            shards = layout.shards[dim]
            if found.isdisjoint(factors) or shards == 1:
                continue
            if layout.shape[dim] % shards or (groups % shards and shards % groups):
                return found
    return frozenset()


def feature_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """The reduction factors of the features of a group, which input and kernel share."""
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    shared = set(rule.operands[0][numbers.input_feature_dimension])
    return frozenset(shared.intersection(rule.operands[1][numbers.kernel_input_feature_dimension], rule.reduction))
