"""What JAX emits for accelerators only computes what it did when partitioned, by what stands for it on CPUs."""

from __future__ import annotations

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from sdy.report.communication_report import communication
from tests import depth
from tests.generators.op_instances import random_instance
from tests.numerics import one_op
from tests.numerics.harness import compare, run_partitioned, run_unpartitioned
from tests.numerics.stand_ins import on_cpu, with_stand_ins


@pytest.mark.parametrize("seed", depth.seeds(4, 600))
def test_ragged_dot(seed: int) -> None:
    """Groups may be empty, and there may be elements in none of them."""
    text = one_op.program(random_instance("chlo.ragged_dot", seed), Random(seed))
    partitioned = on_cpu(sdy.partition(text))
    lhs, rhs, sizes = one_op.inputs(random_instance("chlo.ragged_dot", seed), partitioned.arguments, seed)
    rng, (count,) = np.random.default_rng(seed), sizes.shape
    places = np.sort(rng.integers(0, min(lhs.shape) + 1, count))
    given = [lhs, rhs, np.diff(places, prepend=0).astype(np.int32)]
    (wanted,) = run_unpartitioned(with_stand_ins(text), partitioned, given)
    (got,) = run_partitioned(partitioned, given)
    compare(got, wanted, text, 1e-5)


SHARDINGS = {
    "rows": (P("x"), P()),
    "groups": (P(), P("x")),
    "both": (P("y"), P("x")),
    "inner": (P(None, "x"), P(None, "x")),
}


@pytest.mark.parametrize("shardings", SHARDINGS)
def test_gradients_of_ragged_dot(shardings: str) -> None:
    lhs, rhs = SHARDINGS[shardings]
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    rng = np.random.default_rng(0)
    given = [
        *(rng.standard_normal(shape).astype(np.float32) for shape in ((16, 8), (8, 8, 4))),
        np.array([2, 0, 3, 1, 0, 0, 4, 1], np.int32),
    ]

    def loss(x: jax.Array, w: jax.Array, sizes: jax.Array) -> jax.Array:
        return jnp.sum(lax.ragged_dot(x, w, sizes) ** 2)

    call = jax.value_and_grad(loss, (0, 1))
    placed = [
        jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, spec))
        for x, spec in zip(given, (lhs, rhs, P()), strict=True)
    ]
    text = jax.jit(call).trace(*placed).lower(lowering_platforms=("cuda",)).as_text()
    assert "chlo.ragged_dot" in text
    got = run_partitioned(on_cpu(sdy.partition(text)), given)
    for have, want in zip(got, jax.tree.leaves(jax.jit(call)(*given)), strict=True):
        compare(have, np.asarray(want), shardings, 1e-5)


@pytest.mark.parametrize("spec", [P("x"), P(None, "y"), P("x", "y"), P(("x", "y"))])
def test_cumulative_sum(spec: P) -> None:
    """Uneven along one dimension or the other; what is left on each device is a scan."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    x = np.random.default_rng(1).integers(-9, 9, (16, 8)).astype(np.float32)

    def call(x: jax.Array) -> tuple[jax.Array, ...]:
        cut = lax.with_sharding_constraint(x[:13, :7], NamedSharding(mesh, spec))
        return jnp.cumsum(x, 0), jnp.cumsum(cut, 0), jnp.cumsum(cut, 1)

    placed = jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, spec))
    text = jax.jit(call).trace(placed).lower(lowering_platforms=("cuda",)).as_text()
    partitioned = sdy.partition(text)
    assert partitioned.text.count("chlo.scan") == 3
    got = run_partitioned(on_cpu(partitioned), [x])
    for have, want in zip(got, (np.cumsum(x, 0), np.cumsum(x[:13, :7], 0), np.cumsum(x[:13, :7], 1)), strict=True):
        compare(have, want, str(spec), 0.0)


def test_scans_that_are_no_sums_are_computed_on_parts_of_slices() -> None:
    """A body that computes each element by itself, with what it carries: uneven and not."""
    body = """{
      ^bb0(%x: tensor<7xf32>, %y: tensor<7xf32>):
        %c = stablehlo.constant dense<2.0> : tensor<7xf32>
        %s = stablehlo.add %x, %y : tensor<7xf32>
        %t = stablehlo.multiply %s, %c : tensor<7xf32>
        "stablehlo.return"(%t, %s) : (tensor<7xf32>, tensor<7xf32>) -> ()
    }"""
    text = f"""
    sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%g: tensor<6x7xf32>) -> tensor<6x7xf32> {{
      %a = sdy.sharding_constraint %g <@mesh, [{{}}, {{"y"}}]> : tensor<6x7xf32>
      %zero = stablehlo.constant dense<1.0> : tensor<7xf32>
      %r, %last = "chlo.scan"(%a, %zero) <{{dimension = 0 : i64, is_associative = false, is_reverse = true,
        operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}}> ({body})
        : (tensor<6x7xf32>, tensor<7xf32>) -> (tensor<6x7xf32>, tensor<7xf32>)
      return %r : tensor<6x7xf32>
    }}"""
    partitioned = sdy.partition(text)
    assert "tensor<6x4xf32>, tensor<4xf32>" in partitioned.text
    x = np.arange(42, dtype=np.float32).reshape(6, 7)
    carried, wanted = np.ones(7, np.float32), np.zeros_like(x)
    for row in reversed(range(6)):
        wanted[row] = 2 * (x[row] + carried)
        carried = x[row] + carried
    compare(run_partitioned(partitioned, [x])[0], wanted, "scan", 1e-6)


@pytest.mark.parametrize("spec", [P("x"), P("y", "x")])
def test_tridiagonal_solve(spec: P) -> None:
    """On TPUs each unknown by itself; all are slices of vectors, which are gathered once."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    rng = np.random.default_rng(2)
    given = [rng.uniform(0.1, 1, 8).astype(np.float32), rng.standard_normal((8, 4)).astype(np.float32)]
    specs = (P("x"), spec)
    placed = [
        jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, each))
        for x, each in zip(given, specs, strict=True)
    ]

    def call(a: jax.Array, b: jax.Array) -> jax.Array:
        return lax.linalg.tridiagonal_solve(a, a + 3, a, b)

    text = jax.jit(call).trace(*placed).lower(lowering_platforms=("tpu",)).as_text()
    partitioned = sdy.partition(text)
    (got,) = run_partitioned(partitioned, given)
    compare(got, np.asarray(jax.jit(call)(*given)), text, 1e-5)
    assert communication(partitioned).bytes_sent <= 144


@pytest.mark.parametrize("spec", [P("x"), P("y", "x")])
def test_polar_decomposition(spec: P) -> None:
    """The loops of singular values on TPUs, with decompositions as CPUs have them."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    x = np.random.default_rng(3).standard_normal((8, 8)).astype(np.float32)

    def call(x: jax.Array) -> list[jax.Array]:
        return [*jax.scipy.linalg.polar(x, method="qdwh"), jnp.sin(x)]

    placed = jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, spec))
    text = jax.jit(call).trace(placed).lower().as_text()
    assert text.count("stablehlo.while") > 1
    partitioned = sdy.partition(text)
    for have, want in zip(run_partitioned(partitioned, [x]), jax.jit(call)(x), strict=True):
        compare(have, np.asarray(want), text, 1e-5)


@pytest.mark.parametrize(("length", "spec"), [((8, 10), P("x")), ((8, 9), P(None, "y")), ((6, 8, 4), P("y", "x"))])
def test_inverse_transforms(length: tuple[int, ...], spec: P) -> None:
    """Of spectra that are no transforms of real numbers, which JAX makes symmetric for GPUs."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    rng, shape = np.random.default_rng(4), (*(6, *length)[-3:-1], length[-1] // 2 + 1)
    x = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)

    def call(x: jax.Array) -> jax.Array:
        placed = lax.with_sharding_constraint(x, NamedSharding(mesh, spec))
        return jnp.fft.irfftn(placed, length, axes=range(-len(length), 0))

    whole = jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, P()))
    texts = [jax.jit(call).trace(whole).lower(lowering_platforms=(platform,)).as_text() for platform in ("cpu", "cuda")]
    assert texts[1].count("stablehlo.reverse") > 0
    for partitioned in map(sdy.partition, texts):
        compare(run_partitioned(partitioned, [x])[0], np.asarray(jax.jit(call)(x)), str(spec), 1e-5)


def test_singular_values_of_a_batch_along_the_rows_of_its_matrices() -> None:
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    placed = jax.ShapeDtypeStruct((8, 8, 8), jnp.float32, sharding=NamedSharding(mesh, P(None, "x")))
    text = jax.jit(jnp.linalg.svd).trace(placed).lower().as_text()
    assert communication(sdy.partition(text)).bytes_sent <= 4 * 512 // 4 * 3
