"""Gradients of pooling along sharded dimensions: devices fetch the elements of windows that reach into their part.

    %0 = "stablehlo.select_and_scatter"(%a, %source, %init) <{window_dimensions = array<i64: 3>,
           window_strides = array<i64: 2>}> ({...}, {...})
         {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<17xf32>, tensor<8xf32>, tensor<f32>) -> tensor<17xf32>
==> %0 = sdy.manual_computation(%a, %source, ...) ... manual_axes={"x"} (%part: tensor<5xf32>, ...) {
      ...                                           // all of each window that covers an element of %part
      %1 = "stablehlo.select_and_scatter"(%windows, %values, %init) ... : (tensor<7xf32>, tensor<3xf32>, tensor<f32>)
      ...                                           // the part of the result
    }

Windows across two parts are processed by both devices; each keeps the elements in its part. Padding in front of the op
that a slice behind it removes, as in the gradient of max pooling, becomes part of the exchange. So does padding of the
op itself, filled with the value selected last: JAX lowers that gradient so for CPUs, and XLA does as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication, manual_names
from sdy.dialect.ir_builders.init_values import highest, identity_of_op, lowest
from sdy.dialect.ir_builders.with_sharding import (
    ManualOperand,
    build_manual_computation,
    erase_unused,
    scalars,
    with_sharding,
)
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, terminator
from sdy.passes.partitioning.analysis.intervals import Access, Halo, Intervals
from sdy.passes.partitioning.exchange.dim_exchange import Exchange, on_parts, set_padding
from sdy.passes.partitioning.exchange.gathering import LayoutOf, replicated_before, was_replicated
from sdy.passes.partitioning.reshard_planning.reshard_search import halo_bytes, reshard_bytes
from sdy.stablehlo import views
from sdy.stablehlo.attribute_readers import read_comparison_direction
from sdy.stablehlo.idioms.loops import combining_ops
from sdy.stablehlo.ops import Builder


def exchange_scattered_windows(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts, comm: Communication) -> bool:
    """Rewrite a select_and_scatter along its sharded dimensions; return False if it needs a gather, or no exchange.

    To be called before a padding in front of the op is rewritten.
    """
    padded = _padding_around(op, layout_of) or _own_padding(op, layout_of)
    if padded is None:
        return False
    layout = layout_of(padded.operand)
    plans = _plans(op, padded, layout, layout_of) if _fits(op, padded, layout, layout_of) else []
    if not plans or not _sends_less(op, layout, plans, layout_of, layouts):
        return False
    names = combining_ops(op.regions[1])
    neutral = None if names is None else identity_of_op(names[0], layout.type.element_type)
    if neutral is None or isinstance(layout.type.element_type, ir.ComplexType):
        return False
    _ScatterExchange(op, padded, layout, plans, neutral, comm).run(layout_of)
    return True


# What is there -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Padded:
    """The operand of the op before it is padded by `low` and `high` with `value`.

    `result` is the op's result without the padding.
    """

    operand: ir.Value
    value: ir.Value | float
    low: Sequence[int]
    high: Sequence[int]
    result: ir.Value


def _own_padding(op: ir.Operation, layout_of: LayoutOf) -> _Padded | None:
    """Return the padding of the op along the exchanged dimensions; None if they cannot be padded.

    For floats only: a window hardly ever holds only the lowest or highest value.
    """
    windows = views.SelectAndScatter(op)
    operand, slid = windows.operand, _slid_dims(op, layout_of(windows.operand))
    low, high = ([ends[side] if dim in slid else 0 for dim, ends in enumerate(windows.padding)] for side in (0, 1))
    if not any((*low, *high)):
        return _Padded(operand, 0, low, high, windows.result)
    last = _selected_last(op)
    return None if last is None or min(*low, *high) < 0 else _Padded(operand, last, low, high, windows.result)


def _selected_last(op: ir.Operation) -> float | None:
    """Return the number that every other one precedes in selection, if the op compares floats."""
    element, block = op.operands[0].type.element_type, op.regions[0].blocks[0]
    compare = block.operations[0].operation
    if not isinstance(element, ir.FloatType) or compare.name != "stablehlo.compare":
        return None
    if list(terminator(block).operands) != list(compare.results):
        return None
    direction, pair = read_comparison_direction(compare.attributes["comparison_direction"]), [*block.arguments]
    if direction not in ("GE", "GT", "LE", "LT") or list(compare.operands) not in (pair, pair[::-1]):
        return None
    is_of_lowest = direction.startswith("G") == (list(compare.operands) == pair)
    return lowest(element) if is_of_lowest else highest(element)


def _padding_around(op: ir.Operation, layout_of: LayoutOf) -> _Padded | None:
    """Return the padding of the operand, if the only user of the result is a slice that removes it."""
    pad, uses = views.Pad.defining(op.operands[0]), list(op.results[0].uses)
    cut = views.Slice.match(uses[0].owner.operation) if len(uses) == 1 else None
    if pad is None or cut is None or any(pad.interior_padding):
        return None
    lows, highs = pad.edge_padding_low, pad.edge_padding_high
    ends = tuple(low + size for low, size in zip(lows, pad.operand.type.shape, strict=True))
    if min((*lows, *highs), default=0) < 0 or (cut.start_indices, cut.limit_indices) != (lows, ends):
        return None
    layouts = [layout_of(value) for value in (pad.operand, op.operands[0], cut.result)]
    if any(layout.dim_axes != layouts[0].dim_axes or layout.mesh != layouts[0].mesh for layout in layouts):
        return None
    return _Padded(pad.operand, pad.padding_value, lows, highs, cut.result) if set(cut.strides) <= {1} else None


def _fits(op: ir.Operation, padded: _Padded, layout: Layout, layout_of: LayoutOf) -> bool:
    """Return whether operand and result have equal shardings, and nothing else has the axes of windows."""
    result = layout_of(op.results[0])
    if layout.mesh is None or layout.sharding is None or layout.mesh.is_maximal or layout.unreduced:
        return False
    if result.mesh != layout.mesh or result.dim_axes != layout.dim_axes or result.unreduced:
        return False
    if layout_of(op.operands[1]).unreduced or min((*layout.shape, *op.operands[1].type.shape), default=0) <= 0:
        return False
    slid = _slid_dims(op, layout)
    manual = manual_names(layout.mesh, [layout.dim_axes[dim] for dim in slid])
    others = [axes for dim, axes in enumerate(layout.dim_axes) if dim not in slid]
    padded_others = any(layout.is_sharded(d) and d not in slid for d, n in enumerate(padded.low) if n or padded.high[d])
    return not padded_others and not any(axis.name in manual for axes in others for axis in axes)


def _slid_dims(op: ir.Operation, layout: Layout) -> list[int]:
    """The sharded dimensions that have windows."""
    windows = views.SelectAndScatter(op)
    given = list(zip(windows.window_dimensions, windows.window_strides, windows.padding, strict=True))
    return [dim for dim in layout.sharded_dims if given[dim] != (1, 1, (0, 0))]


# The exchange of one dimension -------------------------------------------------------------------


@dataclass(frozen=True)
class _Plan:
    """Rows that each device reads along a dimension.

    There are `count` windows from each device's first on. `operand` and `source` are the parts of both that a device
    gets; the `*_starts` are the positions of its windows in them, `result_starts` the position of its part of the
    result in its windows.
    """

    operand: Halo
    source: Halo
    covered: int
    count: int
    operand_starts: np.ndarray
    source_starts: np.ndarray
    result_starts: np.ndarray


def _plans(op: ir.Operation, padded: _Padded, layout: Layout, layout_of: LayoutOf) -> list[_Plan]:
    """Return a plan for each sharded dimension with windows; none if one of them cannot be exchanged."""
    windows = views.SelectAndScatter(op)
    dims = _slid_dims(op, layout)
    if padded.operand != windows.operand and any(any(windows.padding[dim]) for dim in dims):
        return []
    has_source = not layout_of(_ungathered_source(op, layout, layout_of)).sharded_dims
    wholes = was_replicated(padded.operand, dims, layout_of), has_source
    counts, sizes, strides = windows.source.type.shape, windows.window_dimensions, windows.window_strides
    return [_plan(layout, dim, counts[dim], sizes[dim], strides[dim], padded.low[dim], wholes) for dim in dims]


def _plan(layout: Layout, dim: int, windows: int, size: int, stride: int, low: int, wholes: tuple[bool, bool]) -> _Plan:
    """Return the plan of one dimension; `wholes` tells whether operand and source were replicated before."""
    shards, total, part = layout.shards[dim], layout.shape[dim], layout.local_shape[dim]
    # An element is in the windows that begin at most `size` - 1 positions before it.
    needed = Access(windows, total, shards, size - 1 - low, stride, span=size).needed
    seen, own = needed.is_needed, np.arange(shards) * part
    count = max(1, int((needed.end - needed.begin).max()))
    covered = (count - 1) * stride + size
    # A device without windows looks at those of its own part, whatever they are: it keeps nothing.
    begin = np.where(seen, needed.begin * stride - low, own)
    end = np.where(seen, (needed.end - 1) * stride - low + size, own)
    operand = Halo.of(dim, Intervals(np.maximum(begin, 0), np.minimum(end, total), part), is_replicated=wholes[0])
    source = Halo.of(dim, needed, is_replicated=wholes[1])
    source_starts = np.where(seen, needed.begin, needed.own) - (needed.own - source.left_rows)
    result_starts = np.where(seen, own - begin, covered)
    return _Plan(operand, source, covered, count, begin - (own - operand.left_rows), source_starts, result_starts)


def _sends_less(
    op: ir.Operation, layout: Layout, plans: Sequence[_Plan], layout_of: LayoutOf, layouts: Layouts
) -> bool:
    """Return whether it sends fewer bytes than gathering operand and source, unless these are gathered in any case."""
    assert layout.sharding is not None
    gathered = layout.sharding.replicated_along([plan.operand.dim for plan in plans])
    have, type_ = layout_of(_ungathered_source(op, layout, layout_of)), op.operands[1].type
    source = layouts.of(type_, layout.sharding)
    sent = reshard_bytes(have, source)
    for each in plans:
        for whole, plan in ((layout, each.operand), (source, each.source)):
            sent += 0.0 if plan.is_replicated else halo_bytes(plan, whole)
    otherwise = reshard_bytes(have, layouts.of(type_, gathered))
    if not plans[0].operand.is_replicated:
        otherwise += reshard_bytes(layout, layouts.of(layout.type, gathered))
    return sent < otherwise or sent == 0.0


def _ungathered_source(op: ir.Operation, layout: Layout, layout_of: LayoutOf) -> ir.Value:
    """The source before it was gathered, if it was."""
    source = op.operands[1]
    reshard = defining_op(source)
    if reshard is None or reshard.name != "sdy.reshard":
        return source
    (before,) = reshard.operands
    have = layout_of(before)
    return before if have.mesh == layout.mesh and not have.unreduced else source


# The rewriting -----------------------------------------------------------------------------------


class _ScatterExchange(Exchange):
    """A select_and_scatter that becomes a manual computation."""

    def __init__(
        self,
        op: ir.Operation,
        padded: _Padded,
        layout: Layout,
        plans: Sequence[_Plan],
        neutral: complex,
        comm: Communication,
    ) -> None:
        super().__init__(comm, layout, [plan.operand.dim for plan in plans])
        self.op, self.padded, self.plans, self.neutral = op, padded, plans, neutral
        self.whole = self.sharding.replicated_along(self.dims)

    def run(self, layout_of: LayoutOf) -> None:
        b = Builder.before(self.op)
        operand, init = self.padded.operand, self.op.operands[2]
        value = self.padded.value
        if not isinstance(value, ir.Value):
            value = b.constant(value, operand.type.element_type)
        neutral = b.constant(self.neutral, operand.type.element_type)
        entering = [
            self._operand(b, value, layout_of),
            self._source(b, neutral, layout_of),
            *scalars([init, value, neutral], self.layout.mesh_ref),
        ]
        (made,) = build_manual_computation(b, entering, [self.leaving(self.layout)], self.manual, self._body)
        self._replace(made)

    def _operand(self, b: Builder, filler: ir.Value, layout_of: LayoutOf) -> ManualOperand:
        if not self.plans[0].operand.is_replicated:
            return self.entering(b, self.padded.operand, self.layout, filler)
        whole = replicated_before(self.op, self.padded.operand, self.dims, layout_of)
        return ManualOperand(whole, self.whole, whole.type)

    def _source(self, b: Builder, filler: ir.Value, layout_of: LayoutOf) -> ManualOperand:
        """The source, sharded like the operand: before it was gathered, if it was."""
        source = _ungathered_source(self.op, self.layout, layout_of)
        if self.plans[0].source.is_replicated:
            whole = sdy_ops.reshard(source, self.whole, loc=b.location, ip=b.ip)
            return ManualOperand(whole, self.whole, whole.type)
        have = layout_of(source)
        if have.mesh != self.mesh or have.dim_axes != self.layout.dim_axes or have.unreduced:
            source = sdy_ops.reshard(self.op.operands[1], self.sharding, loc=b.location, ip=b.ip)
        return self.entering(b, source, Layout(source.type, self.sharding, self.mesh), filler)

    def _replace(self, value: ir.Value) -> None:
        """Replace the result by `value`; erase unused ops."""
        result = self.padded.result
        result.replace_all_uses_with(value)
        around = [result.owner.operation] if result != self.op.results[0] else []
        before = list(self.op.operands)[:2]
        for op in (*around, self.op):
            op.erase()
        erase_unused(before)

    def _body(self, b: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        x, source, init, value, neutral = arguments
        positions = [self.position(b, dim) for dim in self.dims]
        for plan, dim, position in zip(self.plans, self.dims, positions, strict=True):
            x = self.fetched(b, x, plan.operand, value, position)
            x = self.window(b, x, dim, value, plan.operand_starts, plan.covered, position)
            source = self.fetched(b, source, plan.source, neutral, position)
            source = self.window(b, source, dim, neutral, plan.source_starts, plan.count, position)
        low, high = (
            [0 if dim in self.dims else number for dim, number in enumerate(numbers)]
            for numbers in (self.padded.low, self.padded.high)
        )
        is_padded = any((*low, *high))
        if is_padded:
            x = with_sharding(b.pad(x, value, low, high), self.inner)
        made = self._local(b, (x, source, init))
        if is_padded:
            limits = [size - end for size, end in zip(made.type.shape, high, strict=True)]
            made = with_sharding(b.slice(made, low, limits), self.inner)
        for plan, dim, position in zip(self.plans, self.dims, positions, strict=True):
            made = self.window(b, made, dim, init, plan.result_starts, plan.operand.part, position)
        return [made]

    def _local(self, b: Builder, operands: Sequence[ir.Value]) -> ir.Value:
        """Build the op on exchanged values, without padding in these dimensions."""
        local = on_parts(b, self.op, operands, [operands[0].type])
        if "padding" in local.attributes:
            set_padding(local, self.layout.rank, dict.fromkeys(self.dims, (0, 0)))
        set_op_shardings(local, (self.inner,))
        return local.results[0]
