"""Random numbers drawn by sharded ops: those of one device, or, if asked for, every part from its own stream."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.partition import partition
from sdy.passes.partitioning.partition_options import PIPELINE
from tests.numerics.harness import check, run_partitioned
from tests.numerics.programs import MESHES, grid

ALGORITHMS = {"DEFAULT": 2, "THREE_FRY": 2, "PHILOX": 3}
"""Sizes of states, in numbers of 64 bits."""


@pytest.fixture(autouse=True)
def wide_numbers() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def bits(algorithm: str, element: str, shape: str, sharding: str) -> str:
    state = f"tensor<{ALGORITHMS[algorithm]}xui64>"
    output = f"tensor<{shape}x{element}>"
    whole = "[" + ", ".join("{}" for _ in shape.split("x")) + "]"
    return f"""{MESHES}
func.func @main(%a: {state}) -> ({state}, {output} {{sdy.sharding = #sdy.sharding<@mesh, {whole}>}}) {{
  %0:2 = "stablehlo.rng_bit_generator"(%a) {{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>,
    sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}]>, <@mesh, {sharding}>]>}} : ({state}) -> ({state}, {output})
  %1 = sdy.sharding_constraint %0#1 <@mesh, {sharding}> : {output}
  return %0#0, %1 : {state}, {output}
}}
"""


def state_of(algorithm: str) -> np.ndarray:
    return np.arange(3, 3 + ALGORITHMS[algorithm], dtype=np.uint64)


@pytest.mark.parametrize(
    ("algorithm", "output"), grid(ALGORITHMS, [("16x8", '[{"x"}, {"y"}]'), ("7x5", '[{"y", "x"}, {}]')])
)
def test_the_same_numbers_as_on_one_device(algorithm: str, output: tuple[str, str]) -> None:
    shape, sharding = output
    check(bits(algorithm, "ui32", shape, sharding), inputs=[state_of(algorithm)])


@pytest.mark.parametrize(("algorithm", "element"), grid(ALGORITHMS, ["ui8", "ui32", "ui64"]))
def test_parts_differ_where_that_is_asked_for(algorithm: str, element: str) -> None:
    text = bits(algorithm, element, "32x16", '[{"x"}, {}]')
    partitioned = partition(text, pipeline=f"{PIPELINE}{{rng-bit-generator-unsafe=true}}")
    state, drawn = run_partitioned(partitioned, [state_of(algorithm)])
    again, same = run_partitioned(partitioned, [state_of(algorithm)])
    np.testing.assert_array_equal(drawn, same)
    np.testing.assert_array_equal(state, again)
    assert not np.array_equal(state, state_of(algorithm))
    parts = drawn.reshape(4, -1)
    assert all(not np.array_equal(parts[i], parts[j]) for i in range(4) for j in range(i))
    assert len(np.unique(drawn)) > (200 if element == "ui8" else 500)


@pytest.mark.parametrize("implementation", ["rbg", "unsafe_rbg", "threefry2x32"])
@pytest.mark.parametrize("spec", [P("x"), P(None, "y"), P(("y", "x"))])
def test_numbers_of_jax_do_not_depend_on_shardings(implementation: str, spec: P) -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    sharding = NamedSharding(mesh, spec)

    def draw(key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        numbers, dropped = jax.random.split(key)
        kept = jnp.where(jax.random.bernoulli(dropped, 0.5, x.shape), x, 0)
        return jax.random.normal(numbers, (16, 8)), kept.sum(0)

    key, x = jax.random.key(3, impl=implementation), np.arange(128.0).reshape(16, 8)
    wanted = jax.jit(draw)(key, x)
    got = sdy.jax.jit(draw, in_shardings=(None, sharding), out_shardings=(sharding, None))(key, x)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("distribution", ["UNIFORM", "NORMAL"])
def test_rng(distribution: str) -> None:
    type_ = "tensor<64x64xf32>"
    text = f"""{MESHES}
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> {type_} {{
  %0 = stablehlo.constant dense<64> : tensor<2xi64>
  %1 = stablehlo.rng %a, %b, %0, distribution = {distribution} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> {type_}
  %2 = sdy.sharding_constraint %1 <@mesh, [{{"x"}}, {{}}]> : {type_}
  return %2 : {type_}
}}
"""
    (drawn,) = run_partitioned(partition(text), [np.array(2, np.float32), np.array(3, np.float32)])
    parts = drawn.reshape(4, -1)
    assert all(not np.array_equal(parts[i], parts[j]) for i in range(4) for j in range(i))
    mean, deviation = (2.5, 12**-0.5) if distribution == "UNIFORM" else (2, 3)
    assert abs(drawn.mean() - mean) < 0.1 * deviation
    assert abs(drawn.std() - deviation) < 0.1 * deviation
