"""Ops with one operand that compute every element by itself; the result has its shape."""

from __future__ import annotations

from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
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
