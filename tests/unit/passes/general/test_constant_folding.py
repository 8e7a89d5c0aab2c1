"""Elements of constants are rounded and wrapped as their types say, beside plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

import sdy

PASS = "stablehlo-target-independent-optimization"


def _converted(numbers: np.ndarray, source: str, target: str) -> list[float]:
    """What conversions of a constant to `target`, and to 64 bits again, become."""
    size, wide = len(numbers), source
    if target.startswith("u"):
        wide = f"u{source}"
    module = sdy.parse(
        f"func.func @main() -> tensor<{size}x{wide}> {{\n"
        f"%0 = stablehlo.constant dense<{numbers.tolist()}> : tensor<{size}x{source}>\n"
        f"%1 = stablehlo.convert %0 : (tensor<{size}x{source}>) -> tensor<{size}x{target}>\n"
        f"%2 = stablehlo.convert %1 : (tensor<{size}x{target}>) -> tensor<{size}x{wide}>\n"
        f"return %2 : tensor<{size}x{wide}>\n}}"
    )
    sdy.run(module, PASS)
    constant, end = module.body.operations[0].regions[0].blocks[0].operations
    assert end.operands[0] == constant.result
    return np.asarray(constant.operation.attributes["value"]).tolist()


@pytest.mark.parametrize("width", [4, 8, 32, 64])
@pytest.mark.parametrize("sign", ["i", "ui"])
def test_integers_are_wrapped_as_by_division(width: int, sign: str) -> None:
    rng = np.random.default_rng(width)
    numbers = rng.integers(-(2**62), 2**62, 50)
    expected = [int(number) % 2**width for number in numbers]
    if sign == "i":
        expected = [number - 2**width if number >= 2 ** (width - 1) else number for number in expected]
    assert _converted(numbers, "i64", f"{sign}{width}") == expected


def test_integers_other_than_zero_are_true() -> None:
    assert _converted(np.array([0, 2, -3, 1]), "i64", "i1") == [0, 1, 1, 1]


@pytest.mark.parametrize(("element", "digits"), [("f32", 24), ("f16", 11), ("bf16", 8), ("f8E4M3FN", 4)])
def test_numbers_are_rounded_to_the_nearest(element: str, digits: int) -> None:
    numbers = np.random.default_rng(0).uniform(1, 2, 40)
    expected = np.round(numbers * 2.0 ** (digits - 1)) / 2.0 ** (digits - 1)
    assert _converted(numbers, "f64", element) == expected.tolist()


def test_constants_that_repeat_a_number_are_splats() -> None:
    module = sdy.parse(
        "func.func @main() -> tensor<2xf32> {\n"
        "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
        "%1 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>\n"
        "%2 = stablehlo.add %0, %1 : tensor<2xf32>\nreturn %2 : tensor<2xf32>\n}"
    )
    sdy.run(module, PASS)
    assert "dense<3.000000e+00>" in str(module)


@pytest.mark.parametrize("more", [0, 1])
def test_large_constants_are_left_alone(more: int) -> None:
    size, elements = (1 << 20) + more, bytes(range(256)).hex().upper() * 4096 + "00" * more
    module = sdy.parse(
        f"func.func @main() -> tensor<{size}xi8> {{\n"
        f'%0 = stablehlo.constant dense<"0x{elements}"> : tensor<{size}xi8>\n'
        f"%1 = stablehlo.not %0 : tensor<{size}xi8>\nreturn %1 : tensor<{size}xi8>\n}}"
    )
    sdy.run(module, PASS)
    names = [op.operation.name for op in module.body.operations[0].regions[0].blocks[0].operations]
    assert ("stablehlo.not" in names) == bool(more)


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
    sdy.run(module, PASS)
    assert f"stablehlo.constant dense<{expected}> : tensor<{type_}>" in str(module)
