"""Meshes of all sorts under `sdy.jax.jit`."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax

X = np.arange(128, dtype=np.float32).reshape(8, 16)


def f(a: jax.Array) -> jax.Array:
    return jnp.cumsum(a, 0) + a.sum(1, keepdims=True)


EXPECTED = np.cumsum(X, 0) + X.sum(1, keepdims=True)


@pytest.mark.parametrize("order", [(3, 1, 7, 5, 0, 2, 6, 4), (4, 5, 6, 7), (6, 2)])
def test_any_devices_in_any_order(order: tuple[int, ...]) -> None:
    devices = np.array(jax.devices())[list(order)].reshape(-1, 2)
    sharding = NamedSharding(Mesh(devices, ("data", "model")), P("data", "model"))
    np.testing.assert_allclose(sdy.jax.jit(f)(jax.device_put(X, sharding)), EXPECTED)


def test_replicated_arguments_only(mesh: Mesh) -> None:
    result = sdy.jax.jit(f)(jax.device_put(X, NamedSharding(mesh, P())))
    np.testing.assert_allclose(result, EXPECTED)
    assert result.sharding.is_fully_replicated


def test_no_arguments(mesh: Mesh) -> None:
    sharding = NamedSharding(mesh, P("data"))
    result = sdy.jax.jit(lambda: jnp.arange(8), out_shardings=sharding)()
    assert result.sharding == sharding
    np.testing.assert_array_equal(result, np.arange(8))


def test_two_meshes_over_the_same_devices(mesh: Mesh) -> None:
    flat = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
    a = jax.device_put(X, NamedSharding(mesh, P("data", "model")))
    b = jax.device_put(X, NamedSharding(flat, P("d")))
    np.testing.assert_array_equal(sdy.jax.jit(lambda a, b: a + 2 * b)(a, b), 3 * X)


def test_axes_of_size_one() -> None:
    mesh = jax.make_mesh((1, 8, 1), ("a", "b", "c"), axis_types=(AxisType.Auto,) * 3)
    sharding = NamedSharding(mesh, P("a", ("b", "c")))
    result = sdy.jax.jit(f, out_shardings=sharding)(jax.device_put(X, sharding))
    assert result.sharding == sharding
    np.testing.assert_allclose(result, EXPECTED)


def test_eager_operations_in_the_context(mesh: Mesh) -> None:
    with sdy.jax.partitioned():
        a = jax.device_put(X, NamedSharding(mesh, P("data", "model")))
        np.testing.assert_allclose((a * 2 + a.sum(0)).T @ a, (X * 2 + X.sum(0)).T @ X)
        np.testing.assert_allclose(jax.grad(lambda a: jnp.square(a).sum())(a), 2 * X)


def test_shard_map_over_some_axes(mesh: Mesh) -> None:
    inner = jax.shard_map(
        lambda shard: jax.lax.psum(shard, "data"), mesh=mesh, in_specs=P("data"), out_specs=P(), axis_names={"data"}
    )

    def g(a: jax.Array) -> jax.Array:
        return inner(jax.lax.with_sharding_constraint(a, NamedSharding(mesh, P(P.UNCONSTRAINED, "model")))) * 2

    result = sdy.jax.jit(g)(jax.device_put(X, NamedSharding(mesh, P("data", "model"))))
    np.testing.assert_allclose(result, X.reshape(4, 2, 16).sum(0) * 2)
