"""Builders of ops that compute every element by itself."""

from __future__ import annotations

from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.structured_attributes import ResultAccuracy
from sdy.stablehlo.ops.values import Value, one

Accuracy = ResultAccuracy | str | None
"""How exact a result has to be: DEFAULT, HIGHEST, or tolerances."""


def cbrt(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The cube root."""
    return one("stablehlo.cbrt", (operand,), {"result_accuracy": result_accuracy}, **at)


def cosine(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The cosine of an angle in radians."""
    return one("stablehlo.cosine", (operand,), {"result_accuracy": result_accuracy}, **at)


def exponential(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """e to the power of the operand."""
    return one("stablehlo.exponential", (operand,), {"result_accuracy": result_accuracy}, **at)


def exponential_minus_one(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """`exp(x) - 1`, exact near 0."""
    return one("stablehlo.exponential_minus_one", (operand,), {"result_accuracy": result_accuracy}, **at)


def log(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The natural logarithm."""
    return one("stablehlo.log", (operand,), {"result_accuracy": result_accuracy}, **at)


def log_plus_one(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """`log(x + 1)`, exact near 0."""
    return one("stablehlo.log_plus_one", (operand,), {"result_accuracy": result_accuracy}, **at)


def logistic(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """`1 / (1 + exp(-x))`."""
    return one("stablehlo.logistic", (operand,), {"result_accuracy": result_accuracy}, **at)


def rsqrt(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """One over the square root."""
    return one("stablehlo.rsqrt", (operand,), {"result_accuracy": result_accuracy}, **at)


def sine(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The sine of an angle in radians."""
    return one("stablehlo.sine", (operand,), {"result_accuracy": result_accuracy}, **at)


def sqrt(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The square root."""
    return one("stablehlo.sqrt", (operand,), {"result_accuracy": result_accuracy}, **at)


def tan(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The tangent of an angle in radians."""
    return one("stablehlo.tan", (operand,), {"result_accuracy": result_accuracy}, **at)


def tanh(operand: ir.Value, *, result_accuracy: Accuracy = None, **at: Unpack[At]) -> Value:
    """The hyperbolic tangent."""
    return one("stablehlo.tanh", (operand,), {"result_accuracy": result_accuracy}, **at)


def abs(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The absolute value; of complex numbers, as a real one."""
    return one("stablehlo.abs", (operand,), **at)


def ceil(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Rounds up to a whole number."""
    return one("stablehlo.ceil", (operand,), **at)


def floor(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Rounds down to a whole number."""
    return one("stablehlo.floor", (operand,), **at)


def round_nearest_afz(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Rounds to the nearest whole number, halves away from zero."""
    return one("stablehlo.round_nearest_afz", (operand,), **at)


def round_nearest_even(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Rounds to the nearest whole number, halves to the even one."""
    return one("stablehlo.round_nearest_even", (operand,), **at)


def sign(operand: ir.Value, **at: Unpack[At]) -> Value:
    """-1, 0 or 1; of complex numbers, `x / abs(x)`."""
    return one("stablehlo.sign", (operand,), **at)


def negate(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The number with the other sign."""
    return one("stablehlo.negate", (operand,), **at)


def not_(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Each bit, or truth value, inverted."""
    return one("stablehlo.not", (operand,), **at)


def count_leading_zeros(operand: ir.Value, **at: Unpack[At]) -> Value:
    """How many zero bits come first."""
    return one("stablehlo.count_leading_zeros", (operand,), **at)


def popcnt(operand: ir.Value, **at: Unpack[At]) -> Value:
    """How many bits are set."""
    return one("stablehlo.popcnt", (operand,), **at)


def real(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The real part; the operand itself if it is real."""
    return one("stablehlo.real", (operand,), **at)


def imag(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The imaginary part; zeros if the operand is real."""
    return one("stablehlo.imag", (operand,), **at)


def is_finite(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Whether a number is neither infinite nor NaN."""
    return one("stablehlo.is_finite", (operand,), **at)


def reduce_precision(operand: ir.Value, exponent_bits: int, mantissa_bits: int, **at: Unpack[At]) -> Value:
    """Rounds to a float format with fewer bits, without changing the type."""
    attributes = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
    return one("stablehlo.reduce_precision", (operand,), attributes, **at)


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
