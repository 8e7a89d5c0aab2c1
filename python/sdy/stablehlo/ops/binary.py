"""Ops with several operands of one shape that compute every element by itself."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.ops.making.creation import Location, Point
from sdy.stablehlo.ops.values import Value, one


def add(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The sum; of truth values, or."""
    return one("stablehlo.add", (lhs, rhs), loc=loc, ip=ip)


def subtract(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The difference."""
    return one("stablehlo.subtract", (lhs, rhs), loc=loc, ip=ip)


def multiply(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The product; of truth values, and."""
    return one("stablehlo.multiply", (lhs, rhs), loc=loc, ip=ip)


def divide(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The quotient; of integers, rounded towards zero."""
    return one("stablehlo.divide", (lhs, rhs), loc=loc, ip=ip)


def remainder(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The remainder, with the sign of `lhs`."""
    return one("stablehlo.remainder", (lhs, rhs), loc=loc, ip=ip)


def power(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """`lhs` to the power of `rhs`."""
    return one("stablehlo.power", (lhs, rhs), loc=loc, ip=ip)


def atan2(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The angle of the point (rhs, lhs), in radians."""
    return one("stablehlo.atan2", (lhs, rhs), loc=loc, ip=ip)


def maximum(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The larger of two numbers; NaN if one is NaN."""
    return one("stablehlo.maximum", (lhs, rhs), loc=loc, ip=ip)


def minimum(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The smaller of two numbers; NaN if one is NaN."""
    return one("stablehlo.minimum", (lhs, rhs), loc=loc, ip=ip)


def and_(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Each bit, or truth value, that both have."""
    return one("stablehlo.and", (lhs, rhs), loc=loc, ip=ip)


def or_(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Each bit, or truth value, that one has."""
    return one("stablehlo.or", (lhs, rhs), loc=loc, ip=ip)


def xor(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Each bit, or truth value, that just one has."""
    return one("stablehlo.xor", (lhs, rhs), loc=loc, ip=ip)


def shift_left(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """`lhs` shifted left by `rhs` bits."""
    return one("stablehlo.shift_left", (lhs, rhs), loc=loc, ip=ip)


def shift_right_arithmetic(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """`lhs` shifted right by `rhs` bits; the sign bit stays."""
    return one("stablehlo.shift_right_arithmetic", (lhs, rhs), loc=loc, ip=ip)


def shift_right_logical(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """`lhs` shifted right by `rhs` bits; zeros move in."""
    return one("stablehlo.shift_right_logical", (lhs, rhs), loc=loc, ip=ip)


def complex(lhs: ir.Value, rhs: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Complex numbers from real and imaginary parts."""
    return one("stablehlo.complex", (lhs, rhs), loc=loc, ip=ip)


def compare(
    lhs: ir.Value,
    rhs: ir.Value,
    direction: str,
    compare_type: str | None = None,
    *,
    loc: Location = None,
    ip: Point = None,
) -> Value:
    """Compares element by element.

    Args:
      lhs, rhs: values of one type.
      direction: EQ, NE, GE, GT, LE or LT.
      compare_type: FLOAT, TOTALORDER, SIGNED, UNSIGNED or NOTYPE; what the elements say if it is missing.
    """
    attributes = {"comparison_direction": direction, "compare_type": compare_type}
    return one("stablehlo.compare", (lhs, rhs), attributes, loc=loc, ip=ip)


def select(pred: ir.Value, on_true: ir.Value, on_false: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Elements of `on_true` where `pred`, a tensor of that shape or a scalar, is true, else of `on_false`."""
    return one("stablehlo.select", (pred, on_true, on_false), loc=loc, ip=ip)


def clamp(min: ir.Value, operand: ir.Value, max: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The operand limited to `min` and `max`, tensors of its shape or scalars."""
    return one("stablehlo.clamp", (min, operand, max), loc=loc, ip=ip)
