"""Reshapes whose parts do not align because some dimension is not divisible (spec: partitioner, 3.6)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication, entry, index_type, manual_names, slice_along
from sdy.dialect.ir_builders.with_sharding import (
    ManualOperand,
    ManualResult,
    pad_high,
    replace_with_manual_computation,
    scalars,
    with_sharding,
)
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.reshape import Group, groups_of, has_uneven_dim, is_equivalent, moves_no_data
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.values.axes import AxisList, AxisSizes, difference
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import has_no_use, replace
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.analysis.intervals import Halo, Intervals
from sdy.passes.partitioning.exchange.dim_exchange import HaloExchange
from sdy.passes.partitioning.exchange.gathering import before_reshard
from sdy.stablehlo.ops import Builder


def reshape(
    op: ir.Operation, source: Layout, target: Layout, comm: Communication, *, enable_halo: bool, exact: bool = False
) -> None:
    """Rewrite a reshape from `source` to `target` so that every device can reshape its part.

    If `exact`, a value that was resharded for the reshape alone is gathered from its former layout.
    """
    if source.sharding is None or target.sharding is None or source.mesh is None or source.mesh != target.mesh:
        return
    if moves_no_data(source, target) and is_equivalent(source, target, non_divisible=True):
        return
    groups = groups_of(source.shape, target.shape)
    uneven = [group for group in groups if has_uneven_dim(group, source, target)]
    lines_up = is_equivalent(source, target, non_divisible=True) and all(
        _pads_alike(group, source, target) for group in uneven
    )
    if uneven and enable_halo and lines_up:
        plans = [_plan(group, source, target) for group in uneven if not _passes(group, source, target)]
        if all(plan is not None and plan.reach_is_short for plan in plans):
            exchanges = [plan for plan in plans if plan is not None and plan.is_needed]
            _ReshapeExchange(op, source, target, comm, uneven, exchanges).run()
            return
    changing = [group for group in uneven if not _passes(group, source, target)]
    _replicate(op, source, target, changing, from_resharded=exact)


def _passes(group: Group, source: Layout, target: Layout) -> bool:
    return group.is_pass_through(source.shape, target.shape)


def _pads_alike(group: Group, source: Layout, target: Layout) -> bool:
    """Return whether both sides have as many elements, padding included."""
    before = math.prod(source.padded_shape[dim] for dim in group.source)
    return before == math.prod(target.padded_shape[dim] for dim in group.target)


@dataclass(frozen=True)
class _SplitPlan:
    """Exchange of the only dimension of a split group, which is sharded along `axes`."""

    dim: int
    axes: AxisList
    needed: Intervals

    @property
    def reach_is_short(self) -> bool:
        return max(self.needed.halo) <= self.needed.part

    @property
    def is_needed(self) -> bool:
        needed = self.needed
        return bool((needed.is_needed & ((needed.begin != needed.own) | (needed.end > needed.own + needed.part))).any())

    @property
    def halo(self) -> Halo:
        left, right = self.needed.halo_of_parts
        return Halo(self.dim, len(self.needed.begin), self.needed.part, left, right)

    @property
    def offsets(self) -> np.ndarray:
        """Return the offset of each position's elements in its received parts, behind an edge of one part."""
        needed = self.needed
        shift = np.where(needed.is_needed, needed.begin - needed.own, 0)
        return needed.part + self.halo.left_rows + shift


def _plan(group: Group, source: Layout, target: Layout) -> _SplitPlan | None:
    """Return the exchange of a group; None unless it is a split into exchangeable dimensions."""
    sizes = [target.shape[dim] for dim in group.target]
    if not group.is_split(source.shape, target.shape) or 1 in sizes or len(group.source) != 1:
        return None
    (dim,) = group.source
    shards = [target.shards[each] for each in group.target]
    count = source.shards[dim]
    if math.prod(shards) != count:
        return None
    begin, end = np.array([_block(position, sizes, shards) for position in range(count)]).T
    axes = tuple(axis for each in group.target for axis in target.dim_axes[each])
    return _SplitPlan(dim, axes, Intervals(begin, end, source.local_shape[dim]))


def _block(position: int, sizes: Sequence[int], shards: Sequence[int]) -> tuple[int, int]:
    """The interval from the first to the last element, in row-major order, of a part of a tensor; empty if padding."""
    coordinates = np.unravel_index(position, shards)
    begin = end = 0
    is_empty = False
    for index, (size, count, coordinate) in enumerate(zip(sizes, shards, map(int, coordinates), strict=True)):
        part, stride = -(-size // count), math.prod(sizes[index + 1 :])
        first = coordinate * part
        is_empty |= first >= size
        begin += first * stride
        end += (min(first + part, size) - 1) * stride
    return begin, begin if is_empty else end + 1


class _ReshapeExchange:
    """A reshape that becomes a manual computation."""

    def __init__(
        self,
        op: ir.Operation,
        source: Layout,
        target: Layout,
        comm: Communication,
        groups: Sequence[Group],
        plans: Sequence[_SplitPlan],
    ) -> None:
        assert source.sharding is not None and target.sharding is not None and source.mesh is not None
        self.op = op
        self.source, self.target = source, target
        self.source_sharding, self.target_sharding = source.sharding, target.sharding
        self.mesh = source.mesh
        self.comm = comm
        self.plans = plans
        self.manual = manual_names(self.mesh, [_axes(group, source, target) for group in groups])
        self.inner = source.sharding.erase_manual_axes(self.manual)

    def run(self) -> None:
        b = Builder.before(self.op)
        x = self.op.operands[0]
        value = b.constant(0, x.type.element_type)
        padded = pad_high(b, x, self.source.padded_shape, self.source_sharding)
        result = self.op.results[0].type
        part = with_shape(padded.type, self._local(self.source))
        entering = [
            ManualOperand(padded, self.source_sharding, part),
            *scalars([value], self.source_sharding.mesh_or_ref),
        ]
        leaving = [ManualResult(with_shape(result, self.target.padded_shape), self.target_sharding, result.shape)]
        replace_with_manual_computation(self.op, b, entering, leaving, self.manual, self._body)

    def _local(self, layout: Layout) -> list[int]:
        """The padded shape, divided along manual axes."""
        shape = list(layout.padded_shape)
        for dim, axes in enumerate(layout.dim_axes):
            if axes and all(axis.name in self.manual for axis in axes):
                shape[dim] //= layout.shards[dim]
        return shape

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        x, value = arguments
        for plan in self.plans:
            x = self._exchange_dim(b, x, value, plan)
        return [
            with_sharding(b.reshape(x, self._local(self.target)), self.target_sharding.erase_manual_axes(self.manual))
        ]

    def _exchange_dim(self, b: Builder, x: ir.Value, value: ir.Value, plan: _SplitPlan) -> ir.Value:
        part = plan.needed.part
        exchange = HaloExchange(self.comm, plan.halo, self.mesh, plan.axes, value, self.inner)
        position = exchange.position(b)
        x = exchange.padded(b, exchange.fetched(b, x, position), part, part)
        number = index_type(*plan.offsets)
        start = entry(b, b.constant(plan.offsets, number), position)
        return with_sharding(slice_along(b, x, plan.dim, start, part, b.constant(0, number)), self.inner)


def _replicate(
    op: ir.Operation, source: Layout, target: Layout, groups: Sequence[Group], *, from_resharded: bool
) -> None:
    """Gather along the axes of `groups` before the reshape and shard again behind it."""
    assert source.sharding is not None and target.sharding is not None and source.mesh is not None
    gone = tuple(axis for group in groups for axis in _axes(group, source, target))
    sizes = source.mesh.axis_sizes
    before, behind = _without(source.sharding, gone, sizes), _without(target.sharding, gone, sizes)
    b = Builder.before(op)
    given = op.operands[0]
    x = sdy_ops.reshard(before_reshard(given, before) if from_resharded else given, before, loc=b.location, ip=b.ip)
    whole = b.reshape(x, op.results[0].type)
    set_op_shardings(whole.owner.operation, (behind,))
    result = sdy_ops.reshard(whole, target.sharding, loc=b.location, ip=b.ip)
    replace(op, [result])
    if given != x.owner.operands[0] and has_no_use(given):
        given.owner.operation.erase()


def _axes(group: Group, source: Layout, target: Layout) -> AxisList:
    """The axes of the group's dimensions on both sides."""
    before = [axis for dim in group.source for axis in source.dim_axes[dim]]
    behind = [axis for dim in group.target for axis in target.dim_axes[dim]]
    return (*before, *behind)


def _without(sharding: TensorSharding, gone: AxisList, sizes: AxisSizes) -> TensorSharding:
    return sharding.with_dim_axes(difference(axes, gone, sizes) for axes in sharding.dim_axes)
