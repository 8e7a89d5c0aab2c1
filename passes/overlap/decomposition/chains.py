"""Converts and transposes between a collective and a product."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.mlir import ir
from sdy.stablehlo import views

_LINKS = ("stablehlo.convert", "stablehlo.transpose")


def is_link(op: ir.Operation) -> bool:
    """Whether a block of what `op` makes follows from that block of its operand."""
    return op.name in _LINKS


def users(value: ir.Value) -> list[tuple[ir.Operation, int]]:
    """The ops that use a value, in no order, each as often as it does, with the number of the operand."""
    return [(use.owner.operation, use.operand_number) for use in value.uses]


def only_user(value: ir.Value) -> tuple[ir.Operation, int] | None:
    """The op that uses a value and the number of the operand, if that is its only use and in the same block."""
    found = users(value)
    if len(found) != 1 or not isinstance(value.owner, ir.Operation | ir.OpView):
        return None
    return found[0] if found[0][0].block == value.owner.operation.block else None


def links_behind(value: ir.Value) -> tuple[ir.Operation, ...]:
    """The links that nobody else uses the operand of, one behind the other."""
    found: list[ir.Operation] = []
    while (user := only_user(value)) is not None and is_link(user[0]):
        found.append(user[0])
        value = user[0].results[0]
    return tuple(found)


def links_before(value: ir.Value) -> tuple[ir.Operation, ...]:
    """The links that `value` comes from, of which nobody else uses anything, first one first."""
    found: list[ir.Operation] = []
    while isinstance(value.owner, ir.Operation | ir.OpView) and only_user(value) is not None:
        op = value.owner.operation
        if not is_link(op):
            break
        found.insert(0, op)
        value = op.operands[0]
    return tuple(found)


def dim_behind(dim: int, chain: Iterable[ir.Operation]) -> int:
    """What becomes of dimension `dim` in a chain."""
    for op in chain:
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation.index(dim)
    return dim


def dim_before(dim: int, chain: tuple[ir.Operation, ...]) -> int:
    """What dimension `dim` of the end of a chain is at its start."""
    for op in reversed(chain):
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation[dim]
    return dim


def is_plain(type_: ir.Type) -> bool:
    """Whether a type is one of tensors of static shape whose elements can be added and multiplied."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape or type_.encoding is not None:
        return False
    element = type_.element_type
    if isinstance(element, ir.IntegerType):
        return element.width > 1
    return isinstance(element, ir.FloatType | ir.ComplexType)
