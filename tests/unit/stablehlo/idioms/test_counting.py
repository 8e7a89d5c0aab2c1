"""Tensors whose elements are their own places."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.functions import main_function
from sdy.stablehlo.idioms.dense import counted_dim

COUNTING = {
    "%r = stablehlo.iota dim = 1 : tensor<4x8xi32>": 1,
    "%r = stablehlo.iota dim = 0 : tensor<1x8xi32>": None,
    "%r = stablehlo.iota dim = 0 : tensor<4x8xf32>": None,
    "%r = stablehlo.iota dim = 0 : tensor<200xi8>": None,
    "%r = stablehlo.iota dim = 0 : tensor<200xui8>": 0,
    "%r = stablehlo.constant dense<[[0], [1], [2]]> : tensor<3x1xi64>": 0,
    "%r = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>": None,
    "%r = stablehlo.constant dense<[true, false]> : tensor<2xi1>": None,
    "%i = stablehlo.iota dim = 0 : tensor<200xi32>\n"
    "%r = stablehlo.convert %i : (tensor<200xi32>) -> tensor<200xi8>": None,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n"
    "%r = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<8xi32>) -> tensor<3x8xi32>": 1,
    "%i = stablehlo.iota dim = 1 : tensor<4x8xi32>\n"
    "%r = stablehlo.reshape %i : (tensor<4x8xi32>) -> tensor<4x1x8xi32>": 2,
    "%i = stablehlo.iota dim = 1 : tensor<4x8xi32>\n"
    "%r = stablehlo.reshape %i : (tensor<4x8xi32>) -> tensor<32xi32>": None,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%low = stablehlo.constant dense<0> : tensor<i32>\n"
    "%high = stablehlo.constant dense<7> : tensor<i32>\n"
    "%r = stablehlo.clamp %low, %i, %high : (tensor<i32>, tensor<8xi32>, tensor<i32>) -> tensor<8xi32>": 0,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<7> : tensor<8xi32>\n"
    "%r = stablehlo.minimum %c, %i : tensor<8xi32>": 0,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<6> : tensor<8xi32>\n"
    "%r = stablehlo.minimum %i, %c : tensor<8xi32>": None,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<1> : tensor<8xi32>\n"
    "%r = stablehlo.maximum %i, %c : tensor<8xi32>": None,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<0> : tensor<8xi32>\n"
    "%p = stablehlo.compare GE, %i, %c : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>\n"
    "%r = stablehlo.select %p, %i, %c : tensor<8xi1>, tensor<8xi32>": 0,
    "%i = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<0> : tensor<8xi32>\n"
    "%p = stablehlo.compare GT, %i, %c : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>\n"
    "%r = stablehlo.select %p, %i, %c : tensor<8xi1>, tensor<8xi32>": None,
}


@pytest.mark.parametrize(("lines", "dim"), COUNTING.items())
def test_dimension_along_which_a_tensor_counts(lines: str, dim: int | None) -> None:
    type_ = lines.rpartition("-> " if "-> " in lines.splitlines()[-1] else " : ")[2].split(", ")[-1]
    module = sdy.parse(f"func.func @main() -> {type_} {{\n{lines}\nreturn %r : {type_}\n}}")
    (value,) = list(main_function(module.operation).regions[0].blocks[0].operations)[-1].operands
    assert counted_dim(value) == dim
