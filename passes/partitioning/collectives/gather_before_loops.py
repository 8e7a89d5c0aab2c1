"""Gathers a tensor once that several loops gather slice by slice.

    stablehlo.while(%w = %0, %i = %c0) ... do {
      %1 = stablehlo.dynamic_slice %w, %i, %c0, sizes = [1, 8] ... // %w: [{}, {"x"}]
      %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xf32>
      ...
    stablehlo.while(%w = %0, %i = %c0) ... do {                    // gathers the same slices once more
==> %1 = sdy.all_gather [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
    stablehlo.while(%w = %0, %i = %c0) ... do {
      %2 = stablehlo.dynamic_slice %1, %i, %c0, sizes = [1, 8] ...
      ...

So it is with layers that are scanned over, whose parameters are sharded over the batch axes as well: the way back
needs them once more. A tensor that is sharded along the dimension of the slices is moved to other dimensions first,
which gathering it saves as well. Cost model: the tensor is gathered before the first of the loops if that sends fewer
bytes than all rounds do, which has to be known. It takes memory from the first loop to the last: what saves most for
each byte comes first, as long as the device holds no more than it may (see `sdy-drop-kept-bytes-limit`). Those that
would be moved are gathered in any case as long as all of them together take a mebibyte or less, which fills no device.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import set_sharding
from sdy.dialect.values.axes import AxisList, product
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_element_type
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.collectives.analysis.kept_bytes import (
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    small_or_affordable,
)
from sdy.passes.partitioning.collectives.analysis.loop_slices import (
    BARRIER,
    GatheredSlice,
    View,
    gathered_sharding,
    gathered_slice,
)
from sdy.passes.partitioning.collectives.analysis.sending import sent_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.loops import WHILE, loop_around, trip_count
from sdy.stablehlo.ops import Builder

_Slices = list[GatheredSlice]
"""Gathers of slices of one tensor that become one of all of it."""


@function_pattern("gather-before-loops", WHILE)
def gather_before_loops(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Gather a tensor once before the loops that gather its slices."""
    chosen = _chosen(rewriter)
    if not chosen:
        return False
    slices = [each for shared in chosen for each in shared]
    views = [view for each in slices for view in reversed(each.views)]
    barriers = list(dict.fromkeys(view.op for view in views if view.op.name == BARRIER))
    sliced = [each.gather.operands[0] for each in slices]
    for shared in chosen:
        _gather_once(shared)
    erase_unused(sliced)
    for barrier in barriers:
        erase_unused(_drop_unused_results(barrier))
    return True


# What is worth it ------------------------------------------------------------------------------------


def _chosen(rewriter: Rewriter[KeptBytesOptions]) -> list[_Slices]:
    found = _by_tensor(rewriter.func)
    if not found:
        return []
    costs = _Costs(rewriter.layouts)
    worthwhile = [(slices, saved) for slices in found if (saved := _saved(slices, costs)) > 0]
    if not worthwhile:
        return []
    live = LiveBytes(rewriter.func, rewriter.layouts)
    candidates = [Candidate(slices, saved, (_span(slices, costs, live),)) for slices, saved in worthwhile]
    return small_or_affordable(rewriter, candidates, live, lambda slices: any(each.moves for each in slices))


def _saved(slices: _Slices, costs: _Costs) -> float:
    """How many bytes less each device sends if the tensor is gathered once.

    Moves in front of the slices are not of a single round: they leave the loops, and equal ones are one.
    """
    first = slices[0]
    once = costs.sent(_converted(first.tensor.type, first.element_types), first.sharding, first.axes)
    moved = max(costs.sent_by_moves(each) for each in slices)
    return moved + sum(costs.sent_by(each) for each in slices) - once


def _span(slices: _Slices, costs: _Costs, live: LiveBytes) -> Span:
    """While the gathered tensor is held."""
    first = slices[0]
    block, type_ = first.loop.block, _converted(first.tensor.type, first.element_types)
    at = [live.number(each.loop, block) for each in slices]
    return Span(block, min(at), max(at), costs.size(type_, first.sharding))


def _by_tensor(func: ir.Operation) -> list[_Slices]:
    """Gathers that could be one, of loops that are side by side."""
    found: dict[tuple, _Slices] = {}
    for gather in ops_named(func, "sdy.all_gather"):
        loop = loop_around(gather)
        each = None if loop is None or not trip_count(loop) else gathered_slice(gather, loop)
        if each is not None:
            key = (each.tensor, each.loop.block, each.axes, each.element_types)
            found.setdefault(key, []).append(each)
    return list(found.values())


class _Costs:
    """Sizes of values on one device, and what gathering them sends."""

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts

    def size(self, type_: ir.Type, sharding: TensorSharding) -> float:
        return self._layouts.of(type_, sharding).local_bytes

    def sent(self, type_: ir.Type, gathered: TensorSharding, axes: Sequence[AxisList]) -> float:
        """What each device sends to gather a value, which then has the sharding `gathered`, along `axes`."""
        mesh = self._layouts.mesh(gathered)
        assert mesh is not None
        group = product([axis for each in axes for axis in each], mesh.axis_sizes)
        return moved_bytes("all_gather", group, int(self.size(type_, gathered) / group))

    def sent_by_moves(self, each: GatheredSlice) -> float:
        return sum(sent_bytes(move, self._layouts) for move in each.moves)

    def sent_by(self, each: GatheredSlice) -> float:
        gather = each.gather
        axes = attributes.get(gather, "gathering_axes").lists
        rounds = trip_count(each.loop) or 0
        return rounds * self.sent(gather.results[0].type, attributes.get(gather, "out_sharding"), axes)


def _converted(type_: ir.RankedTensorType, element_types: Sequence[ir.Type]) -> ir.RankedTensorType:
    return with_element_type(type_, element_types[-1]) if element_types else type_


# Gathering the tensor --------------------------------------------------------------------------------


def _gather_once(slices: Sequence[GatheredSlice]) -> None:
    first = slices[0]
    before, at = ir.InsertionPoint(first.loop), first.gather.location
    part = first.tensor
    sharding = gathered_sharding(part, ((),) * len(first.axes))
    assert sharding is not None
    for element in first.element_types:
        part = _with(ops.convert(part, element, loc=at, ip=before), sharding)
    whole = builders.all_gather(part, first.axes, first.sharding, loc=at, ip=before)
    for each in slices:
        value = whole
        for view in each.views:
            value = _again(view, value, ir.InsertionPoint(each.gather))
        each.gather.results[0].replace_all_uses_with(value)
        each.gather.erase()


def _again(view: View, value: ir.Value, where: ir.InsertionPoint) -> ir.Value:
    """The result of a view of `value`, which comes from the whole tensor."""
    op = view.op
    if op.name == BARRIER:
        (kept,) = ops.optimization_barrier([value], loc=op.location, ip=where)
        return _with(kept, view.sharding)
    element = value.type.element_type
    copy = op.clone(ip=where).operation
    copy.operands[0] = value
    if op.results[0].type.element_type != element:
        copy.results[0].set_type(with_element_type(op.results[0].type, element))
    return _with(copy.results[0], view.sharding)


def _with(value: ir.Value, sharding: TensorSharding) -> ir.Value:
    """The value, with a sharding."""
    set_sharding(value, sharding)
    return value


def _drop_unused_results(barrier: ir.Operation) -> list[ir.Value]:
    """Takes out of a barrier what nobody uses behind it, which is returned as it is in front."""
    used = [number for number, result in enumerate(barrier.results) if next(iter(result.uses), None) is not None]
    operands, shardings = list(barrier.operands), op_shardings(barrier)
    if used:
        kept = Builder.before(barrier).optimization_barrier([operands[number] for number in used])
        for number, result in zip(used, kept, strict=True):
            barrier.results[number].replace_all_uses_with(result)
        if shardings is not None:
            set_op_shardings(kept[0].owner, [shardings[number] for number in used])
    barrier.erase()
    return [operand for number, operand in enumerate(operands) if number not in used]
