"""Convolution (spec: sharding-rules, 5.2; partitioner, 3.5, 4 and 7.8)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sdy.dialect.ir_builders.with_sharding import cut_at_ends, pad_at_ends, use_instead, uses_of, with_sharding
from sdy.dialect.lowering.local_op import LocalOp, keep_and_sum, merged_axes
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp
from sdy.dialect.ops.model import Attributes, LayoutOf, OpModel, ProductSize, Window, op_model, write_windows
from sdy.dialect.ops.op_signature import PERMUTATION, REDUCTION, OpSignature, RuleBuilder
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.mlir.tensor_types import with_shape
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64
from sdy.stablehlo.types.sizes import ConvNumbers

_LHS, _KERNEL, _RESULT = 0, 1, 0


@op_model("stablehlo.convolution")
class Convolution(OpModel):
    """Batch and output features pass through, input features reduce, spatial dimensions are windows."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        """Split each spatial dimension into windows and kernel positions.

        Windows move data between neighbours, positions reduce. Strides, padding and dilations are ignored. A
        conservative rule has no such factors.
        """
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

    def access(self, op: ir.Operation) -> list[Window]:
        conv = views.Convolution(op)
        numbers, kernel, made = conv.dimension_numbers, conv.rhs.type.shape, conv.result.type.shape
        spatial = zip(
            numbers.input_spatial_dimensions,
            numbers.output_spatial_dimensions,
            numbers.kernel_spatial_dimensions,
            strict=True,
        )
        return [
            Window(
                source_dim,
                result_dim,
                kernel[kernel_dim],
                made[result_dim],
                low=conv.padding[index][0],
                high=conv.padding[index][1],
                stride=conv.window_strides[index],
                source_dilation=conv.lhs_dilation[index],
                window_dilation=conv.rhs_dilation[index],
                kernel_dim=kernel_dim,
                is_reversed=conv.window_reversal[index],
            )
            for index, (source_dim, result_dim, kernel_dim) in enumerate(spatial)
        ]

    def set_windows(self, op: ir.Operation, windows: Sequence[Window]) -> None:
        write_windows(op, windows, "lhs_dilation", "rhs_dilation")

    def rule_of_devices(self, op: ir.Operation, rule: ShardingRule) -> ShardingRule:
        """`rule` as the devices see it.

        A spatial dimension whose windows are its elements, in order, passes through.

        The rule for propagation depends on the sizes of dimensions alone.
        """
        if not rule.permutation:
            return rule
        trivial = {
            factor
            for window in self.access(op)
            if window.is_trivial and window.made == op.operands[0].type.shape[window.source_dim]
            for factor in rule.operands[0][window.source_dim]
        }
        return replace(rule, permutation=tuple(factor for factor in rule.permutation if factor not in trivial))

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        """Reduction factors shared by a spatial dimension of the input and of the kernel.

        A plain contraction (the whole dimension is multiplied with the kernel, once) is excluded.
        """
        found: set[int] = set()
        for window in self.access(op):
            if window.kernel_dim is not None and not window.is_whole:
                found |= set(rule.operands[0][window.source_dim]).intersection(rule.operands[1][window.kernel_dim])
        return frozenset(found.intersection(rule.reduction))

    def groups_to_gather(self, op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf | None) -> frozenset[int]:
        """Add the factors of groups that are split over devices; without layouts, all factors of groups."""
        groups = group_factors(op, rule) if layout_of is None else split_group_factors(op, rule, layout_of)
        return self.unshardable_factors(op, rule) | groups

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """The groups are divided among the devices."""
        lhs, kernel = op.operand_layouts
        numbers = views.Convolution(op.op).dimension_numbers
        return {
            **_split_groups(op, "feature_group_count", kernel.shards[numbers.kernel_output_feature_dimension]),
            **_split_groups(op, "batch_group_count", lhs.shards[numbers.input_batch_dimension]),
        }

    def localize(self, op: LocalOp) -> None:
        """Convolve the local parts, with as many groups as they have, and sum over the axes of reduced dimensions."""
        if op.is_replicated:
            return
        kernel = op.operand_layouts[1]
        numbers = views.Convolution(op.op).dimension_numbers
        op.drop_sharding()
        reduced = [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions]
        keep_and_sum(op, merged_axes(kernel, reduced), kernel)

    def pad(self, op: PadOp) -> None:
        """Features and spatial dimensions are padded with zeros; spatial dimensions of the result are cut."""
        numbers = views.Convolution(op.op).dimension_numbers
        shape = _result_shape(op, numbers)
        if not _features_fit(op, numbers) or not _windows_fit(op, numbers) or not _result_fits(op, numbers, shape):
            op.compute_unpadded()
            return
        op.mask(0, [numbers.input_feature_dimension, *numbers.input_spatial_dimensions])
        op.mask(1, [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions])
        lhs = op.op.operands[0].type.shape
        for name, dim in (
            ("feature_group_count", numbers.input_feature_dimension),
            ("batch_group_count", numbers.input_batch_dimension),
        ):
            if not _grow_groups(op, name, dim, lhs[dim]):
                op.compute_unpadded()
                return
        _fit_result(op, shape)

    def product_size(self, op: ir.Operation) -> ProductSize:
        numbers = views.Convolution(op).dimension_numbers
        kernel, result = op.operands[1].type.shape, op.results[0].type.shape
        elements, features = math.prod(result), result[numbers.output_feature_dimension]
        depth = math.prod(kernel) // max(1, kernel[numbers.kernel_output_feature_dimension])
        return ProductSize(elements // max(1, features), elements, depth)


def _spatial_factors(rule: RuleBuilder, op: OpSignature, dims: Iterable[tuple[int, int, int]]) -> None:
    """Factors of the spatial dimensions, given as those of lhs, kernel and result.

    The lhs dimension is split between windows and kernel positions, the larger of the two first. The remainder has an
    unshared factor.
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


# Factors of a rule --------------------------------------------------------------------------------


def group_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """All factors of the grouped dimension, if groups and their elements are both factors of it.

    In a depthwise convolution every group has one element, so its groups are like a batch dimension.
    """
    numbers = views.Convolution(op).dimension_numbers
    feature_groups = views.Convolution(op).feature_group_count
    batch_groups = views.Convolution(op).batch_group_count
    if feature_groups == 1 and batch_groups == 1:
        return frozenset()
    dim = numbers.input_batch_dimension if batch_groups > 1 else numbers.input_feature_dimension
    grouped = rule.operands[0][dim]
    kernel = rule.operands[1][numbers.kernel_output_feature_dimension]
    if len(grouped) <= 1 and len(kernel) <= 1:
        return frozenset()
    return frozenset(grouped) | frozenset(kernel)


def split_group_factors(op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf) -> frozenset[int]:
    """Return `group_factors` if a device has pieces of several groups.

    Returns none if each has complete groups, or a part of one.
    """
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
    numbers = views.Convolution(op).dimension_numbers
    shared = set(rule.operands[0][numbers.input_feature_dimension])
    return frozenset(shared.intersection(rule.operands[1][numbers.kernel_input_feature_dimension], rule.reduction))


# Parts --------------------------------------------------------------------------------------------


def _split_groups(op: ShardedOp, name: str, shards: int) -> Attributes:
    count = op.op.attributes[name].value
    if count == 1:
        return {}
    if count % min(count, shards):
        op.fail(f"has {count} groups ({name}) on {shards} shards")
    return {name: i64(max(1, count // shards))}


def _result_shape(op: PadOp, numbers: ConvNumbers) -> list[int]:
    """The shape that the padded operands give; batch and features as they should be."""
    lhs, kernel = (operand.type.shape for operand in op.operands)
    shape = list(op.result_layouts[0].padded_shape)
    for index, dim in enumerate(numbers.output_spatial_dimensions):
        size = lhs[numbers.input_spatial_dimensions[index]]
        shape[dim] = _spatial_size(op.op, index, size, kernel[numbers.kernel_spatial_dimensions[index]])
    return shape


def _fit_result(op: PadOp, shape: list[int]) -> None:
    """Gives the result `shape`, resharded for its users."""
    result, layout = op.op.results[0], op.result_layouts[0]
    result.set_type(with_shape(layout.type, shape))
    if shape != list(layout.padded_shape):
        slots = uses_of(result)
        b = Builder.after(op.op)
        fitting = [min(have, want) for have, want in zip(shape, layout.padded_shape, strict=True)]
        part = pad_at_ends(b, cut_at_ends(b, result, fitting), layout.padded_shape)
        use_instead(slots, with_sharding(part, layout.sharding))


def _features_fit(op: PadOp, numbers: ConvNumbers) -> bool:
    """Return whether input and kernel agree on the features of a group, now that they are padded."""
    lhs, kernel = (operand.type.shape for operand in op.operands)
    features, kernel_features = lhs[numbers.input_feature_dimension], kernel[numbers.kernel_input_feature_dimension]
    groups = views.Convolution(op.op).feature_group_count
    if groups > 1 and numbers.input_feature_dimension in op.grown_dims(0):
        groups = features
    return features == kernel_features * groups


def _windows_fit(op: PadOp, numbers: ConvNumbers) -> bool:
    """Return whether all windows remain when the kernel was padded: then the input was, too."""
    lhs_grown, kernel_grown = op.grown_dims(0), op.grown_dims(1)
    return all(
        kernel_dim not in kernel_grown or lhs_dim in lhs_grown
        for lhs_dim, kernel_dim in zip(numbers.input_spatial_dimensions, numbers.kernel_spatial_dimensions, strict=True)
    )


def _result_fits(op: PadOp, numbers: ConvNumbers, shape: list[int]) -> bool:
    """Return whether batch and features of a result of `shape` are padded like those of the operands."""
    layout = op.result_layouts[0]
    padded = layout.padded_shape
    lhs, kernel = (operand.type.shape for operand in op.operands)
    batch, groups = numbers.input_batch_dimension, views.Convolution(op.op).batch_group_count
    if groups > 1 and batch in op.grown_dims(0):
        groups = lhs[batch]
    fits = padded[numbers.output_feature_dimension] == kernel[numbers.kernel_output_feature_dimension]
    is_even = all(size % count == 0 for size, count in zip(shape, layout.shards, strict=True))
    return is_even and fits and padded[numbers.output_batch_dimension] * groups == lhs[batch]


def _grow_groups(op: PadOp, name: str, dim: int, size: int) -> bool:
    """Adds groups where a dimension of groups of size 1 is padded; False where groups are larger."""
    count = op.op.attributes[name].value
    if count == 1 or dim not in op.grown_dims(0):
        return True
    if count != op.operand_layouts[0].shape[dim]:
        return False
    op.op.attributes[name] = i64(size)
    return True


def _spatial_size(op: ir.Operation, index: int, size: int, kernel: int) -> int:
    """Number of window positions along a spatial dimension."""
    conv = views.Convolution(op)
    low, high = conv.padding[index]
    dilated = (size - 1) * conv.lhs_dilation[index] + 1 if size else 0
    window = (kernel - 1) * conv.rhs_dilation[index] + 1 if kernel else 0
    total = low + dilated + high
    return 0 if total < window else (total - window) // conv.window_strides[index] + 1
