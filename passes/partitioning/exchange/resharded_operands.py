"""Ops on an operand resharded for them alone, computed in the operand's former layout if that sends less.

Slices of a sharded dimension, at dynamic indices or of a few elements that are replicated: each device slices its own
elements, and the results are summed.

    %0 = sdy.reshard %a <@mesh, [{}]>                // of <@mesh, [{"x"}]>
    %1 = stablehlo.dynamic_slice %0, %i, sizes = [2] : (tensor<16xf32>, tensor<i32>) -> tensor<2xf32>
==> %0 = sdy.manual_computation(%a, %i) ... out_shardings=[<@mesh, [{}], unreduced={"x"}>] (%part: tensor<4xf32>, ...) {
      ...                                            // two elements; zeros instead of those that others have
    }
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<2xf32>

Scatters of a single window become updates in place, which each device does for its part. JAX emits them for
`x.at[5:8].set(u)`, and with an addition for `x.at[5:8].add(u)`.

    %1 = "stablehlo.scatter"(%0, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
           scatter_dims_to_operand_dims = [0]>}> ({ ... return the second argument })
         : (tensor<16xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<16xf32>
==> %0 = stablehlo.dynamic_update_slice %a, %u, %index {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<16xf32>, tensor<3xf32>, tensor<i32>) -> tensor<16xf32>
    %1 = stablehlo.select %is_inside, %0, %a         // a scatter leaves out a window that is not all inside
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication, as_index, index_type
from sdy.dialect.ir_builders.init_values import bits_of, exact_zero, from_bits, moved_type, nothing
from sdy.dialect.ir_builders.with_sharding import (
    ManualResult,
    build_manual_computation,
    replace_resharded,
    scalars,
    with_sharding,
)
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_scalar_expansion
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, terminator, users
from sdy.mlir.tensor_types import with_element_type, with_shape
from sdy.mlir.walk import enclosing
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.programs import bits_matter
from sdy.passes.partitioning.exchange.dim_exchange import Candidate, Exchange, build_cheapest
from sdy.passes.partitioning.exchange.gathering import LayoutOf
from sdy.passes.partitioning.reshard_planning.reshard_search import final_layout, reshard_bytes
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.idioms.loops import WHILE, combining_ops
from sdy.stablehlo.ops import Builder


class _Resharded(NamedTuple):
    """An op whose first operand is `source`, resharded to `operand`, and whose result users reshard to `final`."""

    source: ir.Value
    layout: Layout
    operand: Layout
    result: Layout
    final: Layout

    @property
    def otherwise(self) -> float:
        """Bytes that the reshards of the operand and the result send."""
        return reshard_bytes(self.layout, self.operand) + reshard_bytes(self.result, self.final)

    @property
    def wanted(self) -> TensorSharding:
        return self.result.sharding or TensorSharding.closed(self.layout.mesh_ref, self.result.rank)


def _resharded(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts) -> _Resharded | None:
    """Return the facts of an op on a resharded operand, which slices need not have; None for any other op.

    None for partial values and single devices, too.
    """
    source, reshard = op.operands[0], defining_op(op.operands[0])
    if reshard is not None and reshard.name == "sdy.reshard":
        (source,) = reshard.operands
    elif op.name != _SLICE:
        return None
    layout, operand, result = layout_of(source), layout_of(op.operands[0]), layout_of(op.results[0])
    if layout.mesh is None or layout.sharding is None or layout.mesh.is_maximal:
        return None
    if any(each.unreduced for each in (layout, operand, result)) or result.mesh not in (None, layout.mesh):
        return None
    return _Resharded(source, layout, operand, result, final_layout(op.results[0], layouts) or result)


def _largest(element: ir.AnyType) -> int:
    """The largest number of an integer type."""
    return (1 << (element.width - (0 if element.is_unsigned else 1))) - 1


_SLICE = "stablehlo.slice"

# Slices ------------------------------------------------------------------------------------------


def slice_by_all_reduce(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts, comm: Communication) -> bool:
    """Rewrite a slice, or a dynamic_slice of a value resharded for it, if that sends less."""
    given = None if _is_in_loop(op) and op.name != _SLICE else _resharded(op, layout_of, layouts)
    if given is None or (op.name == _SLICE and any(stride != 1 for stride in views.Slice(op).strides)):
        return False
    layout, result = given.layout, given.result
    sliced = [dim for dim, size in enumerate(result.shape) if size != layout.shape[dim]]
    summed = [dim for dim in sliced if layout.is_sharded(dim)]
    if not summed or layout.sharding is None or 0 in result.shape or _is_boolean(layout):
        return False
    made = layouts.of(result.type, layout.sharding.replicated_along(sliced).close())
    count = math.prod(layout.shards[dim] for dim in summed)
    sent = moved_bytes("all_reduce", count, made.local_bytes) + reshard_bytes(made, given.final)
    exchange = _SliceExchange(op, given, made, sliced, summed, comm)
    otherwise = reshard_bytes(result, given.final) if _is_needed_by_others(given, layout_of) else given.otherwise
    return build_cheapest(Candidate(otherwise), Candidate(sent, exchange.run))


def _is_needed_by_others(given: _Resharded, layout_of: LayoutOf) -> bool:
    """Return whether other ops take the same resharded operand."""
    resharded = [user.results[0] for user in users(given.source) if user.name == "sdy.reshard"]
    return sum(len(list(value.uses)) for value in resharded if layout_of(value) == given.operand) > 1


def _is_in_loop(op: ir.Operation) -> bool:
    """Return whether the reshard could be done once for all rounds of a loop."""
    return enclosing(op, WHILE) is not None


def _is_boolean(layout: Layout) -> bool:
    element = layout.type.element_type
    return isinstance(element, ir.IntegerType) and element.width == 1


class _SliceExchange(Exchange):
    """A slice, of `sliced` dimensions, that becomes a manual computation and an all_reduce.

    The `summed` dimensions are sharded.
    """

    def __init__(
        self,
        op: ir.Operation,
        given: _Resharded,
        made: Layout,
        sliced: Sequence[int],
        summed: Sequence[int],
        comm: Communication,
    ) -> None:
        super().__init__(comm, given.layout, range(given.layout.rank))
        assert made.sharding is not None
        self.op, self.given, self.made, self.sliced, self.summed = op, given, made, sliced, summed
        self.whole = made.sharding
        self.axes = self.mesh.sort_and_merge(axis for dim in summed for axis in self.layout.dim_axes[dim])
        self.sizes = list(op.results[0].type.shape)
        self.number = index_type(*(self.layout.padded_shape[dim] + 2 * self.sizes[dim] for dim in sliced))
        """The type in which indices are computed."""
        element = made.type.element_type
        self.summand = moved_type(element) if bits_matter(op.results[0]) else element

    def run(self) -> None:
        b = Builder.before(self.op)
        part = self.entering(b, self.given.source, self.layout)
        indices = [self._index(b, dim) for dim in self.sliced]
        partial = self.whole.with_unreduced(self.axes, Reduction.SUM)
        element = self.made.type.element_type
        sums = with_element_type(with_shape(self.made.type, self.made.padded_shape), self.summand)
        entering = [part, *scalars(indices, self.layout.mesh_ref)]
        (cut,) = build_manual_computation(
            b, entering, [ManualResult(sums, partial, self.sizes)], self.manual, self._body
        )
        moved = sdy_ops.all_reduce(cut, self.axes, self.whole, loc=b.location, ip=b.ip)
        value = with_sharding(from_bits(b, moved, element), self.whole) if self.summand != element else moved
        is_wanted = self.given.result.placement == self.made.placement
        replace_resharded(self.op, value, self.whole if is_wanted else self.given.wanted)

    def _index(self, b: Builder, dim: int) -> ir.Value:
        """Return the start of the slice along `dim`, clamped to the operand."""
        if self.op.name == _SLICE:
            return b.constant(views.Slice(self.op).start_indices[dim], self.number)
        index = self.op.operands[1 + dim]
        element = index.type.element_type
        last = min(self.layout.shape[dim] - self.sizes[dim], _largest(element))
        inside = b.clamp(b.constant(0, element), index, b.constant(last, element))
        return as_index(b, inside, self.number)

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        """Cut the elements nearest to the slice, and then the slice out of them and zeros around them.

        Zeros around all of the part would be a copy of it where several slices share them.
        """
        x, *indices = arguments
        zero = b.constant(0, self.number)
        near: list[ir.Value] = [zero] * self.layout.rank
        starts: list[ir.Value] = [zero] * self.layout.rank
        margins = [self.sizes[dim] if dim in self.summed else 0 for dim in range(self.layout.rank)]
        for dim, index in zip(self.sliced, indices, strict=True):
            near[dim], starts[dim] = self._starts(b, dim, index) if dim in self.summed else (index, zero)
        element = x.type.element_type
        sizes = [self.sizes[dim] if dim in self.sliced else size for dim, size in enumerate(self.layout.local_shape)]
        nearest = b.dynamic_slice(x, near, list(map(min, sizes, self.layout.local_shape)))
        wide = b.pad(nearest, b.constant(nothing(element), element), margins, margins)
        cut = b.dynamic_slice(wide, starts, sizes)
        return [bits_of(b, cut) if self.summand != element else cut]

    def _starts(self, b: Builder, dim: int, index: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return where the nearest elements start in the device's part, and the slice in them and zeros around them."""
        part, size = self.layout.local_shape[dim], self.sizes[dim]
        count = min(part, size)
        zero, wide = b.constant(0, self.number), b.constant(size, self.number)
        position = as_index(b, self.position(b, dim), self.number)
        start = b.subtract(index, b.multiply(position, b.constant(part, self.number)))
        near = b.clamp(zero, start, b.constant(part - count, self.number))
        return near, b.clamp(zero, b.add(b.subtract(start, near), wide), b.constant(count + size, self.number))


# Scatters ----------------------------------------------------------------------------------------


def update_in_place(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts) -> bool:
    """Rewrite a scatter into a value resharded for it, if that sends less."""
    given = _resharded(op, layout_of, layouts) if len(op.operands) == 3 else None
    if given is None or not _is_single_window(op):
        return False
    layout, update = given.layout, layout_of(op.operands[2])
    if layout.sharding is None or update.unreduced or 0 in layout.shape or 0 in update.shape:
        return False
    adds = combining_ops(op.regions[0]) == ["stablehlo.add"]
    if not adds and not _returns_update(op.regions[0]):
        return False
    whole = layout.sharding.with_dim_axes(
        axes if update.shape[dim] == layout.shape[dim] else () for dim, axes in enumerate(layout.dim_axes)
    )
    wanted = layouts.of(update.type, whole)
    sent = reshard_bytes(update, wanted) + reshard_bytes(layout, given.final)
    moved_to = whole if update.placement != wanted.placement else None
    return build_cheapest(
        Candidate(given.otherwise), Candidate(sent, lambda: _Update(op, given).run(adds=adds, moved_to=moved_to))
    )


def _is_single_window(op: ir.Operation) -> bool:
    """Return whether there is one index, of a window with all dimensions of the operand."""
    scatter = views.Scatter(op)
    numbers = scatter.scatter_dimension_numbers
    return (
        len(scatter.scatter_indices.type.shape) == 1
        and numbers.index_vector_dim == 0
        and len(numbers.update_window_dims) == len(scatter.results[0].type.shape)
        and not numbers.inserted_window_dims
        and not numbers.input_batching_dims
    )


def _returns_update(region: ir.Region) -> bool:
    """Return whether the update replaces the old elements."""
    block = region.blocks[0]
    return list(terminator(block).operands) == [block.arguments[1]]


class _Update:
    """A scatter that becomes an update."""

    def __init__(self, op: ir.Operation, given: _Resharded) -> None:
        self.op, self.given, self.source, self.layout = op, given, given.source, given.layout
        self.b = Builder.before(op)
        self.dims = views.Scatter(op).scatter_dimension_numbers.scattered_dims_to_operand_dims

    def run(self, *, adds: bool, moved_to: TensorSharding | None) -> None:
        """Replace the result by the updated value; the update is resharded if a sharding is given."""
        b, update = self.b, self.op.operands[2]
        if moved_to is not None:
            update = sdy_ops.reshard(update, moved_to, loc=b.location, ip=b.ip)
        element = self.op.operands[1].type.element_type
        components = [self._component(number) for number in range(len(self.dims))]
        starts: list[ir.Value] = [b.constant(0, element)] * self.layout.rank
        for dim, component in zip(self.dims, components, strict=True):
            starts[dim] = component
        zero = exact_zero(self.source.type.element_type)
        into = self._marked(b.constant(zero, self.source.type)) if adds else self.source
        made = self._marked(b.dynamic_update_slice(into, update, starts))
        if adds:
            made = self._marked(b.add(self.source, made))
        inside = self._inside(starts, update)
        if inside is not None:
            made = self._marked(b.select(inside, made, self.source))
        replace_resharded(self.op, made, self.given.wanted)

    def _marked(self, value: ir.Value) -> ir.Value:
        return with_sharding(value, self.layout.sharding)

    def _component(self, number: int) -> ir.Value:
        """Return component `number` of the index, as a constant if it is known."""
        indices = self.op.operands[1]
        made_by = defining_op(indices)
        if made_by is not None and is_scalar_expansion(made_by):
            return made_by.operands[0]
        return self.b.reshape(self.b.slice(indices, [number], [number + 1]), ())

    def _inside(self, starts: list[ir.Value], update: ir.Value) -> ir.Value | None:
        """Return whether the window is inside at run time; None if it is known to be."""
        b = self.b
        found: ir.Value | None = None
        for dim in self.dims:
            last = self.layout.shape[dim] - update.type.shape[dim]
            known = splat_integer(starts[dim])
            if known is not None and 0 <= known <= last:
                continue
            element = starts[dim].type.element_type
            limits = ((0, "GE"), (min(last, _largest(element)), "LE"))
            bounds = [b.compare(starts[dim], b.constant(limit, element), direction) for limit, direction in limits]
            for bound in bounds:
                found = bound if found is None else b.and_(found, bound)
        return found
