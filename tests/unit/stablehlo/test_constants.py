"""What is known of constants, and that one module reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.rewriting import terminator
from sdy.stablehlo.constants import constant_number, is_zero, splat_integer, splat_number

ROOT = Path(__file__).parents[3]

Blocks = Callable[[str, str], ir.Block]


@pytest.fixture
def block() -> Iterator[Blocks]:
    """Bodies of functions that return `%0`, while a test runs."""
    modules = []

    def parse(text: str, type_: str) -> ir.Block:
        module = sdy.parse(f"func.func @main(%x: {type_}) -> {type_} {{\n {text}\n return %0 : {type_}\n}}")
        modules.append(module)
        return body(module.body.operations[0].operation)

    yield parse
    modules.clear()


def returned(block: ir.Block) -> ir.Value:
    return terminator(block).operands[0]


@pytest.mark.parametrize("name", ["stablehlo.constant", "sdy.constant"])
@pytest.mark.parametrize(
    ("value", "type_", "number"),
    [
        ("dense<3>", "tensor<i32>", 3),
        ("dense<-3>", "tensor<4xi8>", -3),
        ("dense<200>", "tensor<ui8>", 200),
        ("dense<1.5>", "tensor<2x3xf32>", 1.5),
        ("dense<0.5>", "tensor<bf16>", 0.5),
        ("dense<true>", "tensor<i1>", True),
        ("dense<[1, 2]>", "tensor<2xi32>", None),
        ("dense<(1.0, 0.0)>", "tensor<complex<f32>>", None),
    ],
)
def test_what_a_constant_repeats(name: str, value: str, type_: str, number: float | None, block: Blocks) -> None:
    read = returned(block(f"%0 = {name} {value} : {type_}", type_))
    assert splat_number(read) == number
    assert splat_integer(read) == (number if isinstance(number, int) else None)


def test_numbers_are_followed_through_what_moves_and_divides_them(block: Blocks) -> None:
    text = """%one = stablehlo.constant dense<3.0> : tensor<f32>
 %two = stablehlo.constant dense<4.0> : tensor<f32>
 %q = stablehlo.divide %one, %two : tensor<f32>
 %0 = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<8xf32>"""
    value = returned(block(text, "tensor<8xf32>"))
    assert constant_number(value) == 0.75
    assert splat_number(value) is None
    assert not is_zero(value)
    unknown = block("%0 = stablehlo.negate %x : tensor<8xf32>", "tensor<8xf32>")
    assert constant_number(returned(unknown)) is None
    assert not is_zero(unknown.arguments[0])


def test_one_module_reads_constants() -> None:
    readers = [
        path.name
        for room in ("dialect", "passes", "python/sdy")
        for path in (ROOT / room).rglob("*.py")
        if "get_splat_value" in path.read_text(encoding="utf-8")
    ]
    assert readers == ["constants.py"]
