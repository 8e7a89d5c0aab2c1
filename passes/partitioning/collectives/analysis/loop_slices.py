"""Gathers in a loop, of slices of a tensor that the loop does not change: one per round, as of stacked parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.lists import AllToAllParamList
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import has_one_use
from sdy.stablehlo.idioms.loops import before_loop, before_loops, loop_body

BARRIER = "stablehlo.optimization_barrier"
_MOVE = "sdy.all_to_all"
_CONVERT = "stablehlo.convert"
_RESHAPE = "stablehlo.reshape"
_SLICE = "stablehlo.dynamic_slice"
_TRANSPOSE = "stablehlo.transpose"


@dataclass(frozen=True)
class View:
    """An op between the tensor and the gather; `sharding` is that of what it gives if the whole tensor is gathered."""

    op: ir.Operation
    sharding: TensorSharding


@dataclass(frozen=True)
class GatheredSlice:
    """A gather in the body of `loop` of what `views` make, in order, of `tensor`, a value before the loop.

    `axes` are those gathered per dimension of `tensor`, `sharding` is what it then has. `element_types` are those that
    its elements are converted to on the way, one after the other. `moves` are what takes gathered axes from one
    dimension to another on the way, for this gather alone: the whole tensor needs none of it.
    """

    gather: ir.Operation
    loop: ir.Operation
    tensor: ir.Value
    axes: tuple[AxisList, ...]
    sharding: TensorSharding
    element_types: tuple[ir.Type, ...]
    views: tuple[View, ...]
    moves: tuple[ir.Operation, ...]


def gathered_slice(gather: ir.Operation, loop: ir.Operation) -> GatheredSlice | None:
    """What a gather in the body of a loop gathers, if that is a slice of what the loop does not change."""
    axes = tuple(map(tuple, attributes.get(gather, "gathering_axes").lists))
    trace = _SliceTrace(gather.operands[0], axes, loop_body(loop))
    while trace.step():
        pass
    before = before_loop(trace.value, loop)
    if not trace.is_sliced or before is None:
        return None
    tensor = before_loops(before)
    sharding = gathered_sharding(tensor, trace.axes)
    if sharding is None:
        return None
    types, views = tuple(trace.element_types[::-1]), tuple(trace.views[::-1])
    return GatheredSlice(gather, loop, tensor, trace.axes, sharding, types, views, tuple(trace.moves))


def gathered_sharding(value: ir.Value, axes: Sequence[AxisList]) -> TensorSharding | None:
    """The sharding of `value` without `axes`, which must be the last ones of each dimension; None if they are not."""
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
    """Follows a value back to where it comes from, `axes` per dimension with it, as far as `body` goes."""

    def __init__(self, value: ir.Value, axes: tuple[AxisList, ...], body: ir.Block) -> None:
        self.value = value
        self.axes = axes
        self._body = body
        self.element_types: list[ir.Type] = []
        self.views: list[View] = []
        self.moves: list[ir.Operation] = []
        self.is_sliced = False
        self._is_alone = True

    def step(self) -> bool:
        """One op back; False at the end."""
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
    """As `_axes_before`, for axes that move from dimension to dimension; None unless all of them are gathered."""
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
    """The axes per dimension of the operand, given those of the result; None if `op` is no view along them."""
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
    """As `_axes_before`, for a reshape that only adds or drops dimensions of size 1."""
    large = [(size, gathered) for size, gathered in zip(shape, axes, strict=True) if size != 1]
    if any(gathered for size, gathered in zip(shape, axes, strict=True) if size == 1):
        return None
    if [size for size in source if size != 1] != [size for size, _ in large]:
        return None
    rest = iter(large)
    return tuple(() if size == 1 else next(rest)[1] for size in source)
