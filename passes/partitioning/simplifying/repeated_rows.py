"""sdy-repeated-rows: look-ups along a sharded dimension that repeat rows, or take them at steps, are no look-ups.

    %i = ...                                                  // known to be 0, 0, 1, 1, 2, 2, 3, 3
    %1 = "stablehlo.gather"(%0, %i) ... : (tensor<4x6xf32>, tensor<8x1xi32>) -> tensor<8x6xf32>
==> %2 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<4x6xf32>) -> tensor<4x2x6xf32>
    %1 = stablehlo.reshape %2 : (tensor<4x2x6xf32>) -> tensor<8x6xf32>

As of an image that is enlarged or reduced by its nearest points, `jax.image.resize`. What is repeated is where it was
before, what is left out is sliced, and gradients add up on the device what was repeated there. Looked up, rows would
come from all devices. Where the result is whole on every device, rows are gathered before they are repeated. Cost
model: none, never more is moved or computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.sharding import CLOSED, TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo import ops, views
from sdy.stablehlo.idioms.integers import known_integers
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder


@pass_("sdy-repeated-rows", on="func.func")
def repeated_rows(func: ir.Operation) -> None:
    layouts = Layouts(of_module(MeshTable, func))
    for op in ops_named(func, "stablehlo.gather", "stablehlo.scatter"):
        taking = None if SHARDING_RULE in op.attributes else _taking(op, layouts)
        value = None if taking is None else taking.gathered() if taking.is_gather else taking.added()
        if value is not None:
            before = list(op.operands)
            op.results[0].replace_all_uses_with(value)
            op.erase()
            erase_unused(before)


@dataclass(frozen=True)
class _Rows:
    """`count` rows that are `step` apart, from `start` on, each `times` times."""

    start: int
    step: int
    count: int
    times: int

    def are_all(self, size: int) -> bool:
        return (self.start, self.step, self.count) == (0, 1, size)

    @property
    def limit(self) -> int:
        return self.start + (self.count - 1) * self.step + 1


def _rows(numbers: np.ndarray, size: int) -> _Rows | None:
    """The rows with `numbers`, all of which are below `size`; None if they are in another order."""
    if numbers.size < 2 or numbers.min() < 0 or numbers.max() >= size:
        return None
    times = int(np.argmax(numbers != numbers[0]))
    if not times or numbers.size % times:
        return None
    start, count = int(numbers[0]), numbers.size // times
    step = int(numbers[times]) - start
    is_in_order = step > 0 and np.array_equal(numbers, np.repeat(start + step * np.arange(count), times))
    return _Rows(start, step, count, times) if is_in_order else None


def _taking(op: ir.Operation, layouts: Layouts) -> _Taking | None:
    is_gather = op.name == "stablehlo.gather"
    dim = _gathered_dim(views.Gather(op)) if is_gather else _added_dim(views.Scatter(op))
    if dim is None:
        return None
    few, many = (op.operands[0], op.results[0]) if is_gather else (op.results[0], views.Scatter(op).updates[0])
    laid = layouts.of_value(few), layouts.of_value(many)
    mesh = next((each.mesh for each in laid if each.mesh is not None), None)
    if mesh is None or mesh.is_maximal or any(each.mesh not in (mesh, None) or each.unreduced for each in laid):
        return None
    if not any(each.is_sharded(dim) for each in laid):
        return None
    numbers = known_integers(op.operands[1])
    rows = None if numbers is None else _rows(numbers.reshape(-1), few.type.shape[dim])
    return None if rows is None else _Taking(op, dim, rows, *laid)


def _gathered_dim(gather: views.Gather) -> int | None:
    """The dimension along which a gather takes one row for each index, and which they have in the result."""
    given = gather.dimension_numbers
    dims = given.collapsed_slice_dims
    if dims != given.start_index_map or given.operand_batching_dims:
        return None
    sizes = zip(gather.operand.type.shape, gather.slice_sizes, strict=True)
    is_whole = all(size == taken for dim, (size, taken) in enumerate(sizes) if (dim,) != dims)
    return _only_dim(gather.operand, gather.result, dims, given.offset_dims) if is_whole else None


def _added_dim(scatter: views.Scatter) -> int | None:
    """The dimension to which a scatter adds one row for each index, and which they have in the updates."""
    given = scatter.scatter_dimension_numbers
    dims = given.inserted_window_dims
    if dims != given.scattered_dims_to_operand_dims or given.input_batching_dims or len(scatter.inputs) != 1:
        return None
    if combining_ops(scatter.op.regions[0]) != ["stablehlo.add"]:
        return None
    return _only_dim(scatter.inputs[0], scatter.updates[0], dims, given.update_window_dims)


def _only_dim(few: ir.Value, many: ir.Value, dims: Sequence[int], others: Sequence[int]) -> int | None:
    """The one of `dims`, if that is where two tensors differ: all `others` are where they were."""
    if len(dims) != 1 or not (few.type.has_static_shape and many.type.has_static_shape):
        return None
    rank = len(few.type.shape)
    kept = [dim for dim in range(rank) if dim != dims[0]]
    sizes = [[value.type.shape[dim] for dim in kept] for value in (few, many) if len(value.type.shape) == rank]
    return dims[0] if list(others) == kept and len(sizes) == 2 and sizes[0] == sizes[1] else None


@dataclass(frozen=True)
class _Taking:
    """A gather or scatter that takes `rows` along `dim` of one tensor, laid out as `few`, to or from `many`."""

    op: ir.Operation
    dim: int
    rows: _Rows
    few: Layout
    many: Layout

    @property
    def is_gather(self) -> bool:
        return self.op.name == "stablehlo.gather"

    def gathered(self) -> ir.Value | None:
        """The rows, sliced where they are, moved, and repeated."""
        before, after, size = self._sharding(self.few), self._sharding(self.many), self.few.shape[self.dim]
        if not self._divide(self.few) or not self._divide(self.many):
            return None
        b, x, rows = Builder.before(self.op), self.op.operands[0], self.rows
        if not rows.are_all(size):
            starts, strides = self._along(rows.start, [0] * self.few.rank), self._along(rows.step, [1] * self.few.rank)
            x = marked(b.slice(x, starts, self._along(rows.limit, self.few.shape), strides), before)
        x = self._moved(b, x, before, after)
        if rows.times == 1:
            return x
        dims = [dim for dim in range(self.few.rank + 1) if dim != self.dim + 1]
        wide = marked(b.broadcast_in_dim(x, self._apart(x.type.shape), dims), self._sharding_apart(after))
        return marked(b.reshape(wide, self.many.shape), after)

    def added(self) -> ir.Value | None:
        """The sum of what is scattered to, and of the rows that are added up and padded where they are, and moved."""
        after = self._sharding(self.few)
        at = self.many if self.many.is_sharded(self.dim) else self.many.with_sharding(after)
        if not self._divide(at) or self.few.shape[self.dim] % at.shards[self.dim]:
            return None
        b, rows, sharding, (old, _, x) = Builder.before(self.op), self.rows, self._sharding(at), self.op.operands
        x = self._moved(b, x, self._sharding(self.many), sharding)
        zero = b.constant(0, x.type.element_type)
        if rows.times > 1:
            shape = self._apart(self._along(rows.count, x.type.shape))
            apart = marked(b.reshape(x, shape), self._sharding_apart(sharding))
            x = marked(b.reduce(apart, zero, [self.dim + 1], ops.add), sharding)
        if not rows.are_all(self.few.shape[self.dim]):
            none = [0] * self.few.rank
            ends = (rows.start, self.few.shape[self.dim] - rows.limit, rows.step - 1)
            x = marked(b.pad(x, zero, *(self._along(number, none) for number in ends)), sharding)
        return marked(b.add(old, self._moved(b, x, sharding, after)), after)

    def _sharding(self, layout: Layout) -> TensorSharding:
        known = self.few if self.few.sharding is not None else self.many
        return layout.sharding or TensorSharding.closed(known.mesh_ref, layout.rank)

    def _divide(self, layout: Layout) -> bool:
        """Whether rows are in even parts under the sharding of `layout`."""
        return self.rows.count % layout.shards[self.dim] == 0

    def _moved(self, b: Builder, x: ir.Value, have: TensorSharding, want: TensorSharding) -> ir.Value:
        return x if have == want else sdy_ops.reshard(x, want, loc=b.location, ip=b.ip)

    def _along(self, number: int, others: Sequence[int]) -> list[int]:
        return [number if dim == self.dim else other for dim, other in enumerate(others)]

    def _apart(self, shape: Sequence[int]) -> list[int]:
        """`shape` with a dimension for the times that each row is there."""
        return [*shape[: self.dim + 1], self.rows.times, *shape[self.dim + 1 :]]

    def _sharding_apart(self, sharding: TensorSharding) -> TensorSharding:
        return sharding.with_dims([*sharding.dims[: self.dim + 1], CLOSED, *sharding.dims[self.dim + 1 :]])
