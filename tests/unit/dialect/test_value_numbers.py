"""Equal numbers mean equal values: what a region computes is known of ops on elements only."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.value_numbers import ValueNumbers
from sdy.mlir.walk import pre_order

SCALAR = "tensor<f32>"
RANDOM = (
    "%s = stablehlo.constant dense<> : tensor<0xi64>\n"
    f"%d = stablehlo.rng %p, %q, %s, distribution = UNIFORM : ({SCALAR}, {SCALAR}, tensor<0xi64>) -> {SCALAR}"
)
PAIR = f"%d:2 = stablehlo.optimization_barrier %p, %q : {SCALAR}, {SCALAR}"


def _reduce(name: str, lines: str, returned: str = "%d") -> str:
    return (
        f"%{name} = stablehlo.reduce(%a init: %v) across dimensions = [0] : (tensor<8xf32>, {SCALAR}) -> {SCALAR}\n"
        f" reducer(%p: {SCALAR}, %q: {SCALAR}) {{\n{lines}\nstablehlo.return {returned} : {SCALAR}\n}}\n"
    )


def _are_equal(first: str, second: str) -> bool:
    text = f"func.func @main(%a: tensor<8xf32>, %v: {SCALAR}, %w: {SCALAR}) {{\n{first}{second}return\n}}\n"
    module = sdy.parse(text)
    one, other = (op.results[0] for op in pre_order(module.operation) if op.name == "stablehlo.reduce")
    numbers = ValueNumbers()
    return numbers.of(one) == numbers.of(other)


@pytest.mark.parametrize(
    ("lines", "returned", "others", "equal"),
    [
        (f"%d = stablehlo.add %p, %q : {SCALAR}", "%d", f"%d = stablehlo.add %p, %q : {SCALAR}", True),
        (f"%d = stablehlo.add %p, %q : {SCALAR}", "%d", f"%d = stablehlo.add %q, %p : {SCALAR}", True),
        (f"%d = stablehlo.subtract %p, %q : {SCALAR}", "%d", f"%d = stablehlo.subtract %q, %p : {SCALAR}", False),
        (f"%d = stablehlo.add %p, %q : {SCALAR}", "%d", f"%d = stablehlo.multiply %p, %q : {SCALAR}", False),
        (f"%d = stablehlo.add %p, %w : {SCALAR}", "%d", f"%d = stablehlo.add %p, %w : {SCALAR}", False),
        (RANDOM, "%d", RANDOM, False),
        (PAIR, "%d#1", PAIR, False),
        ("", "%p", "", True),
    ],
)
def test_reductions(lines: str, returned: str, others: str, equal: bool) -> None:
    assert _are_equal(_reduce("x", lines, returned), _reduce("y", others, returned)) == equal
