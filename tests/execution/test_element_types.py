"""Ops whose results have other element types than their operands."""

from __future__ import annotations

import numpy as np
import pytest

from sdy import execution
from sdy.partition import partition
from sdy.running.boundary import dtype_of
from sdy.running.placement import unpartitioned


@pytest.mark.parametrize(("element", "summed"), [("i8", "i16"), ("bf16", "f32"), ("f32", "bf16"), ("i32", "i8")])
def test_einsums_of_other_types_than_their_results(element: str, summed: str) -> None:
    """XLA sums in the type of the operands, and takes that for the type of the result."""
    text = f"""
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<1x2x{element}> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"y"}}]>}},
                %b: tensor<2x1x{element}>) -> tensor<1x1x{summed}> {{
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<1x2x{element}>, tensor<2x1x{element}>)
      -> tensor<1x1x{summed}>
  return %0 : tensor<1x1x{summed}>
}}"""
    partitioned = partition(text)
    a, b = (np.full(shape, 100).astype(dtype_of(element)) for shape in ((1, 2), (2, 1)))
    expected = np.full((1, 1), 20000).astype(dtype_of(summed))
    np.testing.assert_array_equal(execution.compile(partitioned)(a, b)[0], expected)
    plain = execution.compile_unpartitioned(unpartitioned(text), partitioned.results)
    np.testing.assert_array_equal(plain(a, b)[0], expected)
