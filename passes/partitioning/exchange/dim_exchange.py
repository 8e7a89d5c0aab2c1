"""Engine of exchanges: in a manual computation devices fetch the intervals of sharded dimensions that they need.

A request is a plan along one dimension (`analysis/intervals.py`): a `Halo` has the elements beside its own part that
each device fetches, a `DimPlan` also the window of positions that it reads (spec: partitioner, 3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.communication import (
    Communication,
    as_index,
    entry,
    index_type,
    manual_names,
    position_along,
    shift_pairs,
    slice_along,
)
from sdy.dialect.ir_builders.with_sharding import ManualOperand, ManualResult, pad_high, with_sharding
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import i32, with_shape
from sdy.passes.partitioning.analysis.intervals import DimPlan, Halo, cut_parts
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.ops import Builder

# Along one dimension -----------------------------------------------------------------------------


def along(rank: int, dim: int, number: int, others: int | Sequence[int] = 0) -> list[int]:
    """`number` for dimension `dim`, `others` for the other dimensions."""
    numbers = [others] * rank if isinstance(others, int) else list(others)
    numbers[dim] = number
    return numbers


def slice_dim(b: Builder, x: ir.Value, dim: int, start: int, limit: int, step: int = 1) -> ir.Value:
    """The elements [`start`, `limit`) of `x` along `dim`, every `step`-th of them."""
    shape = x.type.shape
    rank = len(shape)
    return b.slice(x, along(rank, dim, start), along(rank, dim, limit, shape), along(rank, dim, step, 1))


def pad_dim(b: Builder, x: ir.Value, dim: int, value: ir.Value, low: int, high: int, dilation: int = 1) -> ir.Value:
    """`x` with `value` before, behind and between its elements along `dim`."""
    rank = len(x.type.shape)
    return b.pad(x, value, *(along(rank, dim, number) for number in (low, high, dilation - 1)))


def looked_up(b: Builder, table: np.ndarray, number: ir.Type, position: Callable[[], ir.Value]) -> ir.Value:
    """The entry of `table` at `position`, a scalar of type `number`; a constant if all entries are equal."""
    if (table == table[0]).all():
        return b.constant(int(table[0]), number)
    return entry(b, b.constant(table, number), position())


def on_parts(b: Builder, op: ir.Operation, operands: Sequence[ir.Value], types: Sequence[ir.Type]) -> ir.Operation:
    """Build `op` on exchanged values, with results of `types`, without shardings or a rule."""
    local = op.clone(ip=b.ip).operation
    for index, operand in enumerate(operands):
        local.operands[index] = operand
    for result, type_ in zip(local.results, types, strict=True):
        result.set_type(type_)
    for name in (SHARDING, SHARDING_RULE):
        if name in local.attributes:
            del local.attributes[name]
    return local


def set_padding(op: ir.Operation, rank: int, ends: Mapping[int, tuple[int, int]]) -> None:
    """Sets low and high padding of some of the `rank` windowed dimensions of an op."""
    given = op.attributes["padding"] if "padding" in op.attributes else [0] * (2 * rank)
    padding = np.array(given, dtype=np.int64).reshape(rank, 2)
    for index, pair in ends.items():
        padding[index] = pair
    op.attributes["padding"] = ir.DenseIntElementsAttr.get(np.ascontiguousarray(padding))


# Requests ----------------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """A plan for an op: its cost and its builder; without `build` the op stays as it is."""

    cost: float
    build: Callable[[], object] | None = None


def build_cheapest(*candidates: Candidate) -> bool:
    """Builds the cheapest plan, the first of several; returns whether that changes the op."""
    best = min(candidates, key=lambda candidate: candidate.cost)
    if best.build is not None:
        best.build()
    return best.build is not None


class Exchange:
    """The frame of exchanges along `dims` of tensors laid out as `layout`.

    It is manual along all axes of these dimensions; `inner` is the remaining sharding inside.
    """

    def __init__(self, comm: Communication, layout: Layout, dims: Sequence[int]) -> None:
        assert layout.mesh is not None and layout.sharding is not None
        self.comm, self.layout, self.dims = comm, layout, dims
        self.mesh, self.sharding = layout.mesh, layout.sharding
        self.manual = manual_names(self.mesh, [layout.dim_axes[dim] for dim in dims])
        self.inner = self.sharding.erase_manual_axes(self.manual)

    def entering(self, b: Builder, value: ir.Value, layout: Layout, filler: ir.Value | None = None) -> ManualOperand:
        """Return a value laid out as `layout`, padded to even parts, one for each device."""
        even = pad_high(b, value, self._shape(layout, layout.padded_shape), layout.sharding, filler)
        part = with_shape(layout.type, self._shape(layout, layout.local_shape))
        return ManualOperand(even, layout.sharding or self.sharding, part)

    def leaving(self, layout: Layout) -> ManualResult:
        """A result laid out as `layout`, made of even parts."""
        even = with_shape(layout.type, self._shape(layout, layout.padded_shape))
        return ManualResult(even, self.sharding, layout.shape)

    def _shape(self, layout: Layout, parts: Sequence[int]) -> list[int]:
        """The shape of `layout`, with the sizes of `parts` along the dimensions that are exchanged."""
        return [parts[dim] if dim in self.dims else size for dim, size in enumerate(layout.shape)]

    def position(self, b: Builder, dim: int) -> ir.Value:
        """Build the index of the executing device's part of a dimension, an i32 scalar."""
        return position_along(self.comm, b, self.mesh, self.layout.dim_axes[dim])

    def fetched(self, b: Builder, x: ir.Value, halo: Halo, value: ir.Value, position: ir.Value) -> ir.Value:
        """Return the device's part `x` with the elements of its neighbours; `value` at the ends."""
        axes = self.layout.dim_axes[halo.dim]
        return HaloExchange(self.comm, halo, self.mesh, axes, value, self.inner).fetched(b, x, position)

    def window(
        self, b: Builder, x: ir.Value, dim: int, value: ir.Value, starts: np.ndarray, size: int, position: ir.Value
    ) -> ir.Value:
        """The `size` elements of `x` from the device's entry of `starts` on, `value` beyond its ends."""
        have = x.type.shape[dim]
        low, high = max(0, -int(starts.min())), max(0, int(starts.max()) + size - have)
        if low or high:
            x = with_sharding(pad_dim(b, x, dim, value, low, high), self.inner)
        if have + low + high == size:
            return x
        number = index_type(have + low + high)
        zero = b.constant(0, number)
        start = looked_up(b, starts + low, number, lambda: position)
        return with_sharding(slice_along(b, x, dim, start, size, zero), self.inner)

    def shifted(self, b: Builder, x: ir.Value, dim: int, distance: int, *, exact: bool) -> ir.Value:
        """`x` with all elements `distance` further along `dim`, across devices.

        If `exact`, devices send the elements that the others need; else they send whole parts, as the reference does.
        """
        size = x.type.shape[dim]
        hops, rest = divmod(distance, size)

        tail, head = (hops + 1, size - rest, size), (hops, 0, size - rest)

        def cut(value: ir.Value, start: int, end: int) -> ir.Value:
            return with_sharding(slice_dim(b, value, dim, start, end), self.inner)

        if exact and not rest:
            return self._of_device_before(b, x, dim, hops)
        if exact:
            parts = [self._of_device_before(b, cut(x, *rows), dim, number) for number, *rows in (tail, head)]
        else:
            moved = {number: self._of_device_before(b, x, dim, number) for number in (hops, hops + 1)}
            parts = [cut(moved[number], *rows) for number, *rows in (tail, head)]
        return with_sharding(b.concatenate(parts, dim), self.inner)

    def _of_device_before(self, b: Builder, x: ir.Value, dim: int, hops: int) -> ir.Value:
        """Return the part of the device `hops` positions before this one along `dim`; zeros if there is none."""
        if hops == 0:
            return x
        pairs = shift_pairs(self.mesh, self.layout.dim_axes[dim], hops)
        if not len(pairs):
            return with_sharding(b.broadcast_in_dim(b.constant(0, x.type.element_type), x.type.shape), self.inner)
        return with_sharding(self.comm.permute(b, x, pairs, self.mesh), self.inner)


@dataclass(frozen=True)
class HaloExchange:
    """Halo exchange of dimension `plan.dim`, whose parts lie along `axes` of `mesh`.

    Where the plan has replicated operands, the operand is the replicated tensor instead of parts.

    `value` fills missing elements, `inner` is the sharding of values made inside the manual computation.
    """

    comm: Communication
    plan: Halo
    mesh: Mesh
    axes: AxisList
    value: ir.Value
    inner: TensorSharding

    def position(self, b: Builder) -> ir.Value:
        """Build the index of the executing device's part, an i32 scalar."""
        return position_along(self.comm, b, self.mesh, self.axes)

    def fetched(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """Return the device's part `x` with the elements of its neighbours; `value` at the ends."""
        parts = self.parts(b, x, position)
        return parts[0] if self.plan.is_replicated else with_sharding(b.concatenate(parts, self.plan.dim), self.inner)

    def parts(self, b: Builder, x: ir.Value, position: ir.Value) -> list[ir.Value]:
        """The pieces of `fetched`, in order."""
        plan = self.plan
        if plan.is_replicated:
            return [self._of_whole(b, x, position)]
        parts = [self._fetch(b, x, position, distance) for distance in plan.distances]
        parts.insert(plan.left, x)
        return parts

    def _of_whole(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """Return the device's part of the replicated `x` with its neighbouring elements."""
        plan = self.plan
        x = self.extended(b, x, plan.left_rows, plan.right_rows)
        number = index_type(plan.part * plan.shards)
        start = b.multiply(as_index(b, position, number), b.constant(plan.part, number))
        rows = plan.left_rows + plan.part + plan.right_rows
        return with_sharding(slice_along(b, x, plan.dim, start, rows, b.constant(0, number)), self.inner)

    def extended(self, b: Builder, x: ir.Value, low: int = 0, high: int = 0) -> ir.Value:
        """Return the replicated `x` extended to even parts, with `value` before and behind it."""
        return self.padded(b, x, low, high + self.plan.part * self.plan.shards - x.type.shape[self.plan.dim])

    def padded(
        self, b: Builder, x: ir.Value, low: int, high: int, dilation: int = 1, *, always: bool = False
    ) -> ir.Value:
        """Return `x` with `value` before, behind and between its elements; `x` itself without, unless `always`."""
        if not (low or high or dilation > 1 or always):
            return x
        return with_sharding(pad_dim(b, x, self.plan.dim, self.value, low, high, dilation), self.inner)

    def sliced(self, b: Builder, x: ir.Value, start: int, limit: int, step: int = 1) -> ir.Value:
        """Return the elements [`start`, `limit`) of `x`, every `step`-th of them; `x` itself if these are all."""
        if (start, limit, step) == (0, x.type.shape[self.plan.dim], 1):
            return x
        return with_sharding(slice_dim(b, x, self.plan.dim, start, limit, step), self.inner)

    def _fetch(self, b: Builder, x: ir.Value, position: ir.Value, distance: int) -> ir.Value:
        """Fetch the needed rows of the device `distance` positions before; `value` if there is no such device."""
        plan = self.plan
        inner = self.inner if self._needs_shardings() else None
        rows = plan.rows(distance)
        if rows < plan.part:
            start = plan.part - rows if distance > 0 else 0
            x = with_sharding(slice_dim(b, x, plan.dim, start, start + rows), inner)
        pairs = shift_pairs(self.mesh, self.axes, distance)
        arrived = with_sharding(self.comm.permute(b, x, pairs, self.mesh), inner) if len(pairs) else x
        threshold = distance if distance > 0 else plan.shards + distance
        exists = b.compare(position, b.constant(threshold, i32()), "GE" if distance > 0 else "LT")
        shape = x.type.shape
        padding = with_sharding(b.broadcast_in_dim(self.value, shape), inner)
        return with_sharding(b.select(with_sharding(b.broadcast_in_dim(exists, shape), inner), arrived, padding), inner)

    def _needs_shardings(self) -> bool:
        """Return whether new ops need shardings: the value is sharded, or partial with a padding that counts once."""
        if any(dim.shards(self.mesh.axis_sizes) > 1 for dim in self.inner.dims):
            return True
        return bool(self.inner.unreduced) and splat_number(_outside(self.value)) != 0


def _outside(value: ir.Value) -> ir.Value:
    """Return the outer operand for the argument `value` of a computation; any other value itself."""
    if not isinstance(value.owner, ir.Block):
        return value
    return value.owner.owner.operation.operands[ir.BlockArgument(value).arg_number]


@dataclass(frozen=True)
class DimExchange(HaloExchange):
    """An exchange that gives each device the window of positions that it needs.

    If it `cuts`, windows that begin at one position on all devices are sliced there, without padding for others.
    """

    plan: DimPlan
    cuts: bool = False

    def needed(self, b: Builder, x: ir.Value) -> ir.Value:
        """Build the rows that the device with the part `x` needs."""
        plan = self.plan
        if self.cuts and not plan.per_position:
            return self._cut(b, x) if plan.access.dilation > 1 else self._cut_parts(b, x)
        position = self.position(b)
        x = self._gathered(b, x) if plan.gathers else self.fetched(b, x, position)
        if plan.pads_little(x.type.shape[plan.dim]):
            return self._nearest_window(b, x, position)
        # The reference pads a tensor without elements, too: by nothing.
        padded = self.padded(b, x, *plan.edges, plan.access.dilation, always=not plan.minimal_padding)
        return self._window(b, padded, position)

    def _gathered(self, b: Builder, x: ir.Value) -> ir.Value:
        if self.plan.is_replicated:
            return self.extended(b, x)
        whole = self.comm.all_gather(b, x, self.plan.dim, self.inner.mesh_or_ref, self.mesh, self.axes)
        return with_sharding(whole, self.inner)

    def _window(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """The device's window of the parts that it has got."""
        start = self._start(b, position)
        zero = b.constant(0, start.type)
        return self._strided(b, self._sliced_at(b, x, b.maximum(start, zero), zero))

    def _nearest_window(self, b: Builder, x: ir.Value, position: ir.Value) -> ir.Value:
        """Cut the device's window out of the elements nearest to it, as many as it has, with padding around them.

        Padding around all elements would be a copy of them where several windows share it.
        """
        plan, window = self.plan, self.plan.access.window
        numbers = (0, plan.edges[0], x.type.shape[plan.dim] - window)
        start = self._start(b, position, *numbers)
        zero, low, last = (b.constant(number, start.type) for number in numbers)
        near = b.clamp(zero, b.subtract(start, low), last)
        padded = self.padded(b, self._sliced_at(b, x, near, zero), *plan.edges)
        return self._strided(b, self._sliced_at(b, padded, b.subtract(start, near), zero))

    def _start(self, b: Builder, position: ir.Value, *others: int) -> ir.Value:
        """Build the start of the device's window in the padded parts that it has got; its type can hold `others`."""
        plan = self.plan
        number = index_type(abs(plan.per_position) * (plan.shards - 1) + abs(plan.first), *others)
        per_position, base = b.constant(plan.per_position, number), b.constant(plan.first, number)
        return b.add(b.multiply(as_index(b, position, number), per_position), base)

    def _sliced_at(self, b: Builder, x: ir.Value, start: ir.Value, zero: ir.Value) -> ir.Value:
        """Slice as many elements as a window has, from `start` on."""
        return with_sharding(slice_along(b, x, self.plan.dim, start, self.plan.access.window, zero), self.inner)

    def _cut(self, b: Builder, x: ir.Value) -> ir.Value:
        """Build the window where it begins at one position on all devices."""
        plan, window = self.plan, self.plan.access.window
        x = self.fetched(b, x, self.position(b))
        start = plan.first - plan.edges[0]
        low, high = max(0, -start), max(0, start + window - plan.got)
        x = self.padded(b, x, low, high, plan.access.dilation)
        return self._strided(b, self.sliced(b, x, start + low, start + low + window))

    def _cut_parts(self, b: Builder, x: ir.Value) -> ir.Value:
        """Cut like `_cut`, without dilation: slice each part first, so that only needed elements are joined."""
        plan = self.plan
        step = plan.access.stride if plan.applies_stride else 1
        fetches = plan.left or plan.right or plan.is_replicated
        parts = self.parts(b, x, self.position(b)) if fetches else [x]
        lengths = [part.type.shape[plan.dim] for part in parts]
        low, cuts, high = cut_parts(lengths, plan.first - plan.edges[0], step, -(-plan.access.window // step))
        taken = [self.sliced(b, parts[cut.part], cut.start, cut.limit, cut.step) for cut in cuts]
        if not taken:
            shape = along(self.inner.rank, plan.dim, low + high, x.type.shape)
            return with_sharding(b.broadcast_in_dim(self.value, shape), self.inner)
        joined = taken[0] if len(taken) == 1 else with_sharding(b.concatenate(taken, plan.dim), self.inner)
        return self.padded(b, joined, low, high)

    def _strided(self, b: Builder, x: ir.Value) -> ir.Value:
        """Return only the elements of a window that are picked."""
        plan = self.plan
        if not plan.applies_stride or plan.access.stride == 1 or plan.access.target == 1:
            return x
        return self.sliced(b, x, 0, plan.access.window, plan.access.stride)
