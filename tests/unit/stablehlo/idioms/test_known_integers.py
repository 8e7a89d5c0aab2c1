"""Integers that depend on constants alone."""

from __future__ import annotations

import numpy as np
import pytest

import sdy
from sdy.mlir.functions import main_function
from sdy.stablehlo.idioms.dense import known_integers

_JAX = """
%c = stablehlo.constant dense<-2> : tensor<i32>
%size = stablehlo.constant dense<32> : tensor<1xi32>
%zero = stablehlo.constant dense<0> : tensor<1xi32>
%i = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
%p = stablehlo.compare LT, %i, %zero : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
%j = stablehlo.add %i, %size : tensor<1xi32>
%r = stablehlo.select %p, %j, %i : tensor<1xi1>, tensor<1xi32>
"""
"""A negative index as JAX counts it from the end."""

_CLAMPED = """
%a = stablehlo.constant dense<[[7, -7]]> : tensor<1x2xi32>
%b = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
%t = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
%both = stablehlo.concatenate %a, %t, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
%low = stablehlo.constant dense<0> : tensor<i32>
%high = stablehlo.constant dense<4> : tensor<i32>
%r = stablehlo.clamp %low, %both, %high : (tensor<i32>, tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
"""

_IN_LOOP = """
%c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
%n = stablehlo.constant dense<0> : tensor<i32>
%o:2 = stablehlo.while(%i = %c, %k = %n) : tensor<2xi32>, tensor<i32>
cond {
  %most = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.compare LT, %k, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %1 : tensor<i1>
} do {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.add %k, %one : tensor<i32>
  stablehlo.return %i, %2 : tensor<2xi32>, tensor<i32>
}
%r = stablehlo.slice %o#NUMBER [1:2] : (tensor<2xi32>) -> tensor<1xi32>
"""

_INSIDE = """
%i = stablehlo.constant dense<[[0, 5], [1, 2]]> : tensor<2x2xi32>
%c = stablehlo.constant dense<4> : tensor<2x2xi32>
%p = stablehlo.compare LE, %i, %c : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
%true = stablehlo.constant dense<true> : tensor<i1>
%r = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>)
     -> tensor<2xi1>
"""
"""Whether all entries of each index are inside."""

KNOWN = {
    _INSIDE: np.array([False, True]),
    _INSIDE.replace(".and", ".or"): np.array([True, True]),
    "%r = stablehlo.constant dense<5> : tensor<2x3xi64>": np.full((2, 3), 5),
    "%r = stablehlo.constant dense<[true, false]> : tensor<2xi1>": np.array([True, False]),
    "%r = stablehlo.iota dim = 1 : tensor<2x3xui8>": np.array([[0, 1, 2], [0, 1, 2]]),
    "%i = stablehlo.iota dim = 0 : tensor<300xi32>\n"
    "%r = stablehlo.convert %i : (tensor<300xi32>) -> tensor<300xi8>": np.arange(300).astype(np.int8),
    "%a = stablehlo.constant dense<127> : tensor<i8>\n%r = stablehlo.add %a, %a : tensor<i8>": np.array(-2),
    _JAX: np.array([30]),
    _CLAMPED: np.array([[4, 0], [3, 4]]),
    _IN_LOOP.replace("NUMBER", "0"): np.array([2]),
    "%r = stablehlo.negate %given : tensor<4xi32>": None,
    "%r = stablehlo.iota dim = 0 : tensor<100000xi32>": None,
    "%r = stablehlo.constant dense<1.0> : tensor<f32>": None,
}


@pytest.mark.parametrize(("lines", "known"), KNOWN.items())
def test_known_integers(lines: str, known: np.ndarray | None) -> None:
    module = sdy.parse(f"func.func @main(%given: tensor<4xi32>) {{\n{lines}\nreturn\n}}")
    *_, last, _ = main_function(module.operation).regions[0].blocks[0].operations
    found = known_integers(last.operation.results[0])
    if known is None:
        assert found is None
    else:
        assert found is not None
        np.testing.assert_array_equal(found, known)


def test_counter_of_a_loop_is_not_known() -> None:
    module = sdy.parse(f"func.func @main() {{\n{_IN_LOOP.replace('#NUMBER [1:2]', '#0 [1:2]')}\nreturn\n}}")
    loop = next(op for op in main_function(module.operation).regions[0].blocks[0].operations if len(op.regions))
    assert known_integers(loop.results[0]) is not None
    assert known_integers(loop.results[1]) is None
