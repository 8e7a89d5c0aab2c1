"""sdy-updates-to-pads: what is written at known places of a sharded dimension is padded, and taken where it belongs.

    %1 = stablehlo.dynamic_update_slice %0, %u, %c2 : (tensor<16xf32>, tensor<12xf32>, tensor<i32>) -> tensor<16xf32>
==> %2 = stablehlo.pad %u, %zero, low = [2], high = [2], interior = [0] : ... -> tensor<16xf32>
    ...                                            // the places 2 to 13
    %1 = stablehlo.select %places, %2, %0 : tensor<16xi1>, tensor<16xf32>

Scatters at places that are known to be an even distance apart are treated likewise, whatever they combine by. So the
inner points of a grid, `u.at[1:-1].set(...)` in JAX, and every other one of them, `u.at[::2].add(...)`, stay where they
are but for what crosses a border; for an update that may be anywhere they would be gathered. Cost model: bytes; beside
what is sent, that one of two numbers is chosen does not count. Left alone is what would be sent as far as if it were
gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.devices import index_type
from sdy.dialect.ir_builders.init_values import exact_zero
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.sharding import CLOSED
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.partitioning.facts.intervals import Access
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.idioms.integers import Placed, known_update
from sdy.stablehlo.ops import Builder


@pass_("sdy-updates-to-pads", on="func.func")
def updates_to_pads(func: ir.Operation) -> None:
    found = ops_named(func, "stablehlo.dynamic_update_slice", "stablehlo.scatter")
    layouts = Layouts(of_module(MeshTable, func)) if found else None
    for op in found:
        if layouts is None or SHARDING_RULE in op.attributes or not _is_in_parts(op, layouts):
            continue
        placed = known_update(op)
        writing = None if placed is None else _writing(op, placed, layouts)
        if writing is not None and writing.sends_less():
            before = list(op.operands)
            op.results[0].replace_all_uses_with(writing.written())
            op.erase()
            erase_unused(before)


def _is_in_parts(op: ir.Operation, layouts: Layouts) -> bool:
    """Whether the only result and what is written to it are sharded on the same mesh, and what was there like it."""
    if len(op.results) != 1:
        return False
    update = views.DynamicUpdateSlice.match(op)
    written = views.Scatter(op).updates[0] if update is None else update.update
    laid = [layouts.of_value(value) for value in (op.results[0], written)]
    before = layouts.of_value(op.operands[0])
    others, mesh = [*laid, before], laid[0].mesh
    is_plain = mesh is not None and not mesh.is_maximal and laid[1].mesh == mesh
    return (
        is_plain
        and before.placement == laid[0].placement
        and all(each.sharded_dims for each in laid)
        and not any(each.unreduced for each in others)
    )


def _writing(op: ir.Operation, placed: Placed, layouts: Layouts) -> _Writing | None:
    """None if along some dimension what is written is not sharded as what it is written to, or cannot be moved."""
    into, given = layouts.of_value(op.results[0]), layouts.of_value(placed.update)
    sharding = into.sharding
    assert sharding is not None and given.sharding is not None
    kept = [given.sharding.dims[dim] if dim is not None else CLOSED for dim in placed.dims]
    update = layouts.of(tensor_type(placed.counts, placed.update.type.element_type), sharding.with_dims(kept))
    moved = [dim for dim in range(into.rank) if not placed.is_whole(dim, into.shape[dim])]
    axes = [(update.dim_axes[dim], into.dim_axes[dim]) for dim in moved]
    if any(update.dim_axes[dim] != into.dim_axes[dim] for dim in range(into.rank) if dim not in moved):
        return None
    exchanged = [dim for dim, (mine, others) in zip(moved, axes, strict=True) if mine and mine == others]
    if not exchanged or any(mine and mine != others for mine, others in axes):
        return None
    return _Writing(op, placed, into, update, moved, exchanged, layouts)


@dataclass(frozen=True)
class _Writing:
    """An op whose update, laid out as `update`, is written to places of what is laid out as `into`.

    Along `moved` it is not as long, along those of them that are `exchanged` both are sharded.
    """

    op: ir.Operation
    placed: Placed
    into: Layout
    update: Layout
    moved: Sequence[int]
    exchanged: Sequence[int]
    layouts: Layouts

    def sends_less(self) -> bool:
        """Whether devices exchange less than they would gather."""
        sharding = self.update.sharding
        assert sharding is not None
        dims = [CLOSED if dim in self.exchanged else each for dim, each in enumerate(sharding.dims)]
        gathered = self.layouts.of(self.update.type, sharding.with_dims(dims))
        return sum(map(self._exchanged_bytes, self.exchanged)) < reshard_bytes(self.update, gathered)

    def _exchanged_bytes(self, dim: int) -> float:
        shards, size = self.update.shards[dim], self.update.shape[dim]
        access = Access(size, self.into.shape[dim], shards, self.placed.starts[dim], self.placed.steps[dim])
        return sum(access.needed.halo) * self.update.local_bytes / self.update.local_shape[dim]

    def written(self) -> ir.Value:
        b, sharding, combine = Builder.before(self.op), self.into.sharding, self.placed.combine
        element, old = self.update.type.element_type, self.op.operands[0]
        update = self.placed.update
        if self.update.shape != tuple(update.type.shape):
            update = marked(b.reshape(update, self.update.shape), self.update.sharding)
        filler = b.constant(exact_zero(element) if combine == "stablehlo.add" else 0, element)
        ends = zip(self.into.shape, self.placed.starts, self.placed.limits, strict=True)
        highs = [size - limit for size, _, limit in ends]
        steps = [step - 1 for step in self.placed.steps]
        new = marked(b.pad(update, filler, self.placed.starts, highs, steps), sharding)
        if combine is not None:
            new = marked(b.create(combine, [old, new], [old.type]).results[0], sharding)
        return new if combine == "stablehlo.add" else marked(b.select(self._places(b), new, old), sharding)

    def _places(self, b: Builder) -> ir.Value:
        """Whether something is written, for each place."""
        sharding = self.into.sharding
        along = [
            marked(b.broadcast_in_dim(self._places_along(b, dim), self.into.shape, [dim]), sharding)
            for dim in self.moved
        ]
        return reduce(lambda one, other: marked(b.and_(one, other), sharding), along)

    def _places_along(self, b: Builder, dim: int) -> ir.Value:
        assert self.into.sharding is not None
        size, start, step = self.into.shape[dim], self.placed.starts[dim], self.placed.steps[dim]
        sharding = self.into.sharding.with_dims([self.into.sharding.dims[dim]])
        place = marked(b.iota(tensor_type([size], index_type(size)), 0), sharding)
        found: list[ir.Value] = []

        def repeated(number: int) -> ir.Value:
            return marked(b.broadcast_in_dim(b.constant(number, place.type.element_type), [size]), sharding)

        def compare(value: ir.Value, direction: str, number: int) -> None:
            found.append(marked(b.compare(value, repeated(number), direction), sharding))

        if start > 0:
            compare(place, "GE", start)
        if self.placed.limits[dim] + step - 1 < size:
            compare(place, "LT", self.placed.limits[dim])
        if step > 1:
            compare(marked(b.remainder(place, repeated(step)), sharding), "EQ", start % step)
        return reduce(lambda one, other: marked(b.and_(one, other), sharding), found)
