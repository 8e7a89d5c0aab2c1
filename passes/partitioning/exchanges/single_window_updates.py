"""Scatters of a single window into a sharded dimension become updates in place, which each device does for its part.

    %0 = sdy.reshard %a <@mesh, [{}]>                // of <@mesh, [{"x"}]>
    %1 = "stablehlo.scatter"(%0, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
           scatter_dims_to_operand_dims = [0]>}> ({ ... return the second argument })
         : (tensor<16xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<16xf32>
==> %0 = stablehlo.dynamic_update_slice %a, %u, %index {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<16xf32>, tensor<3xf32>, tensor<i32>) -> tensor<16xf32>
    %1 = stablehlo.select %is_inside, %0, %a         // a scatter leaves out a window that is not all inside

This is what JAX makes of `x.at[5:8].set(u)`, and with an addition of `x.at[5:8].add(u)`.
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.identities import exact_zero
from sdy.dialect.ir_builders.operand_slots import replace_resharded
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting.insertion import terminator
from sdy.passes.partitioning.reshard_planning.reshard_cost import final_layout, reshard_bytes
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder

LayoutOf = Callable[[ir.Value], Layout]


def update_in_place(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts) -> bool:
    """Rewrites a scatter into a value that is resharded for it, if that sends less."""
    owner = op.operands[0].owner
    if len(op.operands) != 3 or isinstance(owner, ir.Block) or owner.operation.name != "sdy.reshard":
        return False
    source = owner.operation.operands[0]
    layout, result, update = layout_of(source), layout_of(op.results[0]), layout_of(op.operands[2])
    if layout.mesh is None or layout.mesh.is_maximal or layout.sharding is None or not _is_single_window(op):
        return False
    if any(each.unreduced for each in (layout, result, update, layout_of(op.operands[0]))):
        return False
    if result.mesh not in (None, layout.mesh) or 0 in layout.shape or 0 in update.shape:
        return False
    adds = combining_ops(op.regions[0]) == ["stablehlo.add"]
    if not adds and not _returns_update(op.regions[0]):
        return False
    whole = layout.sharding.with_dim_axes(
        axes if update.shape[dim] == layout.shape[dim] else () for dim, axes in enumerate(layout.dim_axes)
    )
    wanted = layouts.of(update.type, whole)
    final = final_layout(op.results[0], layouts) or result
    otherwise = reshard_bytes(layout, layout_of(op.operands[0])) + reshard_bytes(result, final)
    if reshard_bytes(update, wanted) + reshard_bytes(layout, final) >= otherwise:
        return False
    _Update(op, source, layout, whole).run(result, adds=adds, moves=update.placement != wanted.placement)
    return True


def _is_single_window(op: ir.Operation) -> bool:
    """Whether there is one index, of a window with all dimensions of the operand."""
    numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    rank = len(op.results[0].type.shape)
    return (
        len(op.operands[1].type.shape) == 1
        and numbers.index_vector_dim == 0
        and len(numbers.update_window_dims) == rank
        and not list(numbers.inserted_window_dims)
        and not list(numbers.input_batching_dims)
    )


def _returns_update(region: ir.Region) -> bool:
    """Whether the update takes the place of what was there."""
    block = region.blocks[0]
    return list(terminator(block).operands) == [block.arguments[1]]


class _Update:
    """One scatter that becomes an update."""

    def __init__(self, op: ir.Operation, source: ir.Value, layout: Layout, whole: TensorSharding) -> None:
        assert layout.sharding is not None
        self.op, self.source, self.layout, self.whole, self.sharding = op, source, layout, whole, layout.sharding
        self.b = Builder.before(op)
        self.dims = list(
            stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"]).scattered_dims_to_operand_dims
        )

    def run(self, result: Layout, *, adds: bool, moves: bool) -> None:
        b, update = self.b, self.op.operands[2]
        if moves:
            update = sdy_ops.reshard(update, self.whole, loc=b.location, ip=b.ip)
        element = self.op.operands[1].type.element_type
        components = [self._component(number) for number in range(len(self.dims))]
        starts: list[ir.Value] = [b.constant(0, element)] * self.layout.rank
        for dim, component in zip(self.dims, components, strict=True):
            starts[dim] = component
        nothing = exact_zero(self.source.type.element_type)
        into = self._marked(b.constant(nothing, self.source.type)) if adds else self.source
        made = self._marked(b.dynamic_update_slice(into, update, starts))
        if adds:
            made = self._marked(b.add(self.source, made))
        inside = self._inside(starts, update)
        if inside is not None:
            made = self._marked(b.select(inside, made, self.source))
        replace_resharded(self.op, made, result.sharding or TensorSharding.closed(self.layout.mesh_ref, result.rank))

    def _marked(self, value: ir.Value) -> ir.Value:
        return marked(value, self.sharding)

    def _component(self, number: int) -> ir.Value:
        """Component `number` of the index; a constant if it is one."""
        indices = self.op.operands[1]
        owner = indices.owner
        if not isinstance(owner, ir.Block) and owner.operation.name == "stablehlo.broadcast_in_dim":
            value = owner.operation.operands[0]
            if not value.type.shape:
                return value
        return self.b.reshape(self.b.slice(indices, [number], [number + 1]), ())

    def _inside(self, starts: list[ir.Value], update: ir.Value) -> ir.Value | None:
        """Whether the window is all inside; None if it is known to be."""
        b = self.b
        found: ir.Value | None = None
        for dim in self.dims:
            last = self.layout.shape[dim] - update.type.shape[dim]
            known = splat_integer(starts[dim])
            if known is not None and 0 <= known <= last:
                continue
            element = starts[dim].type.element_type
            largest = (1 << (element.width - (0 if element.is_unsigned else 1))) - 1
            bounds = [
                b.compare(starts[dim], b.constant(0, element), "GE"),
                b.compare(starts[dim], b.constant(min(last, largest), element), "LE"),
            ]
            for bound in bounds:
                found = bound if found is None else b.and_(found, bound)
        return found
