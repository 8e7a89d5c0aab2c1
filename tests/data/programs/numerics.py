"""Smaller functions, each with ops that few networks have: transforms, factorizations, sorting, control flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape


def lowered(function: Callable[..., Any], *arguments: tuple[Any, P], out: Any = None) -> jax.stages.Lowered:
    """`function` on the 4x2 mesh; an argument is a shape and its spec."""
    on = mesh(**DATA_MODEL)
    jitted = jax.jit(
        function,
        in_shardings=tuple(placed(on, spec) for _, spec in arguments),
        out_shardings=None if out is None else placed(on, out),
    )
    return jitted.lower(*(argument for argument, _ in arguments))


@program("fft")
def fft() -> jax.stages.Lowered:
    """Convolution along the last dimension by Fourier transforms."""

    def convolved(x: jax.Array, kernel: jax.Array) -> jax.Array:
        return jnp.fft.irfft(jnp.fft.rfft(x) * jnp.fft.rfft(kernel), n=x.shape[-1])

    return lowered(convolved, (shape(16, 8, 64), P("data", "model")), (shape(64), P()), out=P("data", "model"))


@program("cholesky")
def cholesky() -> jax.stages.Lowered:
    """Batched linear systems by a Cholesky factorization and two triangular solves."""

    def solved(a: jax.Array, b: jax.Array) -> jax.Array:
        matrix = a @ jnp.swapaxes(a, -1, -2) + jnp.eye(a.shape[-1])
        factor = jnp.linalg.cholesky(matrix)
        half = jax.lax.linalg.triangular_solve(factor, b, left_side=True, lower=True)
        return jax.lax.linalg.triangular_solve(factor, half, left_side=True, lower=True, transpose_a=True)

    return lowered(solved, (shape(16, 8, 8), P("data")), (shape(16, 8, 4), P("data", None, "model")))


@program("sort_topk")
def sort_topk() -> jax.stages.Lowered:
    """Sorting by a key, the best few, and the values at their places."""

    def ranked(scores: jax.Array, values: jax.Array) -> tuple[jax.Array, ...]:
        order = jnp.argsort(scores, axis=-1)
        best, where = jax.lax.top_k(scores, 4)
        return jnp.take_along_axis(values, order, axis=-1), best, jnp.take_along_axis(values, where, axis=-1)

    return lowered(ranked, (shape(16, 32), P("data", "model")), (shape(16, 32), P("data", "model")))


@program("while_cond")
def while_cond() -> jax.stages.Lowered:
    """Power iteration until it converges, then one of two branches."""

    def iterated(a: jax.Array, x: jax.Array) -> jax.Array:
        def unfinished(state: tuple[jax.Array, jax.Array, jax.Array]) -> jax.Array:
            step, _, change = state
            return (step < 100) & (change > 1e-4)

        def body(state: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
            step, x, _ = state
            y = a @ x
            y = y / jnp.linalg.norm(y)
            return step + 1, y, jnp.abs(y - x).max()

        _, x, change = jax.lax.while_loop(unfinished, body, (jnp.int32(0), x, jnp.float32(1)))
        return jax.lax.cond(change > 1e-4, lambda v: jnp.zeros_like(v), lambda v: a @ v, x)

    return lowered(iterated, (shape(32, 32), P("data", "model")), (shape(32), P("model")))


@program("random")
def random() -> jax.stages.Lowered:
    """Random numbers from a key, in the shape of a sharded array."""

    def noisy(key: jax.Array, x: jax.Array) -> jax.Array:
        return x + jax.random.normal(jax.random.wrap_key_data(key), x.shape)

    return lowered(noisy, (shape(2, dtype=jnp.uint32), P()), (shape(16, 32), P("data", "model")))
