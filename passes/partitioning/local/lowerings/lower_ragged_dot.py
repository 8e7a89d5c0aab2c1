"""Products of groups of matrices: each device computes the rows and the groups that it has (spec: partitioner, 7.8)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.tensor_types import tensor_type, with_shape
from sdy.passes.partitioning.emit.index_arithmetic import slice_along
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.partial_results import combine_results
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.ragged_dims import RaggedDims
from sdy.stablehlo.ops import Builder


@local_lowering("chlo.ragged_dot", partial_results=True)
def ragged_dot(op: LocalOp) -> None:
    """The sizes of groups become those within the device's part.

    Of a device that has some of the groups, their rows are brought to the front, since the first group begins there;
    rows of other groups are zero in what it computes.
    """
    if op.is_replicated:
        return
    _RaggedDot(op).lower()


class _RaggedDot:
    def __init__(self, op: LocalOp) -> None:
        self.op, self.b = op, op.b
        self.dims = RaggedDims.of(op.op.attributes["ragged_dot_dimension_numbers"])
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
        """Where each group ends, in i32 as positions of devices are."""
        b = self.b
        rank, count = sizes.type.rank, sizes.type.shape[-1]
        padding = [(0, 0)] * (rank - 1) + [(count - 1, 0)]
        zero = b.constant(0, sizes.type.element_type)
        return b.reduce_window(sizes, zero, [1] * (rank - 1) + [count], ops.add, padding=padding)

    def _within_part(self, ends: ir.Value) -> ir.Value:
        """Where the groups end in the device's part of the ragged dimension."""
        b, element = self.b, ends.type.element_type
        offset = b.convert(self.op.offset(self.lhs, self.dims.ragged), element)
        moved = b.subtract(ends, b.broadcast_in_dim(offset, ends.type.shape))
        return b.clamp(b.constant(0, element), moved, b.constant(self.length, element))

    def _differences(self, b: Builder, ends: ir.Value) -> ir.Value:
        """The sizes of the groups that end there; the first begins at 0."""
        *prefix, count = ends.type.shape
        zeros = b.constant(0, with_shape(ends.type, [*prefix, 1]))
        starts = b.slice(ends, [0] * ends.type.rank, [*prefix, count - 1])
        return b.subtract(ends, b.concatenate([zeros, starts], len(prefix)))

    # Devices with some of the groups ---------------------------------------------------------------

    def _group_dim(self) -> tuple[Layout, int] | None:
        """Where the groups are."""
        if self.dims.contracts_groups:
            return self.result, 0
        return (self.rhs, self.dims.rhs_group[0]) if self.dims.rhs_group else None

    def _first_group(self) -> ir.Value | None:
        """The number of the first group of the device; None if it has all of them."""
        found = self._group_dim()
        return self.op.offset(*found) if found is not None and found[0].is_sharded(found[1]) else None

    def _of_groups(self, ends: ir.Value, first: ir.Value) -> None:
        """As `ragged_dot` says, with sizes that are a vector."""
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
        """The result with the rows of the device's groups where they belong, and zeros for those of others."""
        made, element = self.op.op.results[0], sizes.type.element_type
        shape = made.type.shape
        total = b.reduce(sizes, b.constant(0, element), [0], ops.add)
        inside = b.compare(b.iota(tensor_type(shape, element), place), b.broadcast_in_dim(total, shape), "LT")
        made = b.select(inside, made, b.constant(0, made.type))
        return self._rotated(b, made, place, b.subtract(b.constant(self.length, element), start))

    def _rotated(self, b: Builder, x: ir.Value, dim: int, start: ir.Value) -> ir.Value:
        """`x` from `start` on, at most its length, followed by what is before."""
        zero = b.constant(0, start.type)
        return slice_along(b, b.concatenate([x, x], dim), dim, start, self.length, zero)
