"""Neutral elements of reductions, by element type."""

from __future__ import annotations

import math

from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir

_LARGEST_WITHOUT_INFINITY = {
    "f8E4M3FN": 448.0,
    "f8E4M3FNUZ": 240.0,
    "f8E4M3B11FNUZ": 30.0,
    "f8E5M2FNUZ": 57344.0,
    "f4E2M1FN": 6.0,
    "f6E2M3FN": 7.5,
    "f6E3M2FN": 28.0,
    "f8E8M0FNU": 2.0**127,
}

Number = ir.IntegerType | ir.FloatType
"""A type of real numbers."""

_WITHOUT_NEGATIVE_ZERO = frozenset({"f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2FNUZ", "f8E8M0FNU"})


def lowest(element_type: Number) -> float | int:
    """The neutral element of maximum: minus infinity where there is one."""
    if isinstance(element_type, ir.FloatType):
        if str(element_type) == "f8E8M0FNU":
            return 2.0**-127
        return -highest(element_type)
    signed = isinstance(element_type, ir.IntegerType) and not element_type.is_unsigned and element_type.width > 1
    return -(1 << (element_type.width - 1)) if signed else 0


def highest(element_type: Number) -> float | int:
    """The neutral element of minimum: infinity where there is one."""
    if isinstance(element_type, ir.FloatType):
        return _LARGEST_WITHOUT_INFINITY.get(str(element_type), math.inf)
    bits = element_type.width
    signed = not element_type.is_unsigned and bits > 1
    return (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1


def exact_zero(element_type: ir.Type) -> complex:
    """What added to any number gives that number: -0.0 where there is one, since -0.0 + 0.0 is 0.0."""
    if isinstance(element_type, ir.ComplexType):
        return complex(-0.0, -0.0)
    return -0.0 if isinstance(element_type, ir.FloatType) and str(element_type) not in _WITHOUT_NEGATIVE_ZERO else 0


def identity_of(kind: Reduction, element_type: Number) -> float | int:
    """The number that `kind` leaves others unchanged with; of sums 0, with which -0.0 becomes 0.0."""
    if kind is Reduction.SUM:
        return 0
    return lowest(element_type) if kind is Reduction.MAX else highest(element_type)


def identity_of_op(name: str, element_type: Number, *, exact: bool = False) -> complex | None:
    """The neutral element of a binary StableHLO op, None if it has none (or is not known to); see `exact_zero`."""
    match name.removeprefix("stablehlo."):
        case "add":
            return exact_zero(element_type) if exact else 0
        case "or" | "xor":
            return 0
        case "multiply":
            return 1
        case "and":
            unsigned = getattr(element_type, "is_unsigned", False)
            return 1 if element_type.width == 1 else (1 << element_type.width) - 1 if unsigned else -1
        case "maximum":
            return lowest(element_type)
        case "minimum":
            return highest(element_type)
    return None
