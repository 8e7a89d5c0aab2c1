"""Cumulative sums along a sharded dimension: each device starts from the total of all devices before it.

    %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 16>, padding = [[15, 0]]}> ({add})
         {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
==> %0 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%part: tensor<4xf32>, %value: tensor<f32>) {
      %1 = "stablehlo.reduce_window"(%part, %value) <{window_dimensions = array<i64: 4>, padding = [[3, 0]]}> ({add})
      %2 = ... // the last element of %1
      %3 = "stablehlo.all_gather"(%2) ... : (tensor<1xf32>) -> tensor<4xf32>
      ...      // added to %1: the sum of the elements of %3 that belong to devices before this one
    }

The same holds for any op that combines accumulator and value in a region and has a neutral element; and from the end.
Where every device had the whole operand before its part, it may sum the preceding elements itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.ir_builders.communication import Communication, as_index, index_type
from sdy.dialect.ir_builders.init_values import fillers
from sdy.dialect.ir_builders.with_sharding import (
    ManualOperand,
    ManualResult,
    pad_high,
    replace_with_manual_computation,
    scalars,
)
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import tensor_type, with_shape
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.analysis.neighbours import Growing, growing
from sdy.passes.partitioning.exchange.dim_exchange import Exchange, along, on_parts, set_padding, slice_dim
from sdy.passes.partitioning.exchange.gathering import LayoutOf, replicated_before, was_replicated
from sdy.stablehlo.idioms.loops import combining_ops
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64_array


def exchange_prefixes(op: ir.Operation, layout_of: LayoutOf, comm: Communication, machine: Machine) -> bool:
    """Rewrites a reduce_window whose windows all begin, or all end, at one end of a sharded dimension; else False.

    The time on `machine` decides whether a device with a replicated operand sums the elements before its part, or
    receives their sum.
    """
    count = len(op.results)
    layout = layout_of(op.operands[0])
    found = growing(op)
    names = combining_ops(op.regions[0])
    if found is None or names is None or layout.mesh is None or layout.mesh.is_maximal:
        return False
    if not layout.is_sharded(found.dim):
        return False
    layouts = [layout_of(value) for value in (*op.operands[:count], *op.results)]
    alike = all(each.mesh == layout.mesh and each.dim_axes == layout.dim_axes for each in layouts)
    if not alike or any(each.unreduced for each in layouts) or layout.local_shape[found.dim] < 2:
        return False
    neutral = fillers(Builder.before(op), op.regions[0], list(op.operands)[count:])
    if neutral is None:
        return False
    wholes = _wholes(op, found.dim, layouts[:count], layout_of, machine)
    _PrefixExchange(op, found, layout, names, comm, wholes).run(layouts[:count], layouts[count:], neutral)
    return True


def _wholes(
    op: ir.Operation, dim: int, operands: Sequence[Layout], layout_of: LayoutOf, machine: Machine
) -> list[ir.Value]:
    """Return the replicated operands if summing from them takes no more time than the exchange; else none."""
    values = list(op.operands)[: len(operands)]
    mesh = operands[0].mesh
    if mesh is None or not all(was_replicated(value, [dim], layout_of) for value in values):
        return []
    shards, part = operands[0].shards[dim], operands[0].local_shape[dim]
    names = [axis.name for axis in operands[0].dim_axes[dim]]
    held = sum(layout.local_bytes for layout in operands)
    on_mesh = machine.on(mesh)
    if on_mesh.memory_seconds(shards * held) > on_mesh.collective_seconds("all_gather", shards, held / part, names):
        return []
    return [replicated_before(op, value, [dim], layout_of) for value in values]


class _PrefixExchange(Exchange):
    """One reduce_window that becomes a manual computation.

    `wholes` are the replicated operands; none if devices exchange their sums.
    """

    def __init__(
        self,
        op: ir.Operation,
        windows: Growing,
        layout: Layout,
        names: Sequence[str],
        comm: Communication,
        wholes: Sequence[ir.Value],
    ) -> None:
        super().__init__(comm, layout, range(layout.rank))
        self.op, self.names, self.wholes = op, names, wholes
        self.dim, self.from_end = windows.dim, windows.from_end
        self.part = layout.local_shape[self.dim]

    def run(self, operands: Sequence[Layout], results: Sequence[Layout], neutral: Sequence[ir.Value]) -> None:
        """Puts the computation in the place of the op. Any number of `neutral` values leave results unchanged."""
        b = Builder.before(self.op)
        inits = list(self.op.operands)[len(results) :]
        new = [value for value in neutral if value not in inits]
        given = list(zip(self.op.operands, neutral, operands, strict=False))
        entering = [self.entering(b, x, each, filler) for x, filler, each in given]
        wholes = [
            self._entering_whole(b, whole, filler, each)
            for whole, (_, filler, each) in zip(self.wholes, given, strict=False)
        ]
        leaving = [
            ManualResult(operand.value.type, each.sharding or self.sharding, result.type.shape)
            for operand, each, result in zip(entering, results, self.op.results, strict=True)
        ]

        def body(inside: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
            count = len(results) + len(wholes)
            brought = dict(zip([*inits, *new], arguments[count:], strict=True))
            own, fillers = ([brought[value] for value in some] for some in (inits, neutral))
            parts = self._accumulated(inside, [*arguments[: len(results)], *fillers])
            ends = self._ends_before(inside, parts, arguments[len(results) : count], own, fillers)
            others = [dim for dim in range(self.layout.rank) if dim != self.dim]
            return [
                inside.one(name, (inside.broadcast_in_dim(end, part.type.shape, others), part))
                for name, part, end in zip(self.names, parts, ends, strict=True)
            ]

        scalar = scalars([*inits, *new], self.layout.mesh_ref)
        replace_with_manual_computation(self.op, b, [*entering, *wholes, *scalar], leaving, self.manual, body)

    def _entering_whole(self, b: Builder, whole: ir.Value, filler: ir.Value, part: Layout) -> ManualOperand:
        """Return a replicated operand, whose other dimensions are split like those of `part`."""
        sharding = get_sharding(whole)
        assert sharding is not None
        size = whole.type.shape[self.dim]
        padded, local = (along(part.rank, self.dim, size, shape) for shape in (part.padded_shape, part.local_shape))
        return ManualOperand(pad_high(b, whole, padded, sharding, filler), sharding, with_shape(whole.type, local))

    def _accumulated(self, b: Builder, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """The op on the parts."""
        local = on_parts(b, self.op, arguments, [argument.type for argument in arguments[: len(self.names)]])
        rank, end = self.layout.rank, (0, self.part - 1) if self.from_end else (self.part - 1, 0)
        local.attributes["window_dimensions"] = i64_array(along(rank, self.dim, self.part, 1))
        set_padding(local, rank, {self.dim: end})
        return list(local.results)

    def _ends_before(
        self,
        b: Builder,
        parts: Sequence[ir.Value],
        wholes: Sequence[ir.Value],
        inits: Sequence[ir.Value],
        neutral: Sequence[ir.Value],
    ) -> list[ir.Value]:
        """Return the init values combined with the totals of the devices before this one, without the dimension."""
        position = self.position(b, self.dim)
        others = wholes or [self._ends(b, part) for part in parts]
        number = index_type(self.part * self.layout.shards[self.dim])
        position = as_index(b, position, number)
        if wholes:
            position = b.multiply(position, b.constant(self.part, number))
            if self.from_end:
                position = b.add(position, b.constant(self.part - 1, number))
        masked = []
        for other, filler in zip(others, neutral, strict=True):
            shape = other.type.shape
            of = b.iota(tensor_type(shape, number), self.dim)
            chosen = b.compare(of, b.broadcast_in_dim(position, shape), "GT" if self.from_end else "LT")
            masked.append(b.select(chosen, other, b.broadcast_in_dim(filler, shape)))
        return list(b.reduce(masked, list(inits), [self.dim], self.op.regions[0]))

    def _ends(self, b: Builder, part: ir.Value) -> ir.Value:
        """Return the last prefix of each device."""
        start = 0 if self.from_end else self.part - 1
        end, axes = slice_dim(b, part, self.dim, start, start + 1), self.layout.dim_axes[self.dim]
        return self.comm.all_gather(b, end, self.dim, self.layout.mesh_ref, self.mesh, axes)
