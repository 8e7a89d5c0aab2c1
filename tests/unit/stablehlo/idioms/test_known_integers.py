"""Integers that are known before a program runs."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sdy
from sdy.mlir.functions import main_function
from sdy.stablehlo.idioms.integers import known_integers

KNOWN = {
    "%r = stablehlo.iota dim = 1 : tensor<2x3xi32>": [[0, 1, 2], [0, 1, 2]],
    "%i = stablehlo.iota dim = 0 : tensor<3xui8>\n%c = stablehlo.constant dense<1> : tensor<3xui8>\n"
    "%r = stablehlo.subtract %i, %c : tensor<3xui8>": None,  # wraps around
    "%i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>\n"
    "%r = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<2xi64>) -> tensor<3x2xi64>": [[1, 2]] * 3,
    "%i = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"
    "%r = stablehlo.broadcast_in_dim %i, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>": [
        [1, 4],
        [2, 5],
        [3, 6],
    ],
    "%i = stablehlo.constant dense<[-7, 7]> : tensor<2xi32>\n%c = stablehlo.constant dense<2> : tensor<2xi32>\n"
    "%r = stablehlo.divide %i, %c : tensor<2xi32>": None,  # rounds otherwise than numpy
    "%i = stablehlo.constant dense<[-1.5, 2.5]> : tensor<2xf32>\n"
    "%r = stablehlo.convert %i : (tensor<2xf32>) -> tensor<2xi32>": [-1, 2],
    "%i = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>\n"
    "%r = stablehlo.convert %i : (tensor<2xf32>) -> tensor<2xi32>": None,
    "%i = stablehlo.constant dense<[0.1, 0.7]> : tensor<2xf32>\n%c = stablehlo.constant dense<1.0e1> : tensor<2xf32>\n"
    "%m = stablehlo.multiply %i, %c : tensor<2xf32>\n"
    "%r = stablehlo.convert %m : (tensor<2xf32>) -> tensor<2xi32>": None,  # 0.7 in 32 bits is less, and rounded up
    "%i = stablehlo.iota dim = 0 : tensor<20000xi32>\n%r = stablehlo.add %i, %i : tensor<20000xi32>": None,
    "%i = stablehlo.iota dim = 0 : tensor<3xi32>\n%r = stablehlo.xor %i, %i : tensor<3xi32>": None,
}


def _deep(count: int) -> str:
    """So many additions of a number to itself, each of which has two ways to the first."""
    lines = [f"%{number + 1} = stablehlo.add %{number}, %{number} : tensor<2xi64>" for number in range(count)]
    lines.append(f"return %{count} : tensor<2xi64>")
    return (
        "func.func @main() -> tensor<2xi64> {\n%0 = stablehlo.iota dim = 0 : tensor<2xi64>\n" + "\n".join(lines) + "}"
    )


@pytest.mark.parametrize(("count", "numbers"), [(40, [0, 1 << 40]), (2000, None)])
def test_each_is_computed_once(count: int, numbers: list[int] | None) -> None:
    found = _returned(_deep(count))
    assert (None if found is None else found.tolist()) == numbers


def _returned(text: str) -> np.ndarray | None:
    module = sdy.parse(text)
    sdy.run(module, "inline")
    (value,) = list(main_function(module.operation).regions[0].blocks[0].operations)[-1].operands
    return known_integers(value)


@pytest.mark.parametrize(("lines", "numbers"), KNOWN.items())
def test_elements(lines: str, numbers: list[int] | None) -> None:
    type_ = lines.rpartition("-> " if "-> " in lines.splitlines()[-1] else " : ")[2].split(", ")[-1]
    found = _returned(f"func.func @main() -> {type_} {{\n{lines}\nreturn %r : {type_}\n}}")
    assert (None if found is None else found.tolist()) == numbers


@pytest.mark.parametrize(("size", "wanted"), [(8, 16), (16, 8), (16, 24), (30, 7), (7, 30)])
def test_places_of_nearest_points(size: int, wanted: int) -> None:
    """As JAX computes them, negative ones counted from the end."""

    def places() -> jax.Array:
        found = jnp.floor((jnp.arange(wanted, dtype=jnp.float32) + 0.5) * size / wanted).astype(jnp.int32)
        limited = jnp.clip(found, 0, size - 1)
        return jnp.where(limited < 0, limited + size, limited)[:, None]

    found = _returned(str(jax.jit(places).lower().compiler_ir("stablehlo")))
    assert found is not None
    np.testing.assert_array_equal(found, places())
