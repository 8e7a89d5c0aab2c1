"""Random programs that are manual along one mesh axis and sharded along the others, as `jax.shard_map` writes them.

The same program on a mesh whose other axes have one device is the reference: there is nothing to partition.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

import sdy.jax
from tests import depth

AXES = ("a", "b", "c")
"""The first is the manual one."""

LOCAL = (4, 16, 8)
"""Shape of the part along the manual axis."""


def _attended(x: jax.Array) -> jax.Array:
    return jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", x, x) / 4, -1) @ x


def _looped(x: jax.Array, w: jax.Array) -> jax.Array:
    return lax.scan(lambda carry, step: (jnp.tanh(carry @ w) + step, None), x, jnp.arange(3, dtype=x.dtype))[0]


def _convolved(x: jax.Array, w: jax.Array) -> jax.Array:
    numbers, kernel = ("NWC", "WIO", "NWC"), w[:3, None]
    return lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=numbers, feature_group_count=x.shape[-1])


def _updated(x: jax.Array, w: jax.Array) -> jax.Array:
    """Not by rows of `x`: XLA's CPU compiler may write those that it has yet to read."""
    return lax.dynamic_update_slice(x, jnp.broadcast_to(w[:2], (4, 2, 8)), (0, lax.axis_index("a"), 0))


def _scattered(x: jax.Array, w: jax.Array) -> jax.Array:
    del w
    return lax.all_gather(lax.psum_scatter(x, "a", scatter_dimension=1, tiled=True), "a", axis=1, tiled=True)


STEPS: dict[str, Callable[[jax.Array, jax.Array], jax.Array]] = {
    "product": lambda x, w: jnp.tanh(x @ w),
    "transposed product": lambda x, w: jnp.einsum("bsd,ed->bse", x, w),
    "attention": lambda x, w: _attended(x),
    "loop": _looped,
    "branch": lambda x, w: lax.cond(lax.psum(x[0, 0, 0], "a") > 0, lambda x: x @ w, lambda x: x * 2, x),
    "recomputed": lambda x, w: jax.checkpoint(lambda x: jnp.sin(x @ w))(x),
    "reshape": lambda x, w: (x.reshape(-1, x.shape[-1]) @ w).reshape(x.shape),
    "convolution": _convolved,
    "shift": lambda x, w: jnp.roll(x, 1, 1) + x,
    "prefix sum": lambda x, w: jnp.cumsum(x, 1) / 8,
    "sort": lambda x, w: jnp.sort(x, 1),
    "largest": lambda x, w: x.at[..., :4].add(lax.top_k(x, 4)[0]),
    "update": _updated,
    "rows": lambda x, w: x[:, jnp.array([1, 0, *range(2, 16)])],
    "mean of all": lambda x, w: x - lax.pmean(x.mean(0, keepdims=True), "a"),
    "sent on": lambda x, w: x + lax.ppermute(x, "a", [(0, 1), (1, 0)]),
    "gathered": lambda x, w: lax.all_gather(x, "a", axis=1, tiled=True).reshape(4, 2, 16, 8).sum(1),
    "scattered": _scattered,
    "exchanged": lambda x, w: lax.all_to_all(lax.all_to_all(x, "a", 1, 2, tiled=True) * 2, "a", 2, 1, tiled=True),
    "where": lambda x, w: jnp.where(x > 0, x, w[0]),
}


def _mesh(*sizes: int) -> Mesh:
    return jax.make_mesh(sizes, AXES, axis_types=(AxisType.Auto,) * 3, devices=jax.devices()[: np.prod(sizes)])


def _program(seed: int, mesh: Mesh) -> tuple[Callable[..., object], list[jax.ShapeDtypeStruct]]:
    """Return the program that `seed` draws on a mesh, and its arguments."""
    rng = random.Random(seed)

    def spec(rank: int, axes: tuple[str, ...] = AXES[1:]) -> PartitionSpec:
        dims: list[str | None] = [None] * rank
        for axis in axes:
            dim = rng.randrange(rank)
            if dims[dim] is None and rng.random() < 0.6:
                dims[dim] = axis
        return PartitionSpec(*dims)

    steps = [(rng.choice([*STEPS]), spec(3) if rng.random() < 0.4 else None) for _ in range(rng.randrange(2, 6))]
    dim = rng.randrange(2)
    manual = PartitionSpec(*[None] * dim, "a")
    shape = [size * 2 if number == dim else size for number, size in enumerate(LOCAL)]

    def local(x: jax.Array, w: jax.Array) -> jax.Array:
        for name, constraint in steps:
            x = STEPS[name](x, w)
            x = x if constraint is None else lax.with_sharding_constraint(x, constraint)
        return x

    manually = jax.shard_map(
        local, mesh=mesh, in_specs=(manual, PartitionSpec()), out_specs=manual, axis_names={"a"}, check_vma=False
    )
    arguments = [
        jax.ShapeDtypeStruct(sizes, np.float32, sharding=NamedSharding(mesh, sharding))
        for sizes, sharding in ((tuple(shape), spec(3, AXES)), ((8, 8), spec(2)))
    ]
    if rng.random() < 0.5:
        return lambda x, w: manually(jnp.sin(x), w), arguments
    return jax.grad(lambda x, w: jnp.cos(manually(jnp.sin(x), w)).sum(), (0, 1)), arguments


@pytest.mark.parametrize("seed", depth.seeds(8, 300))
def test_same_numbers_as_with_the_manual_axis_alone(seed: int) -> None:
    results = []
    for sizes, jit in (((2, 1, 1), jax.jit), ((2, 2, 2), sdy.jax.jit)):
        generator = np.random.default_rng(seed)
        function, arguments = _program(seed, _mesh(*sizes))
        values = [
            jax.device_put((generator.normal(size=each.shape) / 3).astype(each.dtype), each.sharding)
            for each in arguments
        ]
        results.append(jax.tree.leaves(jit(function)(*values)))
    for want, have in zip(*results, strict=True):
        largest = float(np.abs(want).max())
        np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=2e-4, atol=2e-4 * max(largest, 1e-3))
