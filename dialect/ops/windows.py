"""Sliding windows (spec: sharding-rules, 4.3, 4.5 and 4.7; partitioner, 7.14)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.lowering.generic_lowering import AlignedOp
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import Window, op_model, write_windows
from sdy.dialect.ops.op_signature import NEED_REPLICATION, PASS_THROUGH, PERMUTATION, OpSignature, RuleBuilder
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.stablehlo import views


@op_model("stablehlo.reduce_window")
class ReduceWindow(AlignedOp):
    """Pointwise with the sizes of the result; a dimension with a real window moves data between neighbours."""

    padding_value = None

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape = op.result(0)
        for dim, (size, windowed) in enumerate(zip(shape, _windowed(op, len(shape)), strict=True)):
            rule.align(dim, size, PERMUTATION if windowed else PASS_THROUGH, blocked=windowed and op.conservative)
        return rule.build()

    def access(self, op: ir.Operation) -> list[Window]:
        given, made = views.ReduceWindow(op), op.results[0].type.shape
        return [
            Window(
                dim,
                dim,
                size,
                made[dim],
                low=given.padding[dim][0],
                high=given.padding[dim][1],
                stride=given.window_strides[dim],
                source_dilation=given.base_dilations[dim],
                window_dilation=given.window_dilations[dim],
            )
            for dim, size in enumerate(given.window_dimensions)
        ]

    def set_windows(self, op: ir.Operation, windows: Sequence[Window]) -> None:
        write_windows(op, windows, "base_dilations", "window_dilations")

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions with windows that reach beyond a device's part."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        return [dim for dim in target.sharded_dims if not _holds_windows(op, source, target, dim)]

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        """Return the factors of dimensions with holes between the elements of a window."""
        dilated = [dim for dim, dilation in enumerate(views.ReduceWindow(op).base_dilations) if dilation != 1]
        return frozenset(factor for dim in dilated for factor in rule.operands[0][dim])


@op_model("stablehlo.select_and_scatter")
class SelectAndScatter(AlignedOp):
    """Pointwise, except that the source is not tied to operand and result in a dimension with a real window."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape, source_shape = op.result(0), op.operand(1)
        for dim, windowed in enumerate(_windowed(op, len(shape))):
            if windowed:
                rule.factor(source_shape[dim], {1: dim}, kind=NEED_REPLICATION, blocked=op.conservative)
                rule.factor(shape[dim], {0: dim}, {0: dim}, PERMUTATION, blocked=op.conservative)
            else:
                rule.align(dim, shape[dim])
        return rule.build()

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions like reduce_window, with the source in the place of the result."""
        operand, source = op.operand_layouts[:2]
        return [dim for dim in operand.sharded_dims if not _holds_windows(op, operand, source, dim)]


def _windowed(op: OpSignature, rank: int) -> list[bool]:
    """Per dimension, whether it has a window larger than 1, a stride or a padding. Dilations do not count."""
    windows = op.optional_integers("window_dimensions") or (1,) * rank
    strides = op.optional_integers("window_strides") or (1,) * rank
    padding = op.optional_integers("padding") or (0,) * (2 * rank)
    return [(windows[dim], strides[dim], padding[2 * dim], padding[2 * dim + 1]) != (1, 1, 0, 0) for dim in range(rank)]


def _holds_windows(op: ShardedOp, operand: Layout, windowed: Layout, dim: int) -> bool:
    """Return whether equal parts of `operand` hold all windows of equal parts of `windowed` along `dim`."""
    given = views.of(op.op)
    window, stride = given.window_dimensions[dim], given.window_strides[dim]
    plain = not isinstance(given, views.ReduceWindow) or (given.base_dilations[dim], given.window_dilations[dim]) == (
        1,
        1,
    )
    count = operand.shards[dim]
    part = operand.shape[dim] // count
    fits = window <= stride and part % stride == 0 and windowed.shape[dim] == part // stride * count
    return plain and not any(given.padding[dim]) and fits and operand.shape[dim] % count == 0
