"""Pads and slices of sharded dimensions: devices fetch what they need from neighbours (spec: partitioner, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.manual_frame import Entering, Leaving, replace_by_hand, scalars
from sdy.dialect.ir_builders.positions import manual_names
from sdy.dialect.ir_builders.with_sharding import high_padded, marked
from sdy.dialect.lowering.layout import Layout
from sdy.mlir import address, ir
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.exchanges.dim_exchange import DimExchange
from sdy.passes.partitioning.exchanges.few_rows import move_rows
from sdy.passes.partitioning.exchanges.whole_operands import LayoutOf, is_whole_before
from sdy.passes.partitioning.facts.communication_free import is_free_pad, is_free_slice
from sdy.passes.partitioning.facts.halo_plan import DimPlan, needed_rows, reach, source_shards, stays_in_place
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.making.attribute_writers import i64_array


def exchange(
    op: ir.Operation, layout_of: LayoutOf, comm: Communication, known: KnownPlans, *, exact: bool = False
) -> bool:
    """Rewrites a pad or slice of a sharded operand; False if gathering its dimensions is better.

    An op that no device needs others' data for is left alone. If `exact`, devices send only what others need, and
    nothing of what all of them have had before.
    """
    layout = layout_of(op.operands[0])
    plans = known.of(op, layout)
    if plans is None:
        return False
    if not any(plan.is_needed for plan in plans):
        return True
    sending = [plan.dim for plan in plans if plan.is_needed and plan.sent_rows]
    if exact and sending and is_whole_before(op.operands[0], sending, layout_of):
        return False
    if exact and op.name == "stablehlo.slice":
        layout = _slice_the_rest(op, layout)
    if exact and move_rows(op, layout, plans, comm):
        return True
    if any(plan.is_needed and (plan.is_costly if exact else plan.is_too_far) for plan in plans):
        return False
    changing = [plan for plan in plans if plan.is_needed or _changes_size(plan)]
    _HaloExchange(op, layout, comm, changing, cuts=exact).run()
    return True


def _slice_the_rest(op: ir.Operation, layout: Layout) -> Layout:
    """Slices the dimensions that are not sharded first, so that less is exchanged; gives the new operand's layout."""
    names = ("start_indices", "limit_indices", "strides")
    starts, limits, strides = ([*op.attributes[name]] for name in names)
    first, rest = (([*starts], [*limits], [*strides]) for _ in range(2))
    for dim, size in enumerate(layout.shape):
        whole = (0, size, 1) if layout.is_sharded(dim) else (0, op.results[0].type.shape[dim], 1)
        for numbers, number in zip(first if layout.is_sharded(dim) else rest, whole, strict=True):
            numbers[dim] = number
    x = op.operands[0]
    if first == ([0] * layout.rank, [*layout.shape], [1] * layout.rank):
        return layout
    op.operands[0] = marked(Builder.before(op).slice(x, *first), layout.sharding)
    for name, numbers in zip(names, rest, strict=True):
        op.attributes[name] = i64_array(numbers)
    return Layout(op.operands[0].type, layout.sharding, layout.mesh)


def _changes_size(plan: DimPlan) -> bool:
    return plan.source_size != plan.target_size or plan.low != 0


class KnownPlans:
    """What is exchanged along the sharded dimensions of pads and slices, found out once for all that are alike."""

    def __init__(self, *, exact: bool) -> None:
        self._exact = exact
        self._known: dict[tuple[str, Layout, tuple[int, ...]], Sequence[DimPlan] | None] = {}
        """By the addresses of attributes, and of the type of the result."""

    def of(self, op: ir.Operation, layout: Layout) -> Sequence[DimPlan] | None:
        """A plan for each dimension of the operand, which has that layout, that is sharded; None if sizes are open."""
        name, stored, type_ = op.name, op.attributes, op.results[0].type
        key = name, layout, (address(type_), *[address(stored[each]) for each in _ATTRIBUTES[name]])
        if key in self._known:
            return self._known[key]
        is_open = any(layout.shape[dim] < 0 or type_.shape[dim] < 0 for dim in layout.sharded_dims)
        plans = self._known[key] = None if is_open else _plans(op, layout, self._exact)
        return plans


_ATTRIBUTES = {
    "stablehlo.pad": ("edge_padding_low", "interior_padding"),
    "stablehlo.slice": ("start_indices", "strides"),
}
"""What plans depend on besides types."""


def _plans(op: ir.Operation, layout: Layout, exact: bool) -> list[DimPlan]:
    is_pad = op.name == "stablehlo.pad"
    attributes = op.attributes
    count = layout.rank
    if is_pad:
        lows, strides = list(attributes["edge_padding_low"]), [1] * count
        dilations = [interior + 1 for interior in attributes["interior_padding"]]
    else:
        lows, strides = [-start for start in attributes["start_indices"]], list(attributes["strides"])
        dilations = [1] * count
    plans = []
    for dim in layout.sharded_dims:
        size, result, shards = layout.shape[dim], op.results[0].type.shape[dim], layout.shards[dim]
        stride = strides[dim] if result > 1 else 1
        window = (size, result, shards, lows[dim], dilations[dim], stride)
        part = -(-size // shards)
        if exact:
            left, right = needed_rows(*window)
        else:
            left, right = (count * part for count in reach(source_shards(*window)))
        is_free = is_free_pad(op, layout, dim) if is_pad else is_free_slice(op, layout, dim)
        plans.append(
            DimPlan(
                dim,
                shards,
                part,
                -(-result // shards),
                lows[dim],
                dilations[dim],
                stride,
                left,
                right,
                is_needed=not stays_in_place(*window) or not is_free,
                picks=True,
                tight=exact,
            )
        )
    return plans


class _HaloExchange:
    """One pad or slice that becomes a manual computation."""

    def __init__(
        self, op: ir.Operation, layout: Layout, comm: Communication, plans: Sequence[DimPlan], *, cuts: bool
    ) -> None:
        assert layout.sharding is not None and layout.mesh is not None
        self.op = op
        self.is_pad = op.name == "stablehlo.pad"
        self.layout = layout
        self.sharding = layout.sharding
        self.mesh = layout.mesh
        self.comm = comm
        self.plans, self.cuts = plans, cuts
        self.manual = manual_names(self.mesh, [layout.dim_axes[dim] for dim in layout.sharded_dims])
        self.inner = self.sharding.erase_manual_axes(self.manual)

    def run(self) -> None:
        b = Builder.before(self.op)
        x = self.op.operands[0]
        value = self.op.operands[1] if self.is_pad else None
        x = high_padded(b, x, self.layout.padded_shape, self.sharding, value)
        if value is None:
            value = b.constant(0, x.type.element_type)
        result = self.op.results[0].type
        shape = [-(-size // n) * n for size, n in zip(result.shape, self.layout.shards, strict=True)]
        part = with_shape(x.type, self.layout.local_shape)
        entering = [Entering(x, self.sharding, part), *scalars([value], self.sharding.mesh_or_ref)]
        leaving = [Leaving(with_shape(result, shape), self.sharding, result.shape)]
        replace_by_hand(self.op, b, entering, leaving, self.manual, self._body)

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        x, value = arguments
        for plan in self.plans:
            axes = self.layout.dim_axes[plan.dim]
            x = DimExchange(self.comm, plan, self.mesh, axes, value, self.inner, cuts=self.cuts).needed(b, x)
        return [self._pad_rest(b, x, value) if self.is_pad else self._slice_rest(b, x)]

    def _pad_rest(self, b: Builder, x: ir.Value, value: ir.Value) -> ir.Value:
        low, high, interior = (
            self._unsharded(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
        )
        if not any(low) and not any(high) and not any(interior):
            return x
        return marked(b.pad(x, value, low, high, interior), self.inner)

    def _unsharded(self, name: str) -> list[int]:
        """An array attribute with zeros for the sharded dimensions."""
        numbers = list(self.op.attributes[name])
        return [0 if self.layout.is_sharded(dim) else number for dim, number in enumerate(numbers)]

    def _slice_rest(self, b: Builder, x: ir.Value) -> ir.Value:
        attributes = self.op.attributes
        starts, limits, strides = (list(attributes[name]) for name in ("start_indices", "limit_indices", "strides"))
        for dim in self.layout.sharded_dims:
            starts[dim], limits[dim], strides[dim] = 0, x.type.shape[dim], 1
        if not any(starts) and limits == list(x.type.shape) and all(stride == 1 for stride in strides):
            return x
        return marked(b.slice(x, starts, limits, strides), self.inner)
