"""Collectives of `jax.shard_map`, on all axes or beside automatic ones: as XLA partitions them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests import depth

RING = [(i, (i + 1) % 4) for i in range(4)]

COLLECTIVES: dict[str, Callable[[jax.Array], Any]] = {
    "psum": lambda x: lax.psum(x, "data"),
    "pmean": lambda x: lax.pmean(x, "data"),
    "pmax": lambda x: lax.pmax(x, "data"),
    "pmin": lambda x: lax.pmin(x, "data"),
    "psum of several": lambda x: lax.psum((x, 2 * x.sum()), "data"),
    "psum_scatter": lambda x: lax.psum_scatter(x, "data", scatter_dimension=1, tiled=True),
    "psum_scatter of a dimension": lambda x: lax.psum_scatter(x[:, :4], "data", scatter_dimension=1),
    "all_gather": lambda x: lax.all_gather(x, "data"),
    "all_gather tiled": lambda x: lax.all_gather(x, "data", axis=1, tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x, "data", split_axis=1, concat_axis=0, tiled=True),
    "all_to_all of a dimension": lambda x: lax.all_to_all(x[:, :4], "data", split_axis=1, concat_axis=0),
    "ppermute": lambda x: lax.ppermute(x, "data", RING),
    "ppermute of some": lambda x: lax.ppermute(x, "data", [(0, 2), (3, 1)]),
    "pshuffle": lambda x: lax.pshuffle(x, "data", [2, 0, 3, 1]),
    "axis_index": lambda x: x + lax.axis_index("data"),
    "axis_size": lambda x: x * lax.axis_size("data"),
    "groups": lambda x: lax.psum(x, "data", axis_index_groups=[[0, 1], [2, 3]]),
    "loop": lambda x: lax.fori_loop(0, 3, lambda i, y: lax.ppermute(y, "data", RING) + i, x),
    "branches": lambda x: lax.cond(lax.axis_index("data") % 2 == 0, lambda y: y @ y.T @ y, lambda y: y - y.sum(0), x),
    "product": lambda x: lax.psum(x @ x.T, "data") @ x,
}
"""Functions of a matrix on one device, or on those along the automatic axes."""

ALONE = [name for name in COLLECTIVES if depth.ALL or name in ("psum_scatter", "all_to_all", "loop", "branches")]
BESIDE = [name for name in COLLECTIVES if depth.ALL or name in ("psum", "all_gather tiled", "ppermute", "product")]


def placed(mesh: Mesh, *spec: Any) -> NamedSharding:
    return NamedSharding(mesh, P(*spec))


def check(function: Callable[..., Any], *arguments: jax.Array) -> None:
    """Asserts that sdy and XLA compute the same, results and derivatives."""
    got, wanted = sdy.jax.jit(function)(*arguments), jax.jit(function)(*arguments)
    for have, want in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-4)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("name", ALONE)
def test_on_all_axes(name: str, mesh: Mesh) -> None:
    mapped = jax.shard_map(
        lambda x: jax.tree.map(lambda y: jnp.sin(y)[None, None], COLLECTIVES[name](x)),
        mesh=mesh,
        in_specs=P("data", "model"),
        out_specs=P("data", "model"),
        check_vma=False,
    )
    check(lambda x: mapped(2 * x), jax.device_put(numbers(8, 32), placed(mesh, "data", "model")))


@pytest.mark.parametrize("name", BESIDE)
def test_beside_automatic_axes(name: str, mesh: Mesh) -> None:
    mapped = jax.shard_map(
        lambda x: jax.tree.map(lambda y: jnp.sin(y)[None], COLLECTIVES[name](x * 2)),
        mesh=mesh,
        in_specs=P("data"),
        out_specs=P("data"),
        axis_names={"data"},
        check_vma=False,
    )
    check(
        lambda x, w: jax.tree.map(lambda y: y * 2, mapped(x @ w)),
        jax.device_put(numbers(8, 6), placed(mesh, "data")),
        jax.device_put(numbers(6, 16), placed(mesh, None, "model")),
    )


def test_derivatives_beside_automatic_axes(mesh: Mesh) -> None:
    mapped = jax.shard_map(
        lambda x, w: lax.psum(jnp.tanh(x @ w) ** 2, "data"),
        mesh=mesh,
        in_specs=(P("data"), P()),
        out_specs=P(),
        axis_names={"data"},
        check_vma=False,
    )
    check(
        jax.value_and_grad(lambda w, x: mapped(x, w).sum()),
        jax.device_put(numbers(6, 16), placed(mesh, None, "model")),
        jax.device_put(numbers(8, 6), placed(mesh, "data")),
    )


def test_nested(mesh: Mesh) -> None:
    def inner(x: jax.Array) -> jax.Array:
        return lax.psum(x, "model") + lax.axis_index("model")

    def outer(x: jax.Array) -> jax.Array:
        mapped = jax.shard_map(inner, in_specs=P(None, "model"), out_specs=P(), axis_names={"model"}, check_vma=False)
        return lax.ppermute(mapped(x * 2), "data", RING)

    mapped = jax.shard_map(
        outer, mesh=mesh, in_specs=P("data"), out_specs=P("data"), axis_names={"data"}, check_vma=False
    )
    check(lambda x: mapped(x) + 1, jax.device_put(numbers(8, 16), placed(mesh, "data", "model")))


def test_in_a_scan(mesh: Mesh) -> None:
    mapped = jax.shard_map(
        lambda x: lax.psum_scatter(lax.all_gather(x, "data", tiled=True), "data", tiled=True),
        mesh=mesh,
        in_specs=P("data"),
        out_specs=P("data"),
        axis_names={"data"},
        check_vma=False,
    )
    check(
        lambda x: lax.scan(lambda c, _: (mapped(jnp.tanh(c)), c.sum()), x, length=3),
        jax.device_put(numbers(8, 16), placed(mesh, "data", "model")),
    )
