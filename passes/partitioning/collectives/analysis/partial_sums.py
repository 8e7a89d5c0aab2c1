"""Values that could stay partial, and the cost of reducing them later.

A *sum* is the result of an all_reduce over some axes, or of linear ops on such results. The devices may instead have
parts of it: values that add up to it along the axes. A `PartialSums` has all sums over the same axes, the ops that make
them, and the bytes that an all_reduce of each would send.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import OperandSlot, uses_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, any_overlap, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_no_use, terminator
from sdy.mlir.tensor_types import bits
from sdy.passes.costs.machine import moved_bytes
from sdy.stablehlo.constants import constant_number, is_zero
from sdy.stablehlo.idioms.loops import WHILE, rounds_of
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.op_table import Linear, ops_of

_FIRST = ops_of(linear=Linear.FIRST) | {"sdy.all_slice"}
_FIRST_TWO = ops_of(linear=Linear.FIRST_TWO)
_ALL = ops_of(linear=Linear.ALL)

_LINEAR = _FIRST | _FIRST_TWO | _ALL | ops_of(linear=Linear.SOMETIMES)


def summed_operands(op: ir.Operation, index: int) -> tuple[int, ...] | None:
    """Return the operands, including `index`, that `op` may take as parts of sums together.

    The sum of the devices' results is then the result of the op on the sums. None if this does not hold for operand
    `index`. A product counts only with a finite constant: an infinite factor times a part of 0 is not a number.
    """
    name = op.name
    if name not in _LINEAR or not _is_number(op.operands[index].type):
        return None
    if name in _FIRST:
        return (0,) if index == 0 else None
    if name in _ALL:
        return tuple(range(len(op.operands)))
    if name in _FIRST_TWO:
        return (0, 1) if index < 2 else None
    if name == "stablehlo.select":
        return (1, 2) if index else None
    if name == "stablehlo.multiply":
        return (index,) if _keeps_finite(op.operands[1 - index]) else None
    if name == "stablehlo.divide":
        return (0,) if index == 0 and _is_divisor(op.operands[1]) else None
    if name == "stablehlo.reduce":
        return (0,) if index == 0 and _is_sum(op) else None
    return None


def _is_number(type_: ir.Type) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return False
    element = type_.element_type
    if isinstance(element, ir.IntegerType):
        return element.width >= 8
    return isinstance(element, (ir.FloatType, ir.ComplexType))


def _keeps_finite(factor: ir.Value) -> bool:
    if isinstance(factor.type.element_type, ir.IntegerType):
        return True
    number = constant_number(factor)
    return number is not None and math.isfinite(number)


def _is_divisor(value: ir.Value) -> bool:
    if isinstance(value.type.element_type, ir.IntegerType):
        return False
    return bool(constant_number(value))


def _is_sum(op: ir.Operation) -> bool:
    """Return whether one tensor is summed, starting from 0."""
    return len(op.results) == 1 and combining_ops(op.regions[0]) == ["stablehlo.add"] and is_zero(op.operands[1])


_BYTE = 1 << 20
"""Weight of one byte; that of one op is 1, so that among equal bytes fewer ops win."""

KEPT_PER_OP = 1 << 16
"""Number of extra bytes that a device may hold to save one op."""


@dataclass(eq=False)
class PartialSum:
    """A value that may be left in parts.

    `slots` are the operands that have to be parts for `value` to be one; none for a value that starts as parts.
    `weight` is the cost of summing here. `needs_whole` tells that some user cannot take parts. A slice along axes of
    the sum is `scattered`: a reduce_scatter makes it from parts, but it cannot remain in parts. `last` is the last
    value of a loop variable, which is in parts if the variable is; then `kept` is the extra cost, since the parts and
    the sum are both live when it is summed at once.
    """

    number: int
    value: ir.Value
    weight: int
    slots: tuple[OperandSlot, ...] = ()
    needs_whole: bool = False
    scattered: bool = False
    users: list[PartialSum] = field(default_factory=list)
    last: PartialSum | None = None
    kept: int = 0


class PartialSums:
    """All sums over `axes` of the mesh called `ref`, starting from the given all_reduces."""

    def __init__(self, ref: MeshRef, mesh: Mesh, axes: AxisList, all_reduces: Sequence[ir.Operation]) -> None:
        self.ref = ref
        self.mesh = mesh
        self.axes = axes
        self.sums: list[PartialSum] = []
        self.of: dict[ir.Value, PartialSum] = {}
        self._costs = _SumCosts(mesh, axes)
        for op in all_reduces:
            self._add(op.results[0], ())
        self.count_of_sources = len(self.sums)
        for each in self.sums:  # which grows meanwhile
            if not each.scattered:
                uses = [self._use(each, slot) for slot in uses_of(each.value)]
                each.needs_whole |= not all(uses)

    def _add(self, value: ir.Value, slots: tuple[OperandSlot, ...]) -> PartialSum:
        scattered = self._scattered(value)
        weight = self._costs.weight(value, scattered)
        is_scattered = scattered is not None
        found = PartialSum(len(self.sums), value, weight, slots, is_scattered, is_scattered)
        self.sums.append(found)
        self.of[value] = found
        return found

    # Following a sum to its users ----------------------------------------------------------------

    def _use(self, each: PartialSum, slot: OperandSlot) -> bool:
        """Record a use of a sum by `slot`; return False if it needs the whole sum."""
        loop = _loop_of(slot)
        made = self._computed(slot) if loop is None else self._carried(loop, slot.number)
        if made is None:
            return False
        value, slots = made
        known = self.of.get(value)
        if known is None:
            known = self._add(value, slots)
            if isinstance(value, ir.BlockArgument):  # with a loop variable its last value is in parts
                known.last = self._add(value.owner.owner.operation.results[value.arg_number], ())
                known.kept = self._costs.bytes(value) // KEPT_PER_OP
        elif slot not in known.slots:
            return False
        each.users.append(known)
        return True

    def _computed(self, slot: OperandSlot) -> tuple[ir.Value, tuple[OperandSlot, ...]] | None:
        """Return the result of an op, and all operands that have to be in parts for it.

        Returns None if it cannot be in parts.
        """
        op = slot.user
        numbers = summed_operands(op, slot.number)
        if numbers is None or not self._may_be_in_parts(op.results[0]):
            return None
        return op.results[0], tuple(OperandSlot(op, number) for number in numbers)

    def _carried(self, loop: ir.Operation, number: int) -> tuple[ir.Value, tuple[OperandSlot, ...]] | None:
        """Return the argument of the body for a loop variable that only the body reads, and its operand slots."""
        condition, body = (region.blocks[0] for region in loop.regions)
        if not has_no_use(condition.arguments[number]) or not self._may_be_in_parts(loop.results[number]):
            return None
        return body.arguments[number], (OperandSlot(loop, number), OperandSlot(terminator(body), number))

    def _may_be_in_parts(self, value: ir.Value) -> bool:
        sharding = get_sharding(value)
        if sharding is None:
            return True
        if sharding.mesh_or_ref != self.ref or (sharding.unreduced and sharding.reduction is not Reduction.SUM):
            return False
        if any(any_overlap(axes, self.axes) for axes in sharding.dim_axes):
            return self._scattered(value) is not None
        return not any_overlap(sharding.unreduced, self.axes)

    def _scattered(self, value: ir.Value) -> list[AxisList] | None:
        """The axes of the sum per dimension that an all_slice slices along; None if other axes come before them."""
        op = defining_op(value)
        if op is None or op.name != "sdy.all_slice":
            return None
        return scattered_axes(attributes.get(op, "slicing_axes").lists, self.axes)


class _SumCosts:
    """Costs of a reduction over `axes`, times the devices of a group."""

    def __init__(self, mesh: Mesh, axes: AxisList) -> None:
        self._sizes = mesh.axis_sizes
        self._devices = product(axes, self._sizes)
        self._rounds: dict[ir.Block, int] = {}
        self._bytes: dict[tuple[ir.Type, TensorSharding | None], int] = {}

    def weight(self, value: ir.Value, scattered: Sequence[AxisList] | None) -> int:
        """The bytes that a group sends for a value, and the number of ops; `scattered` are axes of a reduce_scatter."""
        sent, ops = moved_bytes("all_reduce", self._devices, self.bytes(value)), 1
        if scattered is not None:
            along = product([axis for axes in scattered for axis in axes], self._sizes)
            rest, whole = self._devices // along, self.bytes(value.owner.operation.operands[0])
            sent = moved_bytes("reduce_scatter", along, whole) + moved_bytes("all_reduce", rest, whole / along)
            ops = 1 if rest == 1 else 2
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        if block not in self._rounds:
            self._rounds[block] = rounds_of(block)
        return (round(self._devices * sent) * _BYTE + ops) * self._rounds[block]

    def bytes(self, value: ir.Value) -> int:
        """Bytes of a value on a device."""
        type_, sharding = value.type, get_sharding(value)
        known = self._bytes.get((type_, sharding))
        if known is None:
            shape = tuple(type_.shape)
            local = shape if sharding is None else sharding.local_shape(shape, self._sizes)
            known = max(1, math.prod(local) * bits(type_.element_type) // 8)
            self._bytes[type_, sharding] = known
        return known


def scattered_axes(lists: Sequence[AxisList], axes: AxisList) -> list[AxisList] | None:
    """Per dimension the first of the sliced axes that are among `axes`; None if there are none or `axes` come later."""
    scattered: list[AxisList] = []
    for sliced in lists:
        count = 0
        while count < len(sliced) and sliced[count] in axes:
            count += 1
        if any_overlap(sliced[count:], axes):
            return None
        scattered.append(tuple(sliced[:count]))
    return scattered if any(scattered) else None


def in_parts(sharding: TensorSharding | None, value: ir.Value, sums: PartialSums) -> TensorSharding:
    """Return the sharding of the devices' parts of `value`, given its own sharding."""
    whole = sharding or TensorSharding.closed(sums.ref, len(value.type.shape))
    return whole.with_unreduced(sums.mesh.sort_and_merge((*whole.unreduced, *sums.axes)), Reduction.SUM)


def _loop_of(slot: OperandSlot) -> ir.Operation | None:
    """The loop that `slot` hands a loop variable to."""
    if slot.user.name == WHILE:
        return slot.user
    if slot.user.name != "stablehlo.return":
        return None
    parent = slot.user.parent.operation
    return parent if parent.name == WHILE else None
