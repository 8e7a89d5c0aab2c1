"""Ops with one operand that compute every element by itself; the result has its shape."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.ops.making.creation import Location, Point
from sdy.stablehlo.ops.making.structured_attributes import ResultAccuracy
from sdy.stablehlo.ops.values import Value, one

Accuracy = ResultAccuracy | str | None
"""How exact a result has to be: DEFAULT, HIGHEST, or tolerances."""


def cbrt(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The cube root."""
    return one("stablehlo.cbrt", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def cosine(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The cosine of an angle in radians."""
    return one("stablehlo.cosine", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def exponential(
    operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None
) -> Value:
    """e to the power of the operand."""
    return one("stablehlo.exponential", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def exponential_minus_one(
    operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None
) -> Value:
    """`exp(x) - 1`, exact near 0."""
    return one("stablehlo.exponential_minus_one", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def log(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The natural logarithm."""
    return one("stablehlo.log", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def log_plus_one(
    operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None
) -> Value:
    """`log(x + 1)`, exact near 0."""
    return one("stablehlo.log_plus_one", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def logistic(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """`1 / (1 + exp(-x))`."""
    return one("stablehlo.logistic", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def rsqrt(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """One over the square root."""
    return one("stablehlo.rsqrt", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def sine(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The sine of an angle in radians."""
    return one("stablehlo.sine", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def sqrt(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The square root."""
    return one("stablehlo.sqrt", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def tan(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The tangent of an angle in radians."""
    return one("stablehlo.tan", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def tanh(operand: ir.Value, *, result_accuracy: Accuracy = None, loc: Location = None, ip: Point = None) -> Value:
    """The hyperbolic tangent."""
    return one("stablehlo.tanh", (operand,), {"result_accuracy": result_accuracy}, loc=loc, ip=ip)


def abs(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The absolute value; of complex numbers, as a real one."""
    return one("stablehlo.abs", (operand,), loc=loc, ip=ip)


def ceil(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Rounds up to a whole number."""
    return one("stablehlo.ceil", (operand,), loc=loc, ip=ip)


def floor(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Rounds down to a whole number."""
    return one("stablehlo.floor", (operand,), loc=loc, ip=ip)


def round_nearest_afz(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Rounds to the nearest whole number, halves away from zero."""
    return one("stablehlo.round_nearest_afz", (operand,), loc=loc, ip=ip)


def round_nearest_even(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Rounds to the nearest whole number, halves to the even one."""
    return one("stablehlo.round_nearest_even", (operand,), loc=loc, ip=ip)


def sign(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """-1, 0 or 1; of complex numbers, `x / abs(x)`."""
    return one("stablehlo.sign", (operand,), loc=loc, ip=ip)


def negate(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The number with the other sign."""
    return one("stablehlo.negate", (operand,), loc=loc, ip=ip)


def not_(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Each bit, or truth value, inverted."""
    return one("stablehlo.not", (operand,), loc=loc, ip=ip)


def count_leading_zeros(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """How many zero bits come first."""
    return one("stablehlo.count_leading_zeros", (operand,), loc=loc, ip=ip)


def popcnt(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """How many bits are set."""
    return one("stablehlo.popcnt", (operand,), loc=loc, ip=ip)


def real(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The real part; the operand itself if it is real."""
    return one("stablehlo.real", (operand,), loc=loc, ip=ip)


def imag(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """The imaginary part; zeros if the operand is real."""
    return one("stablehlo.imag", (operand,), loc=loc, ip=ip)


def is_finite(operand: ir.Value, *, loc: Location = None, ip: Point = None) -> Value:
    """Whether a number is neither infinite nor NaN."""
    return one("stablehlo.is_finite", (operand,), loc=loc, ip=ip)


def reduce_precision(
    operand: ir.Value, exponent_bits: int, mantissa_bits: int, *, loc: Location = None, ip: Point = None
) -> Value:
    """Rounds to a float format with fewer bits, without changing the type."""
    attributes = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
    return one("stablehlo.reduce_precision", (operand,), attributes, loc=loc, ip=ip)
