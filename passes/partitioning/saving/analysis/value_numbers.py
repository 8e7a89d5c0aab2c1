"""Which values of a program are equal: those that the same ops make of equal values, however they are sharded."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ir_builders.operand_slots import may_be_erased
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.mlir import ir
from sdy.stablehlo.constants import is_zero

_BARRIER = "stablehlo.optimization_barrier"
_ADDING = frozenset({"sdy.all_reduce", "sdy.reduce_scatter"})
_SAME = frozenset({_BARRIER, "sdy.propagation_barrier", "sdy.reshard", *COLLECTIVES}) - _ADDING
"""Ops that give the whole tensor that they take; its parts may be on other devices."""

_SHARDINGS = (SHARDING, "out_sharding")

_FUNCTIONS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "broadcast_in_dim concatenate convolution dot dot_general dynamic_slice dynamic_update_slice gather iota pad "
        "reduce reshape reverse slice transpose"
    ).split()
)
"""Ops whose results follow from their operands and attributes, besides those on elements and those that add up."""


class ValueNumbers:
    """Numbers values so that two with the same number are equal; what is not known to be equal gets one of its own.

    `known` are numbers that are given. The numbers of `around` are those of values outside of the block `scope`, so
    that numbers of one `around` can be compared.
    """

    def __init__(
        self,
        known: Mapping[ir.Value, int] | None = None,
        around: ValueNumbers | None = None,
        scope: ir.Block | None = None,
    ) -> None:
        self._numbers: dict[ir.Value, int] = dict(known or {})
        self._around = around
        self._scope = scope
        self._interned: dict[Hashable, int] = {} if around is None else around._interned

    def of(self, value: ir.Value) -> int:
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self._numbers:
                pending.pop()
                continue
            needed = [each for each in self._needed(current) if each not in self._numbers]
            if needed:
                pending += needed
            else:
                self._numbers[pending.pop()] = self._number(current)
        return self._numbers[value]

    def row(self, stack: ir.Value, index: int) -> int:
        """The number of a row of `stack`, along its first dimension, at an index that has the number `index`."""
        return self._intern(("row", self.of(stack), index))

    def index(self) -> int:
        """The number of what counts the rounds of a loop."""
        return self._intern("index")

    def _intern(self, key: Hashable) -> int:
        return self._interned.setdefault(key, len(self._interned))

    def _is_outside(self, value: ir.Value) -> bool:
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        return self._around is not None and block != self._scope

    def _needed(self, value: ir.Value) -> list[ir.Value]:
        """The values whose numbers that of `value` follows from."""
        if self._is_outside(value) or not isinstance(value, ir.OpResult):
            return []
        op = value.owner.operation
        if op.name in _SAME:
            return [op.operands[_operand_of(ir.OpResult(value))]]
        if not _is_function(op):
            return []
        row = row_of(op)
        return list(op.operands) if row is None else list(row)

    def _number(self, value: ir.Value) -> int:
        if self._around is not None and self._is_outside(value):
            return self._around.of(value)
        needed = [self._numbers[each] for each in self._needed(value)]
        if not isinstance(value, ir.OpResult):
            return self._intern(("value", value))
        op = value.owner.operation
        if op.name in _SAME:
            return needed[0]
        if not _is_function(op):
            return self._intern(("value", value))
        if row_of(op) is not None:
            return self._intern(("row", *needed))
        result = ir.OpResult(value).result_number
        regions = tuple(map(_region_key, op.regions))
        return self._intern((op.name, result, value.type, _attributes(op), tuple(needed), regions))


def _operand_of(result: ir.OpResult) -> int:
    return result.result_number if result.owner.operation.name == _BARRIER else 0


def has_no_effects(op: ir.Operation) -> bool:
    """Whether an op only computes its results."""
    return may_be_erased(op) or _is_function(op)


def _is_function(op: ir.Operation) -> bool:
    if not (op.name in _FUNCTIONS or op.name in _ADDING or is_constant(op) or is_elementwise(op)):
        return False
    return all(_region_key(region) is not None for region in op.regions)


def _attributes(op: ir.Operation) -> tuple:
    attributes = op.attributes
    return tuple((name, attributes[name]) for name in sorted(attributes) if name not in _SHARDINGS)


def _region_key(region: ir.Region) -> Hashable:
    """Equal for regions of ops on elements that do the same; None for others."""
    if len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    keys: dict[ir.Value, Hashable] = {argument: argument.arg_number for argument in block.arguments}
    *inside, end = [view.operation for view in block.operations]
    for op in inside:
        operands = tuple(keys.get(operand) for operand in op.operands)
        if None in operands or len(op.results) != 1 or not (is_constant(op) or is_elementwise(op)):
            return None
        keys[op.results[0]] = (op.name, op.results[0].type, _attributes(op), operands)
    returned = tuple(keys.get(operand) for operand in end.operands)
    return None if None in returned else returned


def row_of(op: ir.Operation) -> tuple[ir.Value, ir.Value] | None:
    """The tensor and the index, if `op` gives a row of a tensor without its first dimension."""
    if op.name != "stablehlo.reshape" or not isinstance(op.operands[0], ir.OpResult):
        return None
    slice_ = op.operands[0].owner.operation
    if slice_.name != "stablehlo.dynamic_slice":
        return None
    stack, index, *others = slice_.operands
    shape = list(stack.type.shape)
    is_row = list(slice_.results[0].type.shape) == [1, *shape[1:]] and list(op.results[0].type.shape) == shape[1:]
    return (stack, index) if is_row and all(map(is_zero, others)) else None


def written_row(op: ir.Operation) -> tuple[ir.Value, ir.Value, ir.Value] | None:
    """The tensor, the row and the index, if `op` writes a row of a tensor along its first dimension."""
    if op.name != "stablehlo.dynamic_update_slice" or not isinstance(op.operands[1], ir.OpResult):
        return None
    reshape = op.operands[1].owner.operation
    if reshape.name != "stablehlo.reshape":
        return None
    stack, update, index, *others = op.operands
    row = reshape.operands[0]
    shape = list(stack.type.shape)
    is_row = list(update.type.shape) == [1, *shape[1:]] and list(row.type.shape) == shape[1:]
    return (stack, row, index) if is_row and all(map(is_zero, others)) else None
