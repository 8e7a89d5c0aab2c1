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

This is the case for scanned layers whose parameters are also sharded over the batch axes: the backward pass needs them
again. A tensor that is sharded along the dimension of the slices is first moved to other dimensions, which a gather of
it saves as well. Cost model: the tensor is gathered before the first of the loops if that sends fewer bytes than all
rounds do, whose number has to be known. It takes memory from the first loop to the last: tensors are chosen by saving
per byte, as long as the device's limit holds (see `sdy-drop-kept-bytes-limit`). Those that would be moved are always
gathered as long as all of them together take at most a mebibyte, which fills no device.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, product
from sdy.dialect.values.rule import AllToAllParamList
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import has_one_use, replace
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_element_type
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.memory_budget import (
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    small_or_affordable,
)
from sdy.passes.partitioning.collectives.sum_patterns import sent_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.loops import WHILE, before_loop, before_loops, loop_around, loop_body, trip_count
from sdy.stablehlo.ops import Builder

BARRIER = "stablehlo.optimization_barrier"
_MOVE = "sdy.all_to_all"
_CONVERT = "stablehlo.convert"
_RESHAPE = "stablehlo.reshape"
_SLICE = "stablehlo.dynamic_slice"
_TRANSPOSE = "stablehlo.transpose"


@dataclass(frozen=True)
class View:
    """An op between the tensor and the gather; `sharding` is that of its result if the whole tensor is gathered."""

    op: ir.Operation
    sharding: TensorSharding


@dataclass(frozen=True)
class GatheredSlice:
    """A gather in the body of `loop`, of `tensor` from before the loop, behind the ops `views` in order.

    `axes` are the gathered ones per dimension of `tensor`, `sharding` is the resulting one. `element_types` are the
    successive types of conversions on the way. `moves` are ops that move gathered axes between dimensions for this
    gather alone: the whole tensor does not need them. `outside` are views between such a move and the loop.
    """

    gather: ir.Operation
    loop: ir.Operation
    tensor: ir.Value
    axes: tuple[AxisList, ...]
    sharding: TensorSharding
    element_types: tuple[ir.Type, ...]
    views: tuple[View, ...]
    moves: tuple[ir.Operation, ...]
    outside: tuple[View, ...]


def gathered_slice(gather: ir.Operation, loop: ir.Operation) -> GatheredSlice | None:
    """Return the loop-invariant slice that a gather in a loop body gathers; None for others."""
    axes = tuple(map(tuple, attributes.get(gather, "gathering_axes").lists))
    trace = _SliceTrace(gather.operands[0], axes, loop_body(loop))
    while trace.step():
        pass
    before = before_loop(trace.value, loop)
    if not trace.is_sliced or before is None:
        return None
    tensor, axes, moves, outside = before_loops(before), trace.axes, trace.moves, list[View]()
    if trace.is_alone and (moved := _moved_for_loop(tensor, axes, loop)) is not None:
        tensor, axes, moves, outside = moved.value, moved.axes, moves + moved.moves, moved.views
    sharding = gathered_sharding(tensor, axes)
    if sharding is None:
        return None
    types, views = tuple(trace.element_types[::-1]), tuple(trace.views[::-1])
    return GatheredSlice(gather, loop, tensor, axes, sharding, types, views, tuple(moves), tuple(outside[::-1]))


def _moved_for_loop(tensor: ir.Value, axes: tuple[AxisList, ...], loop: ir.Operation) -> _SliceTrace | None:
    """Return the trace from an operand of a loop to a move in front of it, for the loop alone; None for others."""
    trace = _SliceTrace(tensor, axes, loop.block)
    while not trace.moves and not trace.element_types and trace.step():
        pass
    return trace if trace.moves and not trace.is_sliced else None


def gathered_sharding(value: ir.Value, axes: Sequence[AxisList]) -> TensorSharding | None:
    """Return the sharding of `value` without `axes`; None unless these are the last ones of each dimension."""
    sharding = get_sharding(value)
    if sharding is None or sharding.unreduced or len(sharding.dims) != len(axes):
        return None
    kept = []
    for has, gathered in zip(sharding.dim_axes, axes, strict=True):
        count = len(has) - len(gathered)
        if tuple(has[max(count, 0) :]) != tuple(gathered):
            return None
        kept.append(has[:count])
    return sharding.with_dim_axes(kept)


class _SliceTrace:
    """Follows a value back to its origin in `body`, with its `axes` per dimension."""

    def __init__(self, value: ir.Value, axes: tuple[AxisList, ...], body: ir.Block) -> None:
        self.value = value
        self.axes = axes
        self._body = body
        self.element_types: list[ir.Type] = []
        self.views: list[View] = []
        self.moves: list[ir.Operation] = []
        self.is_sliced = False
        self._is_alone = True

    @property
    def is_alone(self) -> bool:
        """Return whether all values until now serve the first one alone; a loop returns what it was given."""
        users = [use.owner for use in self.value.uses]
        return self._is_alone and sum(user != self._body.operations[-1] for user in users) == 1

    def step(self) -> bool:
        """Step back by one op; return False at the end."""
        if isinstance(self.value, ir.BlockArgument):
            return False
        op = self.value.owner.operation
        if op.block != self._body:
            return False
        self._is_alone &= has_one_use(self.value)
        if op.name == _MOVE:
            return self._step_over(op)
        if op.name == _CONVERT:
            self.element_types.append(op.results[0].type.element_type)
            self.value = op.operands[0]
            return True
        axes = _axes_before(op, self.axes)
        sharding = gathered_sharding(self.value, self.axes)
        if axes is None or sharding is None:
            return False
        self.views.append(View(op, sharding))
        self.is_sliced |= op.name == _SLICE
        number = ir.OpResult(self.value).result_number if op.name == BARRIER else 0
        self.axes, self.value = axes, op.operands[number]
        return True

    def _step_over(self, move: ir.Operation) -> bool:
        axes = _axes_before_move(attributes.get(move, "params"), self.axes)
        if axes is None:
            return False
        if self._is_alone:
            self.moves.append(move)
        self.axes, self.value = axes, move.operands[0]
        return True


def _axes_before_move(params: AllToAllParamList, axes: tuple[AxisList, ...]) -> tuple[AxisList, ...] | None:
    """Return the axes before an all-to-all, like `_axes_before`; None unless all moved axes are gathered."""
    found = list(map(tuple, axes))
    for param in reversed(params.params):
        moved = tuple(param.axes)
        kept = len(found[param.tgt_dim]) - len(moved)
        if kept < 0 or found[param.tgt_dim][kept:] != moved:
            return None
        found[param.tgt_dim] = found[param.tgt_dim][:kept]
        found[param.src_dim] = (*found[param.src_dim], *moved)
    return tuple(found)


def _axes_before(op: ir.Operation, axes: tuple[AxisList, ...]) -> tuple[AxisList, ...] | None:
    """Return the axes per dimension of the operand, given those of the result.

    Returns None if `op` is not a view along them.
    """
    if op.name == BARRIER:
        return axes
    if op.name == _TRANSPOSE:
        found = list(axes)
        for result_dim, dim in enumerate(op.attributes["permutation"]):
            found[dim] = axes[result_dim]
        return tuple(found)
    if op.name == _SLICE:
        pairs = zip(op.operands[0].type.shape, op.results[0].type.shape, axes, strict=True)
        return None if any(gathered and size != taken for size, taken, gathered in pairs) else axes
    if op.name == _RESHAPE:
        return _axes_before_reshape(op.operands[0].type.shape, op.results[0].type.shape, axes)
    return None


def _axes_before_reshape(
    source: Sequence[int], shape: Sequence[int], axes: Sequence[AxisList]
) -> tuple[AxisList, ...] | None:
    """Return the axes before a reshape that only adds or drops dimensions of size 1, like `_axes_before`."""
    large = [(size, gathered) for size, gathered in zip(shape, axes, strict=True) if size != 1]
    if any(gathered for size, gathered in zip(shape, axes, strict=True) if size == 1):
        return None
    if [size for size in source if size != 1] != [size for size, _ in large]:
        return None
    rest = iter(large)
    return tuple(() if size == 1 else next(rest)[1] for size in source)


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
    """Return the bytes that each device saves if the tensor is gathered once.

    Moves in front of the slices are loop-invariant: they leave the loops, and equal ones are merged.
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
    """Group gathers of adjacent loops that could be one."""
    found: dict[tuple, _Slices] = {}
    for gather in ops_named(func, "sdy.all_gather"):
        loop = loop_around(gather)
        each = None if loop is None or not trip_count(loop) else gathered_slice(gather, loop)
        if each is not None:
            outside = tuple(view.op for view in each.outside)
            key = (each.tensor, each.loop.block, each.axes, each.element_types, outside)
            found.setdefault(key, []).append(each)
    return list(found.values())


class _Costs:
    """Sizes of values on one device, and the bytes of gathering them."""

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts

    def size(self, type_: ir.Type, sharding: TensorSharding) -> float:
        return self._layouts.of(type_, sharding).local_bytes

    def sent(self, type_: ir.Type, gathered: TensorSharding, axes: Sequence[AxisList]) -> float:
        """Return the bytes that each device sends to gather a value along `axes` to the sharding `gathered`."""
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
    for view in first.outside:
        whole = _again(view, whole, before)
    for each in slices:
        value = whole
        for view in each.views:
            value = _again(view, value, ir.InsertionPoint(each.gather))
        replace(each.gather, [value])


def _again(view: View, value: ir.Value, where: ir.InsertionPoint) -> ir.Value:
    """Return the result of a view of `value`, which comes from the whole tensor."""
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
    """Remove the unused results of a barrier; return the values in front of it."""
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
