"""How many operations products are, ragged ones among them."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.walk import pre_order
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import product_operations

MACHINE = Machine(flops=1e12, bandwidth=1e9)

ROWS, DEPTH, COLUMNS, GROUPS = 512, 64, 128, 4
ONE_ALL = ROWS * DEPTH * COLUMNS * 2.0
NUMBERS = (
    "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [{}], "
    "rhs_contracting_dimensions = [{}], lhs_ragged_dimensions = [0], rhs_group_dimensions = [{}]"
)


def ragged(lhs: str, rhs: str, result: str, numbers: tuple[str, str, str], at: str = "") -> str:
    """A ragged product, whose right operand lies as `at` says."""
    dims, main = NUMBERS.format(*numbers), "func.func @main"
    return f"""
sdy.mesh @mesh = <["x"=2]>
{main}(%lhs: tensor<{lhs}xf32>, %rhs: tensor<{rhs}xf32>{at}, %sizes: tensor<{GROUPS}xi32>) -> tensor<{result}xf32> {{
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{dims}>}}>
    : (tensor<{lhs}xf32>, tensor<{rhs}xf32>, tensor<{GROUPS}xi32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}
"""


FORWARD = (f"{ROWS}x{DEPTH}", f"{GROUPS}x{DEPTH}x{COLUMNS}", f"{ROWS}x{COLUMNS}", ("1", "1", "0"))
OF_WEIGHTS = (f"{ROWS}x{DEPTH}", f"{ROWS}x{COLUMNS}", f"{GROUPS}x{DEPTH}x{COLUMNS}", ("0", "0", ""))


@pytest.mark.parametrize("product", [FORWARD, OF_WEIGHTS])
def test_each_row_meets_its_group(product: tuple[str, str, str, tuple[str, str, str]]) -> None:
    module = sdy.parse(ragged(*product))
    (op,) = (op for op in pre_order(module.operation) if op.name == "chlo.ragged_dot")
    assert product_operations(op) == ONE_ALL
    assert product_operations(op, tile=384) == ONE_ALL * (768 / ROWS if product is FORWARD else 384 / DEPTH)


def test_devices_with_some_groups() -> None:
    """They compute the rows of these, which are taken to be as many of all."""
    split = ragged(*FORWARD, at=' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}')
    half, whole = (sdy.auto.estimate(text, MACHINE).products for text in (split, ragged(*FORWARD)))
    assert whole == pytest.approx(ONE_ALL / MACHINE.flops)
    assert half == pytest.approx(whole / 2)
