"""Ops that commute with sums: applied to the devices' parts of a sum they give the parts of their result."""

from __future__ import annotations

import math

from sdy.mlir import ir
from sdy.stablehlo.constants import constant_number, is_zero
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.op_table import Linear, ops_of

_FIRST = ops_of(linear=Linear.FIRST) | {"sdy.all_slice"}
_FIRST_TWO = ops_of(linear=Linear.FIRST_TWO)
_ALL = ops_of(linear=Linear.ALL)

_LINEAR = _FIRST | _FIRST_TWO | _ALL | ops_of(linear=Linear.SOMETIMES)


def summed_operands(op: ir.Operation, index: int) -> tuple[int, ...] | None:
    """The operands, among them `index`, of which `op` may be given parts of sums, if it is given parts of all of them.

    The sum of what the devices then have is the result of the op on the sums. None if that is not so for operand
    `index`. A product with anything but a finite constant does not count: where a factor is infinite, a part of 0 would
    give no number.
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
    """Whether one tensor is added up from 0."""
    return len(op.results) == 1 and combining_ops(op.regions[0]) == ["stablehlo.add"] and is_zero(op.operands[1])
