"""Pointwise ops."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape
from tests.generators.op_instances import OpInstance, generator, tensor

_FLOAT_UNARY = (
    "cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic round_nearest_afz "
    "round_nearest_even rsqrt sine sqrt tan tanh sign negate"
).split()


@generator(*(f"stablehlo.{name}" for name in _FLOAT_UNARY))
def float_unary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng))
    return OpInstance(kind, [type_], [type_])


@generator("stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt")
def integer_unary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "i32")
    return OpInstance(kind, [type_], [type_])


@generator("stablehlo.abs", "stablehlo.real", "stablehlo.imag")
def complex_unary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    return OpInstance(kind, [tensor(sizes, "complex<f32>")], [tensor(sizes)])


@generator("stablehlo.is_finite", "stablehlo.convert", "stablehlo.reduce_precision")
def other_unary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    result = {"stablehlo.is_finite": "i1", "stablehlo.convert": "f16"}.get(kind, "f32")
    attributes = "exponent_bits = 5 : i32, mantissa_bits = 10 : i32" if kind.endswith("precision") else ""
    return OpInstance(kind, [tensor(sizes)], [tensor(sizes, result)], attributes)


_BINARY = (
    "add and atan2 divide maximum minimum multiply or power remainder shift_left shift_right_arithmetic "
    "shift_right_logical subtract xor"
).split()


@generator(*(f"stablehlo.{name}" for name in _BINARY))
def binary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "f32" if kind.endswith("atan2") else "i32")
    return OpInstance(kind, [type_, type_], [type_])


@generator("stablehlo.compare", "stablehlo.complex")
def other_binary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    compares = kind.endswith("compare")
    attributes = "comparison_direction = #stablehlo<comparison_direction LT>" if compares else ""
    return OpInstance(kind, [tensor(sizes)] * 2, [tensor(sizes, "i1" if compares else "complex<f32>")], attributes)


@generator("stablehlo.clamp")
def clamp(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng))
    low, high = rng.choice([(type_, type_), (tensor([]), tensor([])), (type_, tensor([]))])
    return OpInstance(kind, [low, type_, high], [type_])


@generator("stablehlo.select")
def select(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    return OpInstance(kind, [tensor(rng.choice([sizes, []]), "i1"), tensor(sizes), tensor(sizes)], [tensor(sizes)])
