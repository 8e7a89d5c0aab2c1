"""Pads and slices along sharded dimensions: devices fetch elements from neighbours (spec: partitioner, 3.2).

    %0 = stablehlo.slice %a [0:7:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<8xf32>) -> tensor<4xf32>                                  // on eight devices
==> %0 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%row: tensor<1xf32>, %value: tensor<f32>) {
      "stablehlo.collective_permute"(%row) <{source_target_pairs = dense<[[2, 1], [4, 2], [6, 3]]>}>
      ...

Exact exchanges send the fewest elements of three ways: a gather, a halo exchange, and a rearrangement, in which rows go
directly to the devices that need them. A halo exchange would send every row above to all devices up to three positions
away. The same holds for the rows of a half, such as rotated heads or adjacent gates, when many devices need them side
by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.definition.attributes import ANY_PADDING
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.with_sharding import replace_with_manual_computation, scalars, with_sharding
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.model import windows_of
from sdy.mlir import ir
from sdy.passes.partitioning.analysis.intervals import Access, DimPlan, Halo
from sdy.passes.partitioning.analysis.neighbours import is_free_pad, is_free_slice
from sdy.passes.partitioning.exchange.dim_exchange import Candidate, DimExchange, Exchange, build_cheapest
from sdy.passes.partitioning.exchange.gathering import LayoutOf, was_replicated
from sdy.passes.partitioning.exchange.rearrangement import Rearrangement
from sdy.passes.partitioning.exchange.rearrangement_plan import Piece, Schedule, schedule
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64_array

_MANY = 1024
"""On more devices nobody plans for each of them."""

_FEW = 4
"""So many rows on each device at most: each takes an op of its own to be put in its place."""

_SLICES = ("start_indices", "limit_indices", "strides")
_PADS = ("edge_padding_low", "edge_padding_high", "interior_padding")


def exchange_rows(op: ir.Operation, layout_of: LayoutOf, comm: Communication, *, exact: bool = False) -> bool:
    """Rewrites a pad or slice of a sharded operand; False if gathering its dimensions is better.

    An op whose devices need only their own data stays. With `exact`, devices send only elements that others need and
    did not have before.
    """
    layout = layout_of(op.operands[0])
    if any(layout.shape[dim] < 0 or op.results[0].type.shape[dim] < 0 for dim in layout.sharded_dims):
        return False
    plans, needed = _plans(op, layout, exact)
    if not needed:
        return True
    changing = [plan for plan in plans if plan in needed or plan.part != plan.access.target or plan.access.low]
    if not exact:
        is_near = not any(plan.is_too_far for plan in needed)
        if is_near:
            _HaloExchange(op, layout, comm, changing, cuts=False).run()
        return is_near
    sending = [plan.dim for plan in needed if plan.sent_rows]
    if sending and was_replicated(op.operands[0], sending, layout_of):
        return False
    worst = max(needed, key=lambda plan: plan.sent_rows - plan.gathered_rows)
    halo = Candidate(worst.sent_rows, _HaloExchange(op, layout, comm, changing, cuts=True).run)
    return build_cheapest(Candidate(worst.gathered_rows), halo, *_moved_rows(op, layout, needed, comm))


def _plans(op: ir.Operation, layout: Layout, exact: bool) -> tuple[list[DimPlan], list[DimPlan]]:
    """Return a plan for each sharded dimension of the operand, and the needed ones.

    Dimensions are not needed if each device's part of the result is its own part of the operand.
    """
    plans: list[DimPlan] = []
    needed: list[DimPlan] = []
    is_free = is_free_pad if op.name == "stablehlo.pad" else is_free_slice
    for window in windows_of(op):
        if not layout.is_sharded(dim := window.source_dim):
            continue
        given = Access.slide(window, layout)
        access = replace(given, stride=1) if given.made <= 1 else given
        reference = access.needed_by_reference
        rows = access.needed.halo if exact else reference.halo_of_parts
        flags = {"applies_stride": True, "minimal_padding": exact}
        plans.append(DimPlan(dim, access.shards, access.part, *rows, access=access, **flags))
        if not reference.is_own or not is_free(given):
            needed.append(plans[-1])
    return plans, needed


def slice_one_by_one(op: ir.Operation, layout: Layout) -> list[ir.Operation]:
    """Slice one sharded dimension of an operand after the other, behind all others, so that less is exchanged.

    Returns: the slices in order, `op` at the end.
    """
    slices = [op]
    given = [[*op.attributes[name]] for name in _SLICES]
    cut = [dim for dim in range(layout.rank) if op.results[0].type.shape[dim] < layout.shape[dim]]
    access = {each.source_dim: Access.slide(each, layout) for each in windows_of(op) if each.source_dim in cut}
    order = sorted(filter(layout.is_sharded, cut), key=lambda dim: _sent_per_dropped(access[dim]))
    rest = [dim for dim in cut if dim not in order]
    b = Builder.before(op)
    for dims in [each for each in (rest, *([dim] for dim in order)) if each][:-1]:
        numbers = [[0] * layout.rank, [*op.operands[0].type.shape], [1] * layout.rank]
        for dim in dims:
            whole = (0, op.results[0].type.shape[dim], 1)
            for now, later, number in zip(numbers, given, whole, strict=True):
                now[dim], later[dim] = later[dim], number
        op.operands[0] = with_sharding(b.slice(op.operands[0], *numbers), layout.sharding)
        slices.insert(-1, op.operands[0].owner.operation)
    for name, numbers in zip(_SLICES, given, strict=True):
        op.attributes[name] = i64_array(numbers)
    return slices


def _sent_per_dropped(access: Access) -> float:
    """Return the elements sent by those dropped on a device: in the order of these, slices send least in all."""
    halo, dropped = Halo.of(0, access.needed), access.part - access.target
    return min(halo.sent_rows, halo.gathered_rows) / dropped if dropped else math.inf


# Halos -------------------------------------------------------------------------------------------


class _HaloExchange(Exchange):
    """A pad or slice that becomes a manual computation."""

    def __init__(
        self, op: ir.Operation, layout: Layout, comm: Communication, plans: Sequence[DimPlan], *, cuts: bool
    ) -> None:
        super().__init__(comm, layout, layout.sharded_dims)
        self.op, self.plans, self.cuts = op, plans, cuts
        self.is_pad = op.name == "stablehlo.pad"

    def run(self) -> None:
        b = Builder.before(self.op)
        x, *given = self.op.operands
        part = self.entering(b, x, self.layout, *given)
        if ANY_PADDING in self.op.attributes and part.value != x:
            part.value.owner.attributes[ANY_PADDING] = self.op.attributes[ANY_PADDING]
        values = given or [b.constant(0, x.type.element_type)]
        result = Layout(self.op.results[0].type, self.sharding, self.mesh)
        entering = [part, *scalars(values, self.layout.mesh_ref)]
        replace_with_manual_computation(self.op, b, entering, [self.leaving(result)], self.manual, self._body)

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        x, value = arguments
        for plan in self.plans:
            axes = self.layout.dim_axes[plan.dim]
            x = DimExchange(self.comm, plan, self.mesh, axes, value, self.inner, cuts=self.cuts).needed(b, x)
        return [self._pad_rest(b, x, value) if self.is_pad else self._slice_rest(b, x)]

    def _pad_rest(self, b: Builder, x: ir.Value, value: ir.Value) -> ir.Value:
        """`x` with the padding along dimensions that are not sharded."""
        edges = [[*self.op.attributes[name]] for name in _PADS]
        for numbers in edges:
            for dim in self.layout.sharded_dims:
                numbers[dim] = 0
        return with_sharding(b.pad(x, value, *edges), self.inner) if any(map(any, edges)) else x

    def _slice_rest(self, b: Builder, x: ir.Value) -> ir.Value:
        """Slice `x` along dimensions that are not sharded."""
        starts, limits, strides = ([*self.op.attributes[name]] for name in _SLICES)
        for dim in self.layout.sharded_dims:
            starts[dim], limits[dim], strides[dim] = 0, x.type.shape[dim], 1
        if not any(starts) and limits == list(x.type.shape) and all(stride == 1 for stride in strides):
            return x
        return with_sharding(b.slice(x, starts, limits, strides), self.inner)


# Rearrangements ----------------------------------------------------------------------------------


def _moved_rows(op: ir.Operation, layout: Layout, needed: Sequence[DimPlan], comm: Communication) -> list[Candidate]:
    """The rearrangement of a pad or slice on an operand laid out as `layout`, if it is one.

    It must change exactly one sharded dimension, the only one that needs other devices' data.
    """
    target = Layout(op.results[0].type, layout.sharding, layout.mesh)
    if len(needed) != 1 or not _changes_only(op, needed[0].dim) or layout.unreduced:
        return []
    (plan,) = needed
    if 0 in (*layout.shape, *target.shape) or not (_has_few_rows(plan) or _moves_far(plan)):
        return []
    moves = _moves(plan)

    def build() -> None:
        operand, *padding = op.operands
        moving = Rearrangement([layout], [target], plan.dim, moves)
        (made,) = moving.emit(Builder.before(op), [operand], padding[0] if padding else None, comm)
        op.results[0].replace_all_uses_with(made)
        op.erase()

    return [Candidate(moves.rows, build)]


def _has_few_rows(plan: DimPlan) -> bool:
    """Return whether devices have few rows, or take few. A shift sends one row across each border in any case."""
    is_shift = _keeps_rows_together(plan) and plan.sent_rows <= 1
    rows = plan.access.target if plan.access.stride > 1 else max(plan.part, plan.access.target)
    return rows <= _FEW and not is_shift


def _moves_far(plan: DimPlan) -> bool:
    """Return whether rows stay adjacent, and some move beyond the next device."""
    return _keeps_rows_together(plan) and max(plan.left, plan.right) > 1 and plan.shards <= _MANY


def _keeps_rows_together(plan: DimPlan) -> bool:
    return plan.access.stride == plan.access.dilation == 1


def _changes_only(op: ir.Operation, dim: int) -> bool:
    """Return whether the op leaves all other dimensions as they are."""
    sizes = zip(op.operands[0].type.shape, op.results[0].type.shape, strict=True)
    return all(
        window.source_dim == dim or (before == after and window.is_trivial)
        for window, (before, after) in zip(windows_of(op), sizes, strict=True)
    )


def _moves(plan: DimPlan) -> Schedule:
    """Return the rearrangement: of all rows as one block if they stay together, else of each row."""
    access = plan.access
    start, stop = max(0, -access.low), min(access.size, access.made - access.low)
    pieces: list[Piece] = []
    if not _keeps_rows_together(plan):
        for row in range(access.size):
            at, rest = divmod(row * access.dilation + access.low, access.stride)
            if not rest and 0 <= at < access.made:
                pieces.append(Piece(0, row, 0, at, 1))
    elif start < stop:
        pieces.append(Piece(0, start, 0, start + access.low, stop - start))
    return schedule(pieces, [access.size], [access.made], plan.shards)
