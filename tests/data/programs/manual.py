"""Programs with parts that say themselves how they are sharded: `jax.shard_map`, and custom partitioning."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape


@program("shard_map_manual")
def shard_map_manual() -> jax.stages.Lowered:
    """A matrix product with its own collectives between parts that the partitioner handles."""
    on = mesh(**DATA_MODEL)

    def product(x: jax.Array, w: jax.Array) -> jax.Array:
        partial = jax.lax.psum(x @ w, "model")
        gathered = jax.lax.all_gather(partial, "data", tiled=True)
        return jax.lax.psum_scatter(gathered, "data", scatter_dimension=0, tiled=True) / 4

    def f(x: jax.Array, w: jax.Array) -> jax.Array:
        manual = jax.shard_map(
            product,
            mesh=on,
            in_specs=(P("data", "model"), P("model", None)),
            out_specs=P("data", None),
            check_vma=False,
        )
        return jnp.tanh(manual(jnp.sin(x), w)) @ w.T

    return jax.jit(f, in_shardings=placed(on, (P("data", "model"), P("model", None)))).lower(
        shape(16, 32), shape(32, 8)
    )


@program("shard_map_partial")
def shard_map_partial() -> jax.stages.Lowered:
    """Only `data` is manual; inside, `model` is left to propagation."""
    on = mesh(**DATA_MODEL)

    def local(x: jax.Array, w: jax.Array) -> jax.Array:
        hidden = jax.nn.relu(x @ w)
        rotated = jax.lax.ppermute(hidden, "data", [(i, (i + 1) % 4) for i in range(4)])
        return hidden + rotated @ w.T @ w

    def f(x: jax.Array, w: jax.Array) -> jax.Array:
        manual = jax.shard_map(
            local, mesh=on, in_specs=(P("data"), P()), out_specs=P("data"), axis_names={"data"}, check_vma=False
        )
        return manual(x, w) * 2

    return jax.jit(f, in_shardings=placed(on, (P("data", None), P(None, "model")))).lower(shape(16, 32), shape(32, 8))


@program("custom_partitioning")
def custom_partitioning_of_a_norm() -> jax.stages.Lowered:
    """A row-wise norm that says in einsum notation how it is sharded, between products, forward and backward."""
    on = mesh(**DATA_MODEL)

    @custom_partitioning
    def norm(x: jax.Array) -> jax.Array:
        return x / jnp.sqrt(jnp.sum(x * x, axis=-1, keepdims=True) + 1e-6)

    def partition(mesh: Any, arguments: Any, result: Any) -> Any:
        shardings = tuple(argument.sharding for argument in arguments)
        return mesh, norm.fun, result.sharding, shardings

    norm.def_partition(partition=partition, sharding_rule="b t i -> b t i", need_replication_factors=("i",))

    @jax.custom_vjp
    def differentiable(x: jax.Array) -> jax.Array:
        return norm(x)

    differentiable.defvjp(lambda x: (norm(x), x), lambda x, g: (norm(g) * jnp.tanh(x),))

    def loss(weights: tuple[jax.Array, jax.Array], x: jax.Array) -> jax.Array:
        up, down = weights
        return jnp.mean((differentiable(x @ up) @ down) ** 2)

    specs = ((P(None, "model"), P("model", None)), P("data", None, None))
    arguments = ((shape(32, 64), shape(64, 32)), shape(8, 16, 32))
    return jax.jit(jax.grad(loss), in_shardings=placed(on, specs)).lower(*arguments)
