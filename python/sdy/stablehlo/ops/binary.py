"""Ops with several operands of one shape that compute every element by itself."""

from __future__ import annotations

from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
from sdy.stablehlo.ops.values import Value, one


def add(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The sum; of truth values, or."""
    return one("stablehlo.add", (lhs, rhs), **at)


def subtract(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The difference."""
    return one("stablehlo.subtract", (lhs, rhs), **at)


def multiply(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The product; of truth values, and."""
    return one("stablehlo.multiply", (lhs, rhs), **at)


def divide(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The quotient; of integers, rounded towards zero."""
    return one("stablehlo.divide", (lhs, rhs), **at)


def remainder(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The remainder, with the sign of `lhs`."""
    return one("stablehlo.remainder", (lhs, rhs), **at)


def power(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """`lhs` to the power of `rhs`."""
    return one("stablehlo.power", (lhs, rhs), **at)


def atan2(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The angle of the point (rhs, lhs), in radians."""
    return one("stablehlo.atan2", (lhs, rhs), **at)


def maximum(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The larger of two numbers; NaN if one is NaN."""
    return one("stablehlo.maximum", (lhs, rhs), **at)


def minimum(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The smaller of two numbers; NaN if one is NaN."""
    return one("stablehlo.minimum", (lhs, rhs), **at)


def and_(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """Each bit, or truth value, that both have."""
    return one("stablehlo.and", (lhs, rhs), **at)


def or_(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """Each bit, or truth value, that one has."""
    return one("stablehlo.or", (lhs, rhs), **at)


def xor(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """Each bit, or truth value, that just one has."""
    return one("stablehlo.xor", (lhs, rhs), **at)


def shift_left(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """`lhs` shifted left by `rhs` bits."""
    return one("stablehlo.shift_left", (lhs, rhs), **at)


def shift_right_arithmetic(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """`lhs` shifted right by `rhs` bits; the sign bit stays."""
    return one("stablehlo.shift_right_arithmetic", (lhs, rhs), **at)


def shift_right_logical(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """`lhs` shifted right by `rhs` bits; zeros move in."""
    return one("stablehlo.shift_right_logical", (lhs, rhs), **at)


def complex(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """Complex numbers from real and imaginary parts."""
    return one("stablehlo.complex", (lhs, rhs), **at)


def compare(lhs: ir.Value, rhs: ir.Value, direction: str, compare_type: str | None = None, **at: Unpack[At]) -> Value:
    """Compares element by element.

    Args:
      lhs, rhs: values of one type.
      direction: EQ, NE, GE, GT, LE or LT.
      compare_type: FLOAT, TOTALORDER, SIGNED, UNSIGNED or NOTYPE; what the elements say if it is missing.
    """
    attributes = {"comparison_direction": direction, "compare_type": compare_type}
    return one("stablehlo.compare", (lhs, rhs), attributes, **at)


def select(pred: ir.Value, on_true: ir.Value, on_false: ir.Value, **at: Unpack[At]) -> Value:
    """Elements of `on_true` where `pred`, a tensor of that shape or a scalar, is true, else of `on_false`."""
    return one("stablehlo.select", (pred, on_true, on_false), **at)


def clamp(min: ir.Value, operand: ir.Value, max: ir.Value, **at: Unpack[At]) -> Value:
    """The operand limited to `min` and `max`, tensors of its shape or scalars."""
    return one("stablehlo.clamp", (min, operand, max), **at)
