"""One sharded dimension in a manual computation: devices fetch what they need (spec: partitioner, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.devices import as_index, index_type, slice_along
from sdy.dialect.ir_builders.positions import position_along, shift_pairs
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import i32
from sdy.passes.partitioning.facts.halo_plan import DimPlan
from sdy.passes.partitioning.facts.spread_elements import SpreadElements
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class DimExchange:
    """How the parts of dimension `plan.dim`, which lie along `axes` of `mesh`, get to the devices that need them.

    Where the plan says that each device has the whole before, it is that which is given in the place of parts.

    `value` stands where there is nothing, `inner` is the sharding of what is made inside of the manual computation.
    If it `cuts`, windows that begin at one place on all devices are cut out there, and nothing is padded for others.
    """

    comm: Communication
    plan: DimPlan
    mesh: Mesh
    axes: AxisList
    value: ir.Value
    inner: TensorSharding
    cuts: bool = False

    def needed(self, b: Builder, x: ir.Value) -> ir.Value:
        """What the device with the part `x` needs."""
        if self.cuts and not self.plan.per_position:
            return self._cut(b, x) if self.plan.dilation > 1 else self._cut_parts(b, x)
        position = self.position(b)
        x = self._gathered(b, x) if self.plan.gathers else self.fetched(b, x, position)
        if any(self.plan.edges) or self.plan.dilation > 1:
            low, high = map(self._along, self.plan.edges)
            x = marked(b.pad(x, self.value, low, high, self._along(self.plan.dilation - 1)), self.inner)
        return self._window(b, x, position)

    def _gathered(self, b: Builder, x: ir.Value) -> ir.Value:
        if self.plan.is_whole:
            return self._extended(b, x, 0, 0)
        whole = self.comm.all_gather(b, x, self.plan.dim, self.inner.mesh_or_ref, self.mesh, self.axes)
        return marked(whole, self.inner)

    def position(self, b: Builder) -> ir.Value:
        """Which part the executing device has, an i32 scalar."""
        return position_along(self.comm, b, self.mesh, self.axes)

    def spread(self, b: Builder, x: ir.Value, elements: SpreadElements) -> ir.Value:
        """The elements that the device with the part `x` takes, without what is between them."""
        plan, (low, high) = self.plan, elements.edges
        position = self.position(b)
        x = self.fetched(b, x, position)
        if low or high:
            x = marked(b.pad(x, self.value, self._along(low), self._along(high), self._along(0)), self.inner)
        number = index_type(plan.target_size * plan.shards + plan.low, plan.source_size * plan.shards)
        position = as_index(b, position, number)
        first = b.divide(self._start(b, elements, position), b.constant(plan.dilation, number))
        before = b.multiply(position, b.constant(plan.source_size, number))
        base = b.constant(plan.left_rows + low - elements.elements_before, number)
        start, zero = b.add(b.subtract(first, before), base), b.constant(0, number)
        return marked(slice_along(b, x, plan.dim, b.maximum(start, zero), elements.count, zero), self.inner)

    def own_results(self, b: Builder, made: ir.Value, dim: int, elements: SpreadElements) -> ir.Value:
        """The device's part of what is made of the elements that it takes; `dim` is that of results."""
        plan = self.plan
        if not elements.more:
            return made
        number = index_type(plan.target_size * plan.shards + plan.low)
        start = self._start(b, elements, as_index(b, self.position(b), number))
        shift = b.remainder(start, b.constant(plan.dilation, number))
        if elements.shifts[0]:
            shift = b.subtract(shift, b.constant(elements.shifts[0], number))
        return slice_along(b, made, dim, shift, plan.target_size, b.constant(0, number))

    def _start(self, b: Builder, elements: SpreadElements, position: ir.Value) -> ir.Value:
        """The first position that the device needs, not negative."""
        plan, number = self.plan, position.type.element_type
        raised = elements.elements_before * plan.dilation - plan.low
        return b.add(b.multiply(position, b.constant(plan.target_size, number)), b.constant(raised, number))

    def fetched(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """The device's part `x` with what its neighbours on both sides send, `value` where there are none."""
        parts = self._parts(b, x, position)
        return parts[0] if self.plan.is_whole else marked(b.concatenate(parts, self.plan.dim), self.inner)

    def _parts(self, b: Builder, x: ir.Value, position: ir.Value) -> list[ir.Value]:
        plan = self.plan
        if plan.is_whole:
            return [self._of_whole(b, x, position)]
        distances = [*range(plan.left, 0, -1), *range(-1, -plan.right - 1, -1)]
        parts = [self._fetch(b, x, position, distance) for distance in distances]
        parts.insert(plan.left, x)
        return parts

    def _of_whole(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """The device's part of the whole `x` with what is beside it."""
        plan = self.plan
        x = self._extended(b, x, plan.left_rows, plan.right_rows)
        number = index_type(plan.source_size * plan.shards)
        start = b.multiply(as_index(b, position, number), b.constant(plan.source_size, number))
        rows = plan.left_rows + plan.source_size + plan.right_rows
        return marked(slice_along(b, x, plan.dim, start, rows, b.constant(0, number)), self.inner)

    def _extended(self, b: Builder, x: ir.Value, low: int, high: int) -> ir.Value:
        """The whole `x` with as many elements as even parts have, and `value` before and behind them."""
        high += self.plan.source_size * self.plan.shards - x.type.shape[self.plan.dim]
        if not low and not high:
            return x
        return marked(b.pad(x, self.value, self._along(low), self._along(high), self._along(0)), self.inner)

    def _fetch(self, b: Builder, x: ir.Value, position: ir.Value, distance: int) -> ir.Value:
        """What this device needs of the one `distance` positions before it; `value` if there is no such device."""
        plan = self.plan
        inner = self.inner if self._needs_marks() else None
        rows = plan.rows(distance)
        if rows < plan.source_size:
            x = marked(_end(b, x, plan.dim, rows) if distance > 0 else _beginning(b, x, plan.dim, rows), inner)
        pairs = shift_pairs(self.mesh, self.axes, distance)
        arrived = marked(self.comm.permute(b, x, pairs, self.mesh), inner) if len(pairs) else x
        threshold = distance if distance > 0 else plan.shards + distance
        exists = b.compare(position, b.constant(threshold, i32()), "GE" if distance > 0 else "LT")
        shape = x.type.shape
        padding = marked(b.broadcast_in_dim(self.value, shape), inner)
        return marked(b.select(marked(b.broadcast_in_dim(exists, shape), inner), arrived, padding), inner)

    def _needs_marks(self) -> bool:
        """Whether shardings are to be told: of partial values only if `value` must not count on every device."""
        if any(dim.shards(self.mesh.axis_sizes) > 1 for dim in self.inner.dims):
            return True
        return bool(self.inner.unreduced) and splat_number(_brought_in(self.value)) != 0

    def _window(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """The device's window of the parts that it has got."""
        plan = self.plan
        number = index_type(abs(plan.per_position) * (plan.shards - 1) + abs(plan.first))
        per_position, base = b.constant(plan.per_position, number), b.constant(plan.first, number)
        start = b.add(b.multiply(as_index(b, position, number), per_position), base)
        zero = b.constant(0, number)
        start = b.maximum(start, zero)
        return self._picked(b, marked(slice_along(b, x, plan.dim, start, plan.window, zero), self.inner))

    def _cut(self, b: Builder, x: ir.Value) -> ir.Value:
        """The same where it is at one place on all devices."""
        plan = self.plan
        x = self.fetched(b, x, self.position(b))
        start = plan.first - plan.edges[0]
        length = (x.type.shape[plan.dim] - 1) * plan.dilation + 1
        low, high = max(0, -start), max(0, start + plan.window - length)
        edges = (self._along(low), self._along(high), self._along(plan.dilation - 1))
        x = marked(b.pad(x, self.value, *edges), self.inner)
        return self._picked(b, self._sliced(b, x, start + low, start + low + plan.window))

    def _cut_parts(self, b: Builder, x: ir.Value) -> ir.Value:
        """The same where nothing is between the elements: what is needed of each part, so that no more is joined."""
        plan = self.plan
        step = plan.stride if plan.picks else 1
        count, start = -(-plan.window // step), plan.first - plan.edges[0]
        low = min(count, max(0, -(start // step)))
        at, left = start + low * step, count - low
        taken: list[ir.Value] = []
        for part in self._parts(b, x, self.position(b)) if plan.left or plan.right or plan.is_whole else [x]:
            length = part.type.shape[plan.dim]
            here = min(left, max(0, -(-(length - at) // step)))
            if here:
                taken.append(self._sliced(b, part, at, at + (here - 1) * step + 1, step if here > 1 else 1))
            at, left = at + here * step - length, left - here
        return self._joined(b, x, taken, low, left)

    def _joined(self, b: Builder, x: ir.Value, parts: list[ir.Value], low: int, high: int) -> ir.Value:
        """Parts that are like `x` one behind the other, and `value` before and behind them."""
        if not parts:
            shape = [low + high if dim == self.plan.dim else size for dim, size in enumerate(x.type.shape)]
            return marked(b.broadcast_in_dim(self.value, shape), self.inner)
        joined = parts[0] if len(parts) == 1 else marked(b.concatenate(parts, self.plan.dim), self.inner)
        if not low and not high:
            return joined
        edges = (self._along(low), self._along(high), self._along(0))
        return marked(b.pad(joined, self.value, *edges), self.inner)

    def _sliced(self, b: Builder, x: ir.Value, start: int, limit: int, step: int = 1) -> ir.Value:
        shape, dim = list(x.type.shape), self.plan.dim
        if (start, limit, step) == (0, shape[dim], 1):
            return x
        limits, strides = list(shape), [1] * len(shape)
        limits[dim], strides[dim] = limit, step
        return marked(b.slice(x, self._along(start), limits, strides), self.inner)

    def _picked(self, b: Builder, x: ir.Value) -> ir.Value:
        """Only those elements of a window that are picked."""
        plan, shape = self.plan, list(x.type.shape)
        if not plan.picks or plan.stride == 1 or plan.target_size == 1:
            return x
        strides = [plan.stride if dim == plan.dim else 1 for dim in range(len(shape))]
        return marked(b.slice(x, [0] * len(shape), shape, strides), self.inner)

    def _along(self, number: int) -> list[int]:
        """`number` for the dimension, 0 for the others."""
        return [number if dim == self.plan.dim else 0 for dim in range(self.inner.rank)]


def _brought_in(value: ir.Value) -> ir.Value:
    """What the computation that has the argument `value` is given for it; any other value itself."""
    if not isinstance(value.owner, ir.Block):
        return value
    return value.owner.owner.operation.operands[ir.BlockArgument(value).arg_number]


def _end(b: Builder, x: ir.Value, dim: int, rows: int) -> ir.Value:
    starts = [size - rows if each == dim else 0 for each, size in enumerate(x.type.shape)]
    return b.slice(x, starts, x.type.shape)


def _beginning(b: Builder, x: ir.Value, dim: int, rows: int) -> ir.Value:
    limits = [rows if each == dim else size for each, size in enumerate(x.type.shape)]
    return b.slice(x, [0] * len(limits), limits)
