"""Gathers in a loop, of slices of a tensor that the loop does not change: one per round, as of stacked parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sdy.dialect import attributes
from sdy.dialect.axes import AxisList
from sdy.dialect.functions import body, callee_name, has_body
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.values import get_sharding
from sdy.mlir import ir

BARRIER = "stablehlo.optimization_barrier"
_CALL = "func.call"
_CONVERT = "stablehlo.convert"
_RESHAPE = "stablehlo.reshape"
_SLICE = "stablehlo.dynamic_slice"
_TRANSPOSE = "stablehlo.transpose"
_VIEWS = frozenset({BARRIER, _CONVERT, _RESHAPE, _SLICE, _TRANSPOSE})


@dataclass(frozen=True)
class View:
    """An op between the tensor and the gather; `sharding` is that of what it gives if the whole tensor is gathered.

    `call` is the call of the function that the op is in, None for an op of the loop itself.
    """

    op: ir.Operation
    call: ir.Operation | None
    sharding: TensorSharding


@dataclass(frozen=True)
class GatheredSlice:
    """A gather in the body of `loop` of what `views` make, in order, of `tensor`, a value before the loop.

    `axes` are those gathered per dimension of `tensor`, `sharding` is what it then has. `element_types` are those that
    its elements are converted to on the way, one after the other.
    """

    gather: ir.Operation
    loop: ir.Operation
    tensor: ir.Value
    axes: tuple[AxisList, ...]
    sharding: TensorSharding
    element_types: tuple[ir.Type, ...]
    views: tuple[View, ...]


def gathered_slice(
    gather: ir.Operation, loop: ir.Operation, functions: Mapping[str, ir.Operation]
) -> GatheredSlice | None:
    """What a gather in the body of a loop gathers, if that is a slice of what the loop does not change."""
    axes = tuple(map(tuple, attributes.get(gather, "gathering_axes").lists))
    trace = _Trace(gather.operands[0], axes, functions)
    while trace.step():
        pass
    variable = trace.value
    if trace.is_lost or not trace.is_sliced or not isinstance(variable, ir.BlockArgument):
        return None
    tensor = _before(variable, loop)
    sharding = None if tensor is None else gathered_sharding(tensor, trace.axes)
    if tensor is None or sharding is None:
        return None
    types, views = tuple(trace.element_types[::-1]), tuple(trace.views[::-1])
    return GatheredSlice(gather, loop, tensor, trace.axes, sharding, types, views)


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


def _before(variable: ir.BlockArgument, loop: ir.Operation) -> ir.Value | None:
    """What a variable of `loop` is before it; None if it changes."""
    block = loop.regions[1].blocks[0]
    if variable.owner != block:
        return None
    value = _unchanged(loop, variable.arg_number)
    earlier = value
    while earlier is not None:
        value = earlier
        op = value.owner.operation if isinstance(value, ir.OpResult) else None
        is_variable = op is not None and op.name == "stablehlo.while"
        earlier = _unchanged(op, ir.OpResult(value).result_number) if is_variable else None
    return value


def _unchanged(loop: ir.Operation, number: int) -> ir.Value | None:
    """The first value of a loop variable that the body hands on as it is; None if it does not."""
    block = loop.regions[1].blocks[0]
    returned = block.operations[len(block.operations) - 1].operation.operands[number]
    return loop.operands[number] if returned == block.arguments[number] else None


class _Trace:
    """Follows a value back to where it comes from, `axes` per dimension with it."""

    def __init__(self, value: ir.Value, axes: tuple[AxisList, ...], functions: Mapping[str, ir.Operation]) -> None:
        self.value = value
        self.axes = axes
        self.element_types: list[ir.Type] = []
        self.views: list[View] = []
        self.is_sliced = False
        self.is_lost = False
        self._call: ir.Operation | None = None
        self._functions = functions

    def step(self) -> bool:
        """One op back; False at the end, or if the way is lost."""
        if isinstance(self.value, ir.BlockArgument):
            return self._leave_function()
        op = self.value.owner.operation
        if op.name == _CALL:
            return self._enter_function(op)
        if op.name == _CONVERT:
            self.element_types.append(op.results[0].type.element_type)
            self.value = op.operands[0]
            return True
        return self._pass_view(op)

    def _lose(self) -> bool:
        self.is_lost = True
        return False

    def _enter_function(self, call: ir.Operation) -> bool:
        callee = self._functions.get(callee_name(call))
        if self._call is not None or callee is None or not _has_no_effects(callee):
            return self._lose()
        inside = body(callee).operations
        number = ir.OpResult(self.value).result_number
        self._call, self.value = call, inside[len(inside) - 1].operation.operands[number]
        return True

    def _leave_function(self) -> bool:
        if self._call is None:
            return False
        argument = ir.BlockArgument(self.value)
        if argument.owner != body(self._functions[callee_name(self._call)]):
            return self._lose()
        self.value, self._call = self._call.operands[argument.arg_number], None
        return True

    def _pass_view(self, op: ir.Operation) -> bool:
        axes = _axes_before(op, self.axes)
        sharding = gathered_sharding(self.value, self.axes)
        if axes is None or sharding is None or not self._can_be_used(op):
            return self._lose()
        self.views.append(View(op, self._call, sharding))
        self.is_sliced |= op.name == _SLICE
        number = ir.OpResult(self.value).result_number if op.name == BARRIER else 0
        self.axes, self.value = axes, op.operands[number]
        return True

    def _can_be_used(self, op: ir.Operation) -> bool:
        """Whether the indices of a slice can be had where its function is called."""
        if self._call is None or op.name != _SLICE:
            return True
        return all(isinstance(index, ir.BlockArgument) or is_constant(index.owner.operation) for index in indices(op))


def _has_no_effects(func: ir.Operation) -> bool:
    """Whether a function only looks at its arguments, and has one block."""
    if not has_body(func) or len(func.regions[0].blocks) != 1:
        return False
    *inside, _ = [view.operation for view in body(func).operations]
    return all(op.name in _VIEWS or is_pure(op) or is_constant(op) for op in inside)


def indices(op: ir.Operation) -> list[ir.Value]:
    return list(op.operands)[1:]


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
