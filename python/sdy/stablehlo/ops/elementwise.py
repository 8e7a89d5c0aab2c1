"""Builders of ops that compute every element by itself."""

from __future__ import annotations

from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.values import Value, accurate, binary, one, unary

__all__ = ["abs", "add", "and_", "atan2", "cbrt", "ceil", "clamp", "compare", "complex", "cosine"]
__all__ += ["count_leading_zeros", "divide", "exponential", "exponential_minus_one", "floor", "imag", "is_finite"]
__all__ += ["log", "log_plus_one", "logistic", "maximum", "minimum", "multiply", "negate", "not_", "or_", "popcnt"]
__all__ += ["power", "real", "reduce_precision", "remainder", "round_nearest_afz", "round_nearest_even", "rsqrt"]
__all__ += ["select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract"]
__all__ += ["tan", "tanh", "xor"]

cbrt = accurate("stablehlo.cbrt", "The cube root.")
cosine = accurate("stablehlo.cosine", "The cosine of an angle in radians.")
exponential = accurate("stablehlo.exponential", "e to the power of the operand.")
exponential_minus_one = accurate("stablehlo.exponential_minus_one", "`exp(x) - 1`, exact near 0.")
log = accurate("stablehlo.log", "The natural logarithm.")
log_plus_one = accurate("stablehlo.log_plus_one", "`log(x + 1)`, exact near 0.")
logistic = accurate("stablehlo.logistic", "`1 / (1 + exp(-x))`.")
rsqrt = accurate("stablehlo.rsqrt", "One over the square root.")
sine = accurate("stablehlo.sine", "The sine of an angle in radians.")
sqrt = accurate("stablehlo.sqrt", "The square root.")
tan = accurate("stablehlo.tan", "The tangent of an angle in radians.")
tanh = accurate("stablehlo.tanh", "The hyperbolic tangent.")
abs = unary("stablehlo.abs", "The absolute value; of complex numbers, as a real one.")
ceil = unary("stablehlo.ceil", "Rounds up to a whole number.")
floor = unary("stablehlo.floor", "Rounds down to a whole number.")
round_nearest_afz = unary("stablehlo.round_nearest_afz", "Rounds to the nearest whole number, halves away from zero.")
round_nearest_even = unary("stablehlo.round_nearest_even", "Rounds to the nearest number, halves to the even one.")
sign = unary("stablehlo.sign", "-1, 0 or 1; of complex numbers, `x / abs(x)`.")
negate = unary("stablehlo.negate", "The number with the other sign.")
not_ = unary("stablehlo.not", "Each bit, or truth value, inverted.")
count_leading_zeros = unary("stablehlo.count_leading_zeros", "How many zero bits come first.")
popcnt = unary("stablehlo.popcnt", "How many bits are set.")
real = unary("stablehlo.real", "The real part; the operand itself if it is real.")
imag = unary("stablehlo.imag", "The imaginary part; zeros if the operand is real.")
is_finite = unary("stablehlo.is_finite", "Whether a number is neither infinite nor NaN.")


def reduce_precision(operand: ir.Value, exponent_bits: int, mantissa_bits: int, **at: Unpack[At]) -> Value:
    """Rounds to a float format with fewer bits, without changing the type."""
    attributes = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
    return one("stablehlo.reduce_precision", (operand,), attributes, **at)


add = binary("stablehlo.add", "The sum; of truth values, or.")
subtract = binary("stablehlo.subtract", "The difference.")
multiply = binary("stablehlo.multiply", "The product; of truth values, and.")
divide = binary("stablehlo.divide", "The quotient; of integers, rounded towards zero.")
remainder = binary("stablehlo.remainder", "The remainder, with the sign of `lhs`.")
power = binary("stablehlo.power", "`lhs` to the power of `rhs`.")
atan2 = binary("stablehlo.atan2", "The angle of the point (rhs, lhs), in radians.")
maximum = binary("stablehlo.maximum", "The larger of two numbers; NaN if one is NaN.")
minimum = binary("stablehlo.minimum", "The smaller of two numbers; NaN if one is NaN.")
and_ = binary("stablehlo.and", "Each bit, or truth value, that both have.")
or_ = binary("stablehlo.or", "Each bit, or truth value, that one has.")
xor = binary("stablehlo.xor", "Each bit, or truth value, that just one has.")
shift_left = binary("stablehlo.shift_left", "`lhs` shifted left by `rhs` bits.")
shift_right_arithmetic = binary(
    "stablehlo.shift_right_arithmetic", "`lhs` shifted right by `rhs` bits; its sign stays."
)
shift_right_logical = binary("stablehlo.shift_right_logical", "`lhs` shifted right by `rhs` bits; zeros move in.")
complex = binary("stablehlo.complex", "Complex numbers from real and imaginary parts.")


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
