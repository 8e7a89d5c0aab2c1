"""Programs with manual parts: `jax.shard_map` over all axes of the mesh, and over some."""

from __future__ import annotations

import jax
import jax.numpy as jnp
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
