"""Moves elements of a sharded dimension to other positions in other tensors, each to the device that needs it.

    %0 = stablehlo.slice %a [12:16] ... ; %1 = stablehlo.slice %a [0:12] ... ; concatenate %0, %1
==> %2 = sdy.manual_computation(%a, ...) ... manual_axes={"x"} (%part: tensor<4xf32>, ...) {
      %3 = "stablehlo.collective_permute"(%part) ...
      ...
    }

Sent elements, and positions of received ones, may differ between devices; then numbers are looked up by the device's
position along the dimension.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.ir_builders.communication import Communication, device_grid, index_type, slice_along
from sdy.dialect.ir_builders.with_sharding import build_manual_computation, scalars
from sdy.dialect.lowering.layout import Layout
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.partitioning.exchange.dim_exchange import Exchange, along, looked_up, pad_dim, slice_dim
from sdy.passes.partitioning.exchange.rearrangement_plan import (
    Assembly,
    Layer,
    Placed,
    Round,
    Schedule,
    Transfer,
    covers,
    layers_of,
)
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class Rearrangement:
    """Elements of tensors laid out as `sources` that become tensors laid out as `targets`, along `dim`.

    All have equal shardings, and along other dimensions equal sizes. The targets have the padding value where no
    element arrives.
    """

    sources: Sequence[Layout]
    targets: Sequence[Layout]
    dim: int
    schedule: Schedule

    def emit(
        self, b: Builder, values: Sequence[ir.Value], padding: ir.Value | None, comm: Communication
    ) -> list[ir.Value]:
        """The targets, made in a manual computation; zeros are the padding value unless there is one."""
        exchange = Exchange(comm, self.sources[0], range(self.sources[0].rank))
        filler = padding if padding is not None else b.constant(0, exchange.layout.type.element_type)
        sources = zip(values, self.sources, strict=True)
        entering = [exchange.entering(b, value, layout, filler) for value, layout in sources]
        leaving = [exchange.leaving(layout) for layout in self.targets]

        def body(inside: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
            *parts, value = arguments
            return _Body(self, exchange, inside, value).run(parts)

        return build_manual_computation(
            b, [*entering, *scalars([filler], exchange.layout.mesh_ref)], leaving, exchange.manual, body
        )


class _Body:
    """The manual computation on local values, built by `b`; `padding` fills positions without an element."""

    def __init__(self, plan: Rearrangement, exchange: Exchange, b: Builder, padding: ir.Value) -> None:
        self.plan, self.exchange, self.b, self.padding = plan, exchange, b, padding
        self.dim, self.schedule = plan.dim, plan.schedule
        self.axes = exchange.layout.dim_axes[plan.dim]
        self.assembly = Assembly(plan.schedule, len(plan.sources), len(plan.targets))
        self._known_position: ir.Value | None = None

    def run(self, parts: Sequence[ir.Value]) -> list[ir.Value]:
        used = [
            self._sliced(part, start, length) for part, (start, length) in zip(parts, self.assembly.used, strict=True)
        ]
        pool = used[0] if len(used) == 1 else self.b.concatenate(used, self.dim)
        if self.schedule.is_exchange:
            blocks = [pool, self._all_to_all(pool, *self.assembly.transfers)]
        else:
            rounds = zip(self.assembly.transfers, self.schedule.rounds, strict=True)
            blocks = [pool, *(self._permuted(pool, *each) for each in rounds)]
        return [self._assembled(blocks, index) for index in range(len(self.plan.targets))]

    def _permuted(self, pool: ir.Value, transfer: Transfer, segments: Round) -> ir.Value:
        """Return the data that the device receives in one round."""
        sent = self._window(pool, transfer.chunks[0], transfer.length)
        mesh = self.exchange.mesh
        grid = device_grid(mesh, self.axes)
        pairs = np.concatenate([grid[:, [segment.sender, segment.receiver]] for segment in segments])
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        return self.exchange.comm.permute(self.b, sent, np.asarray(mesh.devices)[pairs], mesh)

    def _all_to_all(self, pool: ir.Value, transfer: Transfer) -> ir.Value:
        """Return the chunks that the device receives in one all-to-all, equally many from each device."""
        sent = self.b.concatenate([self._window(pool, each, transfer.length) for each in transfer.chunks], self.dim)
        ref, mesh = self.exchange.layout.mesh_ref, self.exchange.mesh
        return self.exchange.comm.all_to_all(self.b, sent, self.dim, self.dim, ref, mesh, self.axes)

    # Putting together ----------------------------------------------------------------------------

    def _assembled(self, blocks: Sequence[ir.Value], target: int) -> ir.Value:
        placed = [sorted(each, key=lambda one: one.at) for each in self.assembly.placed[target]]
        size = self.plan.targets[target].local_shape[self.dim]
        if all(each == placed[0] for each in placed):
            return self._joined(blocks, placed[0], size)
        made = self._repeated(blocks[0], size)
        layers = layers_of(placed, len(blocks))
        for number, (block, layer) in enumerate(layers):
            later = [one for _, one in layers[number + 1 :]]
            made = self._laid_over(made, blocks[block], layer, later, size)
        return made

    def _joined(self, blocks: Sequence[ir.Value], placed: Sequence[Placed], size: int) -> ir.Value:
        """The part of a target that is put together in the same way on all devices."""
        pieces: list[ir.Value] = []
        at = 0
        for one in (*placed, Placed(-1, 0, size, 0)):
            if one.at > at:
                pieces.append(self._repeated(blocks[0], one.at - at))
            if one.length:
                pieces.append(self._sliced(blocks[one.block], one.start, one.length))
            at = one.at + one.length
        return pieces[0] if len(pieces) == 1 else self.b.concatenate(pieces, self.dim)

    def _laid_over(self, below: ir.Value, block: ir.Value, layer: Layer, later: Sequence[Layer], size: int) -> ir.Value:
        """Return `below` with the elements that `layer` takes from `block`; `later` layers overwrite theirs."""
        starts = self.assembly.table({at: one.start - one.at for at, one in layer.items()})
        have = block.type.shape[self.dim]
        low, high = max(0, -int(starts.min())), max(0, int(starts.max()) + size - have)
        if low or high:
            block = pad_dim(self.b, block, self.dim, self.padding, low, high)
        window = self._window(block, starts + low, size)
        positions = range(self.schedule.shards)
        begin = np.array([layer[at].at if at in layer else size for at in positions])
        end = np.array([layer[at].at + layer[at].length if at in layer else size for at in positions])
        bounds: list[tuple[np.ndarray, str]] = []
        if not all(covers(later, at, 0, begin[at]) for at in positions):
            bounds.append((begin, "GE"))
        if not all(covers(later, at, end[at], size) for at in positions):
            bounds.append((end, "LT"))
        return self._chosen(bounds, window, below) if bounds else window

    def _chosen(self, bounds: Sequence[tuple[np.ndarray, str]], inside: ir.Value, outside: ir.Value) -> ir.Value:
        """Return `inside` at places within `bounds` along the dimension, `outside` elsewhere."""
        shape = inside.type.shape
        number = index_type(shape[self.dim])
        index = self.b.iota(tensor_type(shape, number), self.dim)
        conditions = [
            self.b.compare(index, self.b.broadcast_in_dim(self._looked_up(numbers, number), shape), direction)
            for numbers, direction in bounds
        ]
        condition = conditions[0] if len(conditions) == 1 else self.b.and_(*conditions)
        return self.b.select(condition, inside, outside)

    # Parts ---------------------------------------------------------------------------------------

    def _position(self) -> ir.Value:
        """Return the index of the device's part of the dimension, built once."""
        if self._known_position is None:
            self._known_position = self.exchange.position(self.b, self.dim)
        return self._known_position

    def _looked_up(self, table: np.ndarray, number: ir.Type) -> ir.Value:
        return looked_up(self.b, table, number, self._position)

    def _sliced(self, x: ir.Value, start: int, length: int) -> ir.Value:
        return x if length == x.type.shape[self.dim] else slice_dim(self.b, x, self.dim, start, start + length)

    def _window(self, x: ir.Value, starts: np.ndarray, length: int) -> ir.Value:
        """`length` elements of `x` from the entry of `starts` for the device's position on."""
        if (starts == starts[0]).all():
            return self._sliced(x, int(starts[0]), length)
        number = index_type(x.type.shape[self.dim])
        zero = self.b.constant(0, number)
        return slice_along(self.b, x, self.dim, self._looked_up(starts, number), length, zero)

    def _repeated(self, like: ir.Value, size: int) -> ir.Value:
        """The padding value, `size` times along the dimension."""
        shape = along(len(like.type.shape), self.dim, size, like.type.shape)
        return self.b.broadcast_in_dim(self.padding, shape)
