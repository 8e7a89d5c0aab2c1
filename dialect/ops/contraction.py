"""Matrix products (spec: sharding-rules, 5; partitioner, 4 and 7.8)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.ir_builders.communication import slice_along
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, combine_results, keep_and_sum, merged_axes
from sdy.dialect.lowering.sharded_op import PadOp
from sdy.dialect.ops.model import OpModel, ProductSize, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, REDUCTION, OpSignature, RuleBuilder
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.mlir.tensor_types import tensor_type, with_shape
from sdy.stablehlo import ops, views
from sdy.stablehlo.attribute_readers import RaggedDims
from sdy.stablehlo.ops import Builder

_NUMBERS = "dot_dimension_numbers"


@op_model("stablehlo.dot_general")
class DotGeneral(OpModel):
    """Batching dimensions and the free ones of lhs and rhs pass through, in this order; contracting ones reduce."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        numbers = stablehlo.DotDimensionNumbers(op.required("dot_dimension_numbers"))
        batching = list(zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True))
        contracting = list(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
        lhs, rhs = op.operand(0), op.operand(1)
        result_dim = 0
        for lhs_dim, rhs_dim in batching:
            rule.factor(lhs[lhs_dim], {0: lhs_dim, 1: rhs_dim}, {0: result_dim})
            result_dim += 1
        for number, shape in enumerate((lhs, rhs)):
            taken = {pair[number] for pair in batching + contracting}
            for dim, size in enumerate(shape):
                if dim not in taken:
                    rule.factor(size, {number: dim}, {0: result_dim})
                    result_dim += 1
        for lhs_dim, rhs_dim in contracting:
            rule.factor(lhs[lhs_dim], {0: lhs_dim, 1: rhs_dim}, kind=REDUCTION)
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """The product of the local parts, summed along the axes of the contracting dimensions."""
        keep_and_sum(op, op.remembered("contracted", _NUMBERS, lambda: _contracted_axes(op)), op.operand_layouts[0])

    def pad(self, op: PadOp) -> None:
        """Contracting dimensions are padded with zeros on both sides."""
        numbers = views.DotGeneral(op.op).dot_dimension_numbers
        op.mask(0, list(numbers.lhs_contracting_dimensions))
        op.mask(1, list(numbers.rhs_contracting_dimensions))
        op.grow()

    def product_size(self, op: ir.Operation) -> ProductSize:
        numbers = views.DotGeneral(op).dot_dimension_numbers
        return _product_size(op, numbers.lhs_contracting_dimensions, numbers.lhs_batching_dimensions)


@op_model("stablehlo.dot")
class Dot(OpModel):
    """Product of vectors and matrices: rows of lhs and columns of rhs pass through, the inner dimension reduces."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        lhs, rhs = op.operand(0), op.operand(1)
        if len(lhs) == 2:
            rule.factor(lhs[0], {0: 0}, {0: 0})
        if len(rhs) == 2:
            rule.factor(rhs[1], {1: 1}, {0: len(lhs) - 1})
        rule.factor(rhs[0], {0: len(lhs) - 1, 1: 0}, kind=REDUCTION)
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """Localize like dot_general; the last dimension of the left operand is contracted."""
        lhs = op.operand_layouts[0]
        keep_and_sum(op, lhs.dim_axes[-1], lhs)

    def pad(self, op: PadOp) -> None:
        """Pad like dot_general."""
        op.mask(0, [op.operand_layouts[0].rank - 1])
        op.mask(1, [0])
        op.grow()

    def product_size(self, op: ir.Operation) -> ProductSize:
        return _product_size(op, [len(op.operands[0].type.shape) - 1], [])


@op_model("chlo.ragged_dot")
class RaggedDot(OpModel):
    """Product of groups of matrices: each device computes the rows and the groups that it has."""

    partial_results = True

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule of a product; devices with a part of the ragged dimension have parts of some groups.

        Where groups are sharded, in the right operand or in the result, each device computes its groups, and the
        results of rows are summed over the devices. Group sizes are sharded like the groups of the result, if groups
        are summed separately; all devices need all sizes in any case.
        """
        dims = RaggedDims.of(op.required("ragged_dot_dimension_numbers"))
        rule = RuleBuilder(op)
        lhs, rhs, sizes = (op.operand(number) for number in range(3))
        result_dims = _ResultDims(dims, len(lhs), len(rhs))
        prefix = dims.prefix(len(lhs)) if len(sizes) > 1 else ()
        for left, right in zip(dims.lhs_batching, dims.rhs_batching, strict=True):
            rule.factor(lhs[left], {0: left, 1: right, **_along(prefix, left)}, {0: result_dims.of_lhs(left)})
        for left in dims.lhs_free(len(lhs)):
            rule.factor(lhs[left], {0: left, **_along(prefix, left)}, {0: result_dims.of_lhs(left)})
        for right in dims.rhs_free(len(rhs)):
            rule.factor(rhs[right], {1: right}, {0: result_dims.of_rhs(right)})
        for left, right in zip(dims.lhs_contracting, dims.rhs_contracting, strict=True):
            rule.factor(lhs[left], {0: left, 1: right, **_along(prefix, left)}, kind=REDUCTION)
        groups, last = op.operand(2)[-1], len(sizes) - 1
        if dims.contracts_groups and not prefix:
            rule.factor(groups, {2: last}, {0: 0})
            return rule.build()
        # With sizes for each of several parts no rotation brings the first group of a device to the front of all.
        if dims.contracts_groups:
            rule.factor(groups, {}, {0: 0}, NEED_REPLICATION)
        elif dims.rhs_group:
            rule.factor(groups, {1: dims.rhs_group[0]}, kind=NEED_REPLICATION if prefix else REDUCTION)
        rule.factor(groups, {2: last}, kind=NEED_REPLICATION)
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """Restrict the sizes of groups to the rows of the device.

        A device with some of the groups moves their rows to the front, where its first group begins, and computes zeros
        for rows of other groups.
        """
        if op.is_replicated:
            return
        _RaggedDot(op).lower()

    def pad(self, op: PadOp) -> None:
        """Pad like dot_general; groups that are padding have no rows."""
        dims = views.ChloRaggedDot(op.op).ragged_dot_dimension_numbers
        op.mask(0, dims.lhs_contracting)
        op.mask(1, dims.rhs_contracting)
        sizes = op.operand_layouts[2]
        op.mask(2, [sizes.rank - 1])
        groups = op.result_layouts[0].padded_shape[0] if dims.contracts_groups else sizes.shape[-1]
        for dim in dims.rhs_group:
            groups = op.op.operands[1].type.shape[dim]
        op.high_pad(2, [*op.op.operands[2].type.shape[:-1], groups], sizes.sharding)
        op.drop_rule()
        op.grow()

    def product_size(self, op: ir.Operation) -> ProductSize:
        dims = views.ChloRaggedDot(op).ragged_dot_dimension_numbers
        lhs, result = op.operands[0].type.shape, op.results[0].type.shape
        elements = math.prod(result) // (max(1, result[0]) if dims.contracts_groups else 1)
        rows = math.prod(lhs[dim] for dim in dims.lhs_free(len(lhs)))
        return ProductSize(rows, elements, math.prod(lhs[dim] for dim in dims.lhs_contracting))

    def work_share(self, op: ir.Operation) -> float:
        """Return the share of the groups that the local op computes."""
        cut = views.DynamicSlice.defining(views.ChloRaggedDot(op).group_sizes)
        return 1.0 if cut is None else math.prod(cut.result.type.shape) / max(1, math.prod(cut.operand.type.shape))


def _product_size(op: ir.Operation, contracted: Sequence[int], batch: Sequence[int]) -> ProductSize:
    shape = op.operands[0].type.shape
    rows = math.prod(size for dim, size in enumerate(shape) if dim not in contracted and dim not in batch)
    return ProductSize(rows, math.prod(op.results[0].type.shape), math.prod(shape[dim] for dim in contracted))


def _contracted_axes(op: LocalOp) -> AxisList:
    numbers = views.DotGeneral(op.op).dot_dimension_numbers
    return merged_axes(op.operand_layouts[0], numbers.lhs_contracting_dimensions)


def _along(prefix: Sequence[int], left: int) -> dict[int, int]:
    """Return the dimension of the group sizes that corresponds to a dimension of the left operand."""
    return {2: prefix.index(left)} if left in prefix else {}


class _ResultDims:
    """Result dimensions of the operands' dimensions."""

    def __init__(self, dims: RaggedDims, lhs_rank: int, rhs_rank: int) -> None:
        self._lhs = [*dims.lhs_batching, *dims.lhs_free(lhs_rank)]
        self._rhs = list(dims.rhs_free(rhs_rank))
        self._first = int(dims.contracts_groups)

    def of_lhs(self, dim: int) -> int:
        return self._first + self._lhs.index(dim)

    def of_rhs(self, dim: int) -> int:
        return self._first + len(self._lhs) + self._rhs.index(dim)


class _RaggedDot:
    def __init__(self, op: LocalOp) -> None:
        self.op, self.b = op, op.b
        self.dims = views.ChloRaggedDot(op.op).ragged_dot_dimension_numbers
        self.lhs, self.rhs, self.result = *op.operand_layouts[:2], op.result_layouts[0]
        self.length = self.lhs.local_shape[self.dims.ragged]

    def lower(self) -> None:
        self.op.bring(2, self.op.setting.layouts.of(self.op.operand_layouts[2].type, None))
        ends = self._ends(self.op.operands[2])
        if self.lhs.is_sharded(self.dims.ragged):
            ends = self._within_part(ends)
        first = self._first_group()
        if first is None:
            if self.lhs.is_sharded(self.dims.ragged):
                self.op.op.operands[2] = self._differences(self.b, ends)
            self.op.keep()
            combine_results(self.op)
        else:
            self._of_groups(ends, first)

    def _ends(self, sizes: ir.Value) -> ir.Value:
        """Compute the end of each group in the ragged dimension."""
        b = self.b
        rank, count = sizes.type.rank, sizes.type.shape[-1]
        padding = [(0, 0)] * (rank - 1) + [(count - 1, 0)]
        zero = b.constant(0, sizes.type.element_type)
        return b.reduce_window(sizes, zero, [1] * (rank - 1) + [count], ops.add, padding=padding)

    def _within_part(self, ends: ir.Value) -> ir.Value:
        """Compute the ends of the groups within the device's part of the ragged dimension."""
        b, element = self.b, ends.type.element_type
        offset = b.convert(self.op.offset(self.lhs, self.dims.ragged), element)
        moved = b.subtract(ends, b.broadcast_in_dim(offset, ends.type.shape))
        return b.clamp(b.constant(0, element), moved, b.constant(self.length, element))

    def _differences(self, b: Builder, ends: ir.Value) -> ir.Value:
        """Return the sizes of the groups with these ends; the first begins at 0."""
        *prefix, count = ends.type.shape
        zeros = b.constant(0, with_shape(ends.type, [*prefix, 1]))
        starts = b.slice(ends, [0] * ends.type.rank, [*prefix, count - 1])
        return b.subtract(ends, b.concatenate([zeros, starts], len(prefix)))

    # Devices with some of the groups ---------------------------------------------------------------

    def _group_dim(self) -> tuple[Layout, int] | None:
        """Return the layout and the dimension that has the groups; None without one."""
        if self.dims.contracts_groups:
            return self.result, 0
        return (self.rhs, self.dims.rhs_group[0]) if self.dims.rhs_group else None

    def _first_group(self) -> ir.Value | None:
        """The number of the first group of the device; None if it has all of them."""
        found = self._group_dim()
        return self.op.offset(*found) if found is not None and found[0].is_sharded(found[1]) else None

    def _of_groups(self, ends: ir.Value, first: ir.Value) -> None:
        """Restrict the op to the device's own groups; the sizes are a vector."""
        op, b, dims = self.op, self.b, self.dims
        layout, dim = self._group_dim() or (self.rhs, 0)
        count = layout.local_shape[dim]
        sizes = self._differences(b, ends)
        start = b.reshape(b.dynamic_slice(b.subtract(ends, sizes), [first], [1]), ())
        own = b.dynamic_slice(sizes, [first], [count])
        op.op.operands[0] = self._rotated(b, op.operands[0], dims.ragged, start)
        if dims.rhs_ragged is not None:
            op.op.operands[1] = self._rotated(b, op.operands[1], dims.rhs_ragged, start)
        op.op.operands[2] = own
        op.keep()
        combine_results(op)
        place = dims.of_result(self.lhs.rank)
        if place is not None:
            slots = uses_of(op.op.results[0])
            use_instead(slots, self._put_back(Builder.after(op.op), place, own, start))

    def _put_back(self, b: Builder, place: int, sizes: ir.Value, start: ir.Value) -> ir.Value:
        """Return the result with the rows of the device's groups at their positions, and zeros elsewhere."""
        made, element = self.op.op.results[0], sizes.type.element_type
        shape = made.type.shape
        total = b.reduce(sizes, b.constant(0, element), [0], ops.add)
        inside = b.compare(b.iota(tensor_type(shape, element), place), b.broadcast_in_dim(total, shape), "LT")
        made = b.select(inside, made, b.constant(0, made.type))
        return self._rotated(b, made, place, b.subtract(b.constant(self.length, element), start))

    def _rotated(self, b: Builder, x: ir.Value, dim: int, start: ir.Value) -> ir.Value:
        """Return `x` rotated to begin at `start`, cut to its length."""
        zero = b.constant(0, start.type)
        return slice_along(b, b.concatenate([x, x], dim), dim, start, self.length, zero)
