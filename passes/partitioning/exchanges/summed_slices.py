"""Slices at dynamic indices of a sharded dimension: each device cuts out what it has of them, and all add that up.

    %0 = sdy.reshard %a <@mesh, [{}]>                // of <@mesh, [{"x"}]>
    %1 = stablehlo.dynamic_slice %0, %i, sizes = [2] : (tensor<16xf32>, tensor<i32>) -> tensor<2xf32>
==> %0 = sdy.manual_computation(%a, %i) ... out_shardings=[<@mesh, [{}], unreduced={"x"}>] (%part: tensor<4xf32>, ...) {
      ...                                            // two elements; zeros instead of those that others have
    }
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<2xf32>
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.bits import bits_of, from_bits, moved_type, nothing
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.devices import as_index, index_type
from sdy.dialect.ir_builders.manual_frame import Entering, Leaving, by_hand, scalars
from sdy.dialect.ir_builders.operand_slots import replace_resharded
from sdy.dialect.ir_builders.positions import manual_names, position_along
from sdy.dialect.ir_builders.with_sharding import high_padded, marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_element_type, with_shape
from sdy.passes.costs.collective_cost import moved_bytes
from sdy.passes.partitioning.facts.signs_of_zeros import bits_matter
from sdy.passes.partitioning.reshard_planning.reshard_cost import final_layout, reshard_bytes
from sdy.stablehlo.ops import Builder

LayoutOf = Callable[[ir.Value], Layout]


def sum_slices(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts, comm: Communication) -> bool:
    """Rewrites a dynamic_slice of a value that is resharded for it, if that sends less."""
    owner = op.operands[0].owner
    if isinstance(owner, ir.Block) or owner.operation.name != "sdy.reshard" or _is_in_loop(op):
        return False
    source = owner.operation.operands[0]
    layout, result = layout_of(source), layout_of(op.results[0])
    sliced = [dim for dim, size in enumerate(result.shape) if size != layout.shape[dim]]
    summed = [dim for dim in sliced if layout.is_sharded(dim)]
    if not summed or layout.mesh is None or layout.sharding is None or layout.mesh.is_maximal:
        return False
    if layout.unreduced or result.unreduced or layout_of(op.operands[0]).unreduced or 0 in result.shape:
        return False
    if result.mesh not in (None, layout.mesh) or _is_boolean(layout):
        return False
    whole = layout.sharding.with_dim_axes(
        () if dim in sliced else axes for dim, axes in enumerate(layout.dim_axes)
    ).close()
    made = layouts.of(result.type, whole)
    final = final_layout(op.results[0], layouts) or result
    count = math.prod(layout.shards[dim] for dim in summed)
    sent = moved_bytes("all_reduce", count, made.local_bytes) + reshard_bytes(made, final)
    otherwise = reshard_bytes(layout, layout_of(op.operands[0])) + reshard_bytes(result, final)
    if sent >= otherwise:
        return False
    _SliceExchange(op, source, layout, made, _Slices(sliced, summed), comm).run(result)
    return True


@dataclass(frozen=True)
class _Slices:
    """The dimensions of which a slice is taken, and those among them that are sharded."""

    sliced: Sequence[int]
    summed: Sequence[int]


def _is_in_loop(op: ir.Operation) -> bool:
    """Whether the reshard could be done once for all rounds of a loop."""
    at = op.parent
    while at is not None and at.operation.name != "func.func":
        if at.operation.name == "stablehlo.while":
            return True
        at = at.operation.parent
    return False


def _is_boolean(layout: Layout) -> bool:
    element = layout.type.element_type
    return isinstance(element, ir.IntegerType) and element.width == 1


class _SliceExchange:
    """One dynamic_slice that becomes a manual computation and an all_reduce."""

    def __init__(
        self, op: ir.Operation, source: ir.Value, layout: Layout, made: Layout, slices: _Slices, comm: Communication
    ) -> None:
        assert layout.mesh is not None and layout.sharding is not None and made.sharding is not None
        self.op, self.source, self.layout, self.made, self.slices, self.comm = op, source, layout, made, slices, comm
        self.mesh, self.sharding, self.whole = layout.mesh, layout.sharding, made.sharding
        self.sizes = list(op.results[0].type.shape)
        self.number = index_type(*(layout.padded_shape[dim] + 2 * self.sizes[dim] for dim in slices.sliced))
        """The type in which indices are computed."""
        element = made.type.element_type
        self.summand = moved_type(element) if bits_matter(op.results[0]) else element

    @property
    def axes(self) -> AxisList:
        return self.mesh.sort_and_merge(axis for dim in self.slices.summed for axis in self.layout.dim_axes[dim])

    def run(self, result: Layout) -> None:
        b = Builder.before(self.op)
        padded = high_padded(b, self.source, self.layout.padded_shape, self.sharding)
        indices = [self._index(b, dim) for dim in self.slices.sliced]
        partial = self.whole.with_unreduced(self.axes, Reduction.SUM)
        element = self.made.type.element_type
        sums = with_element_type(with_shape(self.made.type, self.made.padded_shape), self.summand)
        entering = [Entering(padded, self.sharding, self.layout.local_type), *scalars(indices, self.layout.mesh_ref)]
        manual = manual_names(self.mesh, self.layout.dim_axes)
        (cut,) = by_hand(b, entering, [Leaving(sums, partial, self.sizes)], manual, self._body)
        moved = sdy_ops.all_reduce(cut, self.axes, self.whole, loc=b.location, ip=b.ip)
        value = marked(from_bits(b, moved, element), self.whole) if self.summand != element else moved
        wanted = result.sharding or TensorSharding.closed(self.layout.mesh_ref, result.rank)
        replace_resharded(self.op, value, self.whole if result.placement == self.made.placement else wanted)

    def _index(self, b: Builder, dim: int) -> ir.Value:
        """Where the slice begins along `dim`, moved so that it lies inside."""
        index = self.op.operands[1 + dim]
        element = index.type.element_type
        largest = (1 << (element.width - (0 if element.is_unsigned else 1))) - 1
        last = min(self.layout.shape[dim] - self.sizes[dim], largest)
        inside = b.clamp(b.constant(0, element), index, b.constant(last, element))
        return as_index(b, inside, self.number)

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        x, *indices = arguments
        zero = b.constant(0, self.number)
        starts: list[ir.Value] = [zero] * self.layout.rank
        margins = [self.sizes[dim] if dim in self.slices.summed else 0 for dim in range(self.layout.rank)]
        for dim, index in zip(self.slices.sliced, indices, strict=True):
            starts[dim] = self._start(b, dim, index) if dim in self.slices.summed else index
        element = x.type.element_type
        wide = b.pad(x, b.constant(nothing(element), element), margins, margins)
        sizes = [
            self.sizes[dim] if dim in self.slices.sliced else size for dim, size in enumerate(self.layout.local_shape)
        ]
        cut = b.dynamic_slice(wide, starts, sizes)
        return [bits_of(b, cut) if self.summand != element else cut]

    def _start(self, b: Builder, dim: int, index: ir.Value) -> ir.Value:
        """Where the slice begins in the device's part with a margin of zeros, as wide as the slice, on both sides."""
        part, size = self.layout.local_shape[dim], self.sizes[dim]
        position = as_index(b, position_along(self.comm, b, self.mesh, self.layout.dim_axes[dim]), self.number)
        offset = b.subtract(b.multiply(position, b.constant(part, self.number)), b.constant(size, self.number))
        return b.clamp(b.constant(0, self.number), b.subtract(index, offset), b.constant(part + size, self.number))
