"""Elements of constants are rounded and wrapped as their types say, beside plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

import sdy
from sdy.mlir import ir
from sdy.passes.general.constant_folding import attribute_of, rounded, wrapped


@pytest.mark.parametrize("width", [1, 4, 8, 32, 64])
@pytest.mark.parametrize("sign", ["i", "ui"])
def test_integers_are_wrapped_as_by_division(width: int, sign: str) -> None:
    rng = np.random.default_rng(width)
    numbers = rng.integers(-(2**62), 2**62, 50)
    with sdy.make_context():
        element = ir.Type.parse(f"{sign}{width}")
        expected = [int(number) % 2**width for number in numbers]
        if sign == "i" and width > 1:
            expected = [number - 2**width if number >= 2 ** (width - 1) else number for number in expected]
        assert wrapped(numbers, element).tolist() == expected


@pytest.mark.parametrize(("element", "digits"), [("f32", 24), ("f16", 11), ("bf16", 8), ("f8E4M3FN", 4)])
def test_numbers_are_rounded_to_the_nearest(element: str, digits: int) -> None:
    numbers = np.random.default_rng(0).uniform(1, 2, 40)
    expected = np.round(numbers * 2.0 ** (digits - 1)) / 2.0 ** (digits - 1)
    with sdy.make_context():
        assert rounded(numbers, ir.Type.parse(element)).tolist() == expected.tolist()


def test_constants_that_repeat_a_number_are_splats() -> None:
    with sdy.make_context():
        type_ = ir.RankedTensorType(ir.Type.parse("tensor<2x2xf32>"))
        assert str(attribute_of(np.full((2, 2), 0.5), type_)) == str(attribute_of(np.asarray(0.5), type_))


@pytest.mark.parametrize(
    ("op", "type_", "operands", "expected"),
    [
        ("subtract", "ui64", (2**64 - 1, 1), 2**64 - 2),
        ("divide", "i64", (-(2**63), 3), -(2**63 // 3)),
        ("divide", "i64", (7, -2), -3),
        ("divide", "i8", (-7, 2), -3),
        ("round_nearest_afz", "f64", ("0.49999999999999994",), "0.000000e+00"),
        ("round_nearest_afz", "f64", ("-2.5",), "-3.000000e+00"),
    ],
)
def test_arithmetic_at_the_ends_of_types(
    op: str, type_: str, operands: tuple[int | str, ...], expected: int | str
) -> None:
    made = "\n".join(f"%{at} = stablehlo.constant dense<{one}> : tensor<{type_}>" for at, one in enumerate(operands))
    names = ", ".join(f"%{at}" for at in range(len(operands)))
    module = sdy.parse(
        f"func.func @main() -> tensor<{type_}> {{\n{made}\n"
        f"%r = stablehlo.{op} {names} : tensor<{type_}>\nreturn %r : tensor<{type_}>\n}}"
    )
    sdy.run(module, "stablehlo-target-independent-optimization")
    assert f"stablehlo.constant dense<{expected}> : tensor<{type_}>" in str(module)
