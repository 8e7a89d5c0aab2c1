"""Element-wise ops."""

from __future__ import annotations

from collections.abc import Callable

from tests.generators.block import Block, Type
from tests.generators.ops.kinds import (
    KINDS,
    Emit,
    floating,
    kind,
    static_tensor,
    with_rank,
)

UNARY_FLOAT = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate round_nearest_afz "
    "round_nearest_even rsqrt sign sine sqrt tan tanh"
).split()
UNARY_INTEGER = "not popcnt count_leading_zeros negate".split()
BINARY = "add multiply subtract maximum minimum".split()
BINARY_FLOAT = "divide atan2 power remainder".split()
BINARY_INTEGER = "and or xor shift_left shift_right_arithmetic shift_right_logical".split()


def _unary(name: str, accept: Callable[[Type], bool]) -> Emit:
    def emit(b: Block) -> None:
        x = b.pick(accept)
        if x is not None:
            b.op(f"stablehlo.{name}", [x], [x.type])

    return emit


def _binary(name: str, accept: Callable[[Type], bool]) -> Emit:
    def emit(b: Block) -> None:
        x = b.pick(accept)
        if x is not None and x.type.shape is not None:
            y = b.tensor(x.type.shape, x.type.element)
            operands = [x, y] if b.rng.random() < 0.5 else [y, x]
            b.op(f"stablehlo.{name}", operands, [x.type])

    return emit


for _name in UNARY_FLOAT:
    KINDS[_name] = _unary(_name, lambda t: t.is_float)
for _name in UNARY_INTEGER[:-1]:
    KINDS[_name] = _unary(_name, lambda t: t.is_integer)
for _name in BINARY:
    KINDS[_name] = _binary(_name, lambda t: t.is_float or t.is_integer)
for _name in BINARY_FLOAT:
    KINDS[_name] = _binary(_name, lambda t: t.is_float)
for _name in BINARY_INTEGER:
    KINDS[_name] = _binary(_name, lambda t: t.is_integer)


@kind("compare")
def compare(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer)
    if x is not None and x.type.shape is not None:
        direction = b.rng.choice(["EQ", "NE", "LT", "GE"])
        y = b.tensor(x.type.shape, x.type.element)
        attributes = [f"comparison_direction = #stablehlo<comparison_direction {direction}>"]
        b.op("stablehlo.compare", [x, y], [x.type.of("i1")], attributes)


@kind("is_finite")
def is_finite(b: Block) -> None:
    x = b.pick(lambda t: t.is_float)
    if x is not None:
        b.op("stablehlo.is_finite", [x], [x.type.of("i1")])


@kind("select")
def select(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = x.type.static
        predicate = b.tensor(() if b.rng.random() < 0.2 else shape, "i1")
        b.op("stablehlo.select", [predicate, x, b.tensor(shape, x.type.element)], [x.type])


@kind("clamp")
def clamp(b: Block) -> None:
    x = b.pick(floating)
    if x is not None:
        low, high = (b.tensor(() if b.rng.random() < 0.5 else x.type.static, x.type.element) for _ in range(2))
        if low.type == high.type:
            b.op("stablehlo.clamp", [low, x, high], [x.type])


@kind("convert")
def convert(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer or t.element == "i1")
    if x is not None and x.type.shape is not None:
        b.op("stablehlo.convert", [x], [x.type.of(b.rng.choice(["f32", "bf16", "i32", "f64"]))])


@kind("reduce_precision")
def reduce_precision(b: Block) -> None:
    x = b.pick(floating)
    if x is not None:
        b.op("stablehlo.reduce_precision", [x], [x.type], ["exponent_bits = 5 : i32", "mantissa_bits = 10 : i32"])


@kind("complex")
def complex_(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element == "f32")
    if x is not None:
        y = b.tensor(x.type.static)
        z = b.op("stablehlo.complex", [x, y], [x.type.of("complex<f32>")])
        b.op(f"stablehlo.{b.rng.choice(['real', 'imag'])}", [z], [x.type])


@kind("chlo")
def chlo(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element == "f32")
    if x is not None and b.features.chlo:
        b.op(f"chlo.{b.rng.choice(['erf', 'square', 'sinh', 'atanh', 'lgamma'])}", [x], [x.type])


@kind("chlo_top_k")
def chlo_top_k(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is not None and b.features.chlo:
        *lead, last = x.type.static
        k = b.rng.randint(1, last) if last else 0
        result = Type((*lead, k), x.type.element)
        b.op("chlo.top_k", [x], [result, result.of("i32")], [f"k = {k} : i64"])
