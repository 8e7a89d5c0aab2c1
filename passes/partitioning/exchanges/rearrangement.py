"""Moving elements of a sharded dimension to other places in other tensors, each to the device that needs it.

    %0 = stablehlo.slice %a [12:16] ... ; %1 = stablehlo.slice %a [0:12] ... ; concatenate %0, %1
==> %2 = sdy.manual_computation(%a, ...) ... manual_axes={"x"} (%part: tensor<4xf32>, ...) {
      %3 = "stablehlo.collective_permute"(%part) ...
      ...
    }

What a device sends, and where it puts what it gets, may differ between devices; then numbers are looked up by its
position along the dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.devices import entry, index_type, slice_along
from sdy.dialect.ir_builders.manual_frame import Entering, Leaving, by_hand, scalars
from sdy.dialect.ir_builders.positions import device_grid, manual_names, position_along
from sdy.dialect.ir_builders.with_sharding import high_padded
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.tensor_types import tensor_type, with_shape
from sdy.passes.partitioning.exchanges.rearrangement_plan import Round, Schedule, Segment
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class Rearrangement:
    """Elements of tensors laid out as `sources` that become tensors laid out as `targets`, along `dim`.

    All are sharded alike, along other dimensions they are equally large. Where no element comes, the targets have the
    padding value.
    """

    sources: Sequence[Layout]
    targets: Sequence[Layout]
    dim: int
    schedule: Schedule

    def emit(
        self, b: Builder, values: Sequence[ir.Value], padding: ir.Value | None, comm: Communication
    ) -> list[ir.Value]:
        """The targets, made in a manual computation; zeros are the padding value unless there is one."""
        first = self.sources[0]
        assert first.mesh is not None and first.sharding is not None
        filler = padding if padding is not None else b.constant(0, first.type.element_type)
        sharding, mesh = first.sharding, first.mesh
        entering = [
            Entering(high_padded(b, value, layout.padded_shape, layout.sharding, filler), sharding, layout.local_type)
            for value, layout in zip(values, self.sources, strict=True)
        ]
        leaving = [Leaving(_even_type(layout), sharding, layout.shape) for layout in self.targets]

        def body(inside: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
            *parts, value = arguments
            return _Body(self, inside, comm, mesh, value).run(parts)

        scalar = scalars([filler], first.mesh_ref)
        return by_hand(b, [*entering, *scalar], leaving, manual_names(mesh, first.dim_axes), body)


def _even_type(layout: Layout) -> ir.Type:
    return layout.type if layout.divides else with_shape(layout.type, layout.padded_shape)


@dataclass(frozen=True)
class _Placed:
    """`length` elements of a block that a device has, from `start` on, that belong at `at`."""

    block: int
    start: int
    at: int
    length: int


_Layer = dict[int, _Placed]
"""What devices take from one block, at most one piece each, by their position."""


def _layers(placed: Sequence[Sequence[_Placed]], num_blocks: int) -> list[tuple[int, _Layer]]:
    """All that is `placed` at each position, as layers with the numbers of their blocks; what begins first is first."""
    found: list[tuple[int, _Layer]] = []
    for block in range(num_blocks):
        of_block = [[one for one in each if one.block == block] for each in placed]
        for number in range(max(map(len, of_block))):
            found.append((block, {at: each[number] for at, each in enumerate(of_block) if number < len(each)}))
    return sorted(found, key=lambda layer: sum(one.at for one in layer[1].values()) / len(layer[1]))


def _covers(layers: Sequence[_Layer], position: int, start: int, stop: int) -> bool:
    """Whether on the device at `position` the elements from `start` to `stop` are all in `layers`."""
    for one in sorted((layer[position] for layer in layers if position in layer), key=lambda one: one.at):
        if one.at <= start:
            start = max(start, one.at + one.length)
    return start >= stop


class _Body:
    """The manual computation on local values."""

    def __init__(self, plan: Rearrangement, b: Builder, comm: Communication, mesh: Mesh, padding: ir.Value) -> None:
        self.plan, self.b, self.comm, self.mesh, self.padding = plan, b, comm, mesh, padding
        self.dim, self.schedule = plan.dim, plan.schedule
        self.axes = plan.sources[0].dim_axes[plan.dim]
        self.used = [self._used(source) for source in range(len(plan.sources))]
        """The elements of each source that some device sends, or puts elsewhere: where they begin, and how many."""
        self.offsets = [0, *accumulate(length for _, length in self.used)]
        self.placed: list[list[list[_Placed]]] = [[[] for _ in range(self.schedule.shards)] for _ in plan.targets]
        """For each target and each position along the dimension, what comes where."""
        self._position: ir.Value | None = None

    def run(self, parts: Sequence[ir.Value]) -> list[ir.Value]:
        pool = self._pool(parts)
        blocks = [pool]
        exchanged = self.schedule.exchanged
        for segment in self.schedule.local:
            if segment not in exchanged:
                self._place(segment, 0, self._in_pool(segment))
        if self.schedule.is_exchange:
            blocks.append(self._exchanged(pool, exchanged))
        else:
            blocks += [self._permuted(pool, each, number + 1) for number, each in enumerate(self.schedule.rounds)]
        return [self._assembled(blocks, index) for index in range(len(self.plan.targets))]

    def _used(self, source: int) -> tuple[int, int]:
        segments = [one for one in (*self.schedule.local, *self.schedule.sent) if one.source == source]
        start = min((one.start for one in segments), default=0)
        return start, max((one.start + one.length for one in segments), default=0) - start

    def _pool(self, parts: Sequence[ir.Value]) -> ir.Value:
        """What is used of all parts, one behind the other."""
        used = [
            self._slice(part, np.full(self.schedule.shards, start), length)
            for part, (start, length) in zip(parts, self.used, strict=True)
        ]
        return used[0] if len(used) == 1 else self.b.concatenate(used, self.dim)

    def _in_pool(self, segment: Segment) -> int:
        return self.offsets[segment.source] + segment.start - self.used[segment.source][0]

    def _place(self, segment: Segment, block: int, start: int) -> None:
        self.placed[segment.target][segment.receiver].append(_Placed(block, start, segment.at, segment.length))

    # Sending -------------------------------------------------------------------------------------

    def _permuted(self, pool: ir.Value, segments: Round, block: int) -> ir.Value:
        """What the device gets in one round."""
        length = max(segment.length for segment in segments)
        latest = pool.type.shape[self.dim] - length
        starts: dict[int, int] = {}
        for segment in segments:
            start = self._in_pool(segment)
            starts[segment.sender] = min(start, latest)
            self._place(segment, block, start - starts[segment.sender])
        sent = self._slice(pool, self._table(starts), length)
        grid = device_grid(self.mesh, self.axes)
        pairs = np.concatenate([grid[:, [segment.sender, segment.receiver]] for segment in segments])
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        return self.comm.permute(self.b, sent, np.asarray(self.mesh.devices)[pairs], self.mesh)

    def _exchanged(self, pool: ir.Value, segments: Sequence[Segment]) -> ir.Value:
        """What the device gets from all others: from each, and from itself, equally many chunks of one length."""
        shards, length, count = self.schedule.shards, self.schedule.longest, self.schedule.per_pair
        latest = pool.type.shape[self.dim] - length
        starts: list[dict[int, int]] = [{} for _ in range(shards * count)]
        used = np.zeros((shards, shards), dtype=np.int64)
        for segment in segments:
            chunk = used[segment.sender, segment.receiver]
            used[segment.sender, segment.receiver] += 1
            start = self._in_pool(segment)
            starts[segment.receiver * count + chunk][segment.sender] = min(start, latest)
            self._place(segment, 1, (segment.sender * count + chunk) * length + start - min(start, latest))
        chunks = [self._slice(pool, self._table(each), length) for each in starts]
        sent = self.b.concatenate(chunks, self.dim)
        ref = self.plan.sources[0].mesh_ref
        return self.comm.all_to_all(self.b, sent, self.dim, self.dim, ref, self.mesh, self.axes)

    # Putting together ----------------------------------------------------------------------------

    def _assembled(self, blocks: Sequence[ir.Value], target: int) -> ir.Value:
        placed = [sorted(each, key=lambda one: one.at) for each in self.placed[target]]
        size = self.plan.targets[target].local_shape[self.dim]
        if all(each == placed[0] for each in placed):
            return self._joined(blocks, placed[0], size)
        made = self._spread(blocks[0], size)
        layers = _layers(placed, len(blocks))
        for number, (block, layer) in enumerate(layers):
            later = [one for _, one in layers[number + 1 :]]
            made = self._laid_over(made, blocks[block], layer, later, size)
        return made

    def _joined(self, blocks: Sequence[ir.Value], placed: Sequence[_Placed], size: int) -> ir.Value:
        """The part of a target that is put together in the same way on all devices."""
        pieces: list[ir.Value] = []
        at = 0
        for one in (*placed, _Placed(-1, 0, size, 0)):
            if one.at > at:
                pieces.append(self._spread(blocks[0], one.at - at))
            if one.length:
                starts = np.full(self.schedule.shards, one.start)
                pieces.append(self._slice(blocks[one.block], starts, one.length))
            at = one.at + one.length
        return pieces[0] if len(pieces) == 1 else self.b.concatenate(pieces, self.dim)

    def _laid_over(
        self, below: ir.Value, block: ir.Value, layer: _Layer, later: Sequence[_Layer], size: int
    ) -> ir.Value:
        """`below` with what `layer` takes from `block`; what `later` layers will cover may be anything."""
        starts = self._table({at: one.start - one.at for at, one in layer.items()})
        have = block.type.shape[self.dim]
        low, high = max(0, -int(starts.min())), max(0, int(starts.max()) + size - have)
        if low or high:
            block = self.b.pad(block, self.padding, self._along(low, 0), self._along(high, 0))
        window = self._slice(block, starts + low, size)
        positions = range(self.schedule.shards)
        begin = np.array([layer[at].at if at in layer else size for at in positions])
        end = np.array([layer[at].at + layer[at].length if at in layer else size for at in positions])
        bounds: list[tuple[np.ndarray, str]] = []
        if not all(_covers(later, at, 0, begin[at]) for at in positions):
            bounds.append((begin, "GE"))
        if not all(_covers(later, at, end[at], size) for at in positions):
            bounds.append((end, "LT"))
        return self._chosen(bounds, window, below) if bounds else window

    def _chosen(self, bounds: Sequence[tuple[np.ndarray, str]], inside: ir.Value, outside: ir.Value) -> ir.Value:
        """`inside` at those places along the dimension that are within `bounds`, per position; else `outside`."""
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

    @property
    def position(self) -> ir.Value:
        """Which part of the dimension the device has."""
        if self._position is None:
            self._position = position_along(self.comm, self.b, self.mesh, self.axes)
        return self._position

    def _table(self, numbers: dict[int, int]) -> np.ndarray:
        """One number per position; where there is none it does not matter which."""
        any_number = next(iter(numbers.values()), 0)
        return np.array([numbers.get(at, any_number) for at in range(self.schedule.shards)])

    def _looked_up(self, table: np.ndarray, number: ir.Type) -> ir.Value:
        """The entry of `table` for the device's position."""
        if (table == table[0]).all():
            return self.b.constant(int(table[0]), number)
        return entry(self.b, self.b.constant(table, number), self.position)

    def _slice(self, x: ir.Value, starts: np.ndarray, length: int) -> ir.Value:
        shape = list(x.type.shape)
        if (starts == starts[0]).all():
            if length == shape[self.dim]:
                return x
            limits = self._along(int(starts[0]) + length, shape)
            return self.b.slice(x, self._along(int(starts[0]), 0), limits)
        number = index_type(shape[self.dim])
        zero = self.b.constant(0, number)
        return slice_along(self.b, x, self.dim, self._looked_up(starts, number), length, zero)

    def _spread(self, like: ir.Value, size: int) -> ir.Value:
        """The padding value, `size` times along the dimension."""
        return self.b.broadcast_in_dim(self.padding, self._along(size, like.type.shape))

    def _along(self, number: int, others: int | Sequence[int]) -> list[int]:
        rest = [others] * self.plan.sources[0].rank if isinstance(others, int) else list(others)
        rest[self.dim] = number
        return rest
