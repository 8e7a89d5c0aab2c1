"""Which ops on dynamic dimensions are constant expressions: only what may run for nothing can be copied."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sdy
from tests.oracle import reference, requires_reference

Type = tuple[str, str]
"""Dimensions, such as `4x?x`, and type of the elements."""

PASS = "sdy-constant-or-scalar-splitter"
SHAPES = ("4x8x", "?x8x", "?x?x")
ON_INTEGERS = (
    "and or xor not count_leading_zeros popcnt shift_left shift_right_arithmetic shift_right_logical"
).split()
UNARY = (
    "abs cbrt ceil convert cosine exponential exponential_minus_one floor is_finite log log_plus_one logistic negate "
    "round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh reduce_precision bitcast_convert imag real "
    "not count_leading_zeros popcnt"
).split()
BINARY = (
    "add atan2 compare complex divide maximum minimum multiply power remainder subtract "
    "and or xor shift_left shift_right_arithmetic shift_right_logical"
).split()
ATTRIBUTES = {
    "compare": "<{comparison_direction = #stablehlo<comparison_direction EQ>}>",
    "reduce_precision": "<{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}>",
    "slice": "<{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1, 1>}>",
    "broadcast_in_dim": "<{broadcast_dimensions = array<i64: 0, 1>}>",
}
OPERAND = {"imag": "complex<f32>", "real": "complex<f32>"}
RESULT = {"complex": "complex<f32>", "is_finite": "i1", "compare": "i1"}
VALUE = {"f32": "1.0", "i32": "1", "complex<f32>": "(1.0, 2.0)", "i1": "true"}


def _op(name: str, operands: list[Type], result: Type) -> str:
    """A function that uses an op on constants of these types twice: two of it then, if it is a constant expression."""
    lines = []
    for index, (shape, element) in enumerate(operands):
        known = "4x8x" if shape else ""
        lines += [
            f"  %c{index} = stablehlo.constant dense<{VALUE[element]}> : tensor<{known}{element}>",
            f"  %d{index} = stablehlo.convert %c{index} : (tensor<{known}{element}>) -> tensor<{shape}{element}>",
        ]
    taken = ", ".join(f"%d{index}" for index in range(len(operands)))
    types = ", ".join(f"tensor<{shape}{element}>" for shape, element in operands)
    given = f"tensor<{''.join(result)}>"
    return "\n".join([
        *lines,
        f'  %r = "stablehlo.{name}"({taken}) {ATTRIBUTES.get(name, "")} : ({types}) -> {given}',
        f"  stablehlo.custom_call @uses(%r, %r) {{has_side_effect = true}} : ({given}, {given}) -> ()",
        "  return",
    ])  # fmt: skip


def _elements(name: str) -> tuple[str, str]:
    both = "i32" if name in ON_INTEGERS else "f32"
    return OPERAND.get(name, both), RESULT.get(name, both)


def _ops() -> Iterator[str]:
    for name, taken, given in product(UNARY, SHAPES, SHAPES):
        if name != "bitcast_convert" or taken == given:
            operand, result = _elements(name)
            yield _op(name, [(taken, operand)], (given, result))
    for name, left, right, given in product(BINARY, SHAPES, SHAPES, SHAPES):
        operand, result = _elements(name)
        yield _op(name, [(left, operand), (right, operand)], (given, result))
    for scalar, left, right, given in product(("", *SHAPES), SHAPES, SHAPES, SHAPES):
        yield _op("select", [(scalar, "i1"), (left, "f32"), (right, "f32")], (given, "f32"))
        yield _op("clamp", [(scalar, "f32"), (left, "f32"), (scalar, "f32")], (given, "f32"))
    for taken, given in product((*SHAPES, "4x?x"), ("2x8x", "?x8x", "2x?x", "?x?x")):
        yield _op("slice", [(taken, "f32")], (given, "f32"))
    for taken in (*SHAPES, "4x?x"):
        yield _op("reshape", [(taken, "f32")], ("32x", "f32"))
        yield _op("broadcast_in_dim", [(taken, "f32")], ("4x8x2x", "f32"))


def _functions(text: str) -> list[str]:
    return text.split("  func.func ")[1:]


@requires_reference
def test_ops_on_dynamic_dimensions_are_constants_as_in_the_reference() -> None:
    text = "".join(f"func.func @f{index}() {{\n{op}\n}}\n" for index, op in enumerate(_ops()))
    module = sdy.parse(text)
    sdy.run(module, PASS)
    found, expected = _functions(sdy.print_module(module)), _functions(reference(text, PASS))
    different = [(ours, theirs) for ours, theirs in zip(found, expected, strict=True) if ours.split() != theirs.split()]
    assert not different, f"{len(different)} functions differ, such as\n{different[0][0]}\nand\n{different[0][1]}"
